# One folder, one job, one target. rl_folder(core) makes the static library `rl_core` from the folder's .c files; its headers are
# `core/...` below its own include/, and a folder sees only the headers of the folders it names after USES. Nothing else is on the
# include path, so a wrong #include does not compile (tests/include_rule checks that it does not).
#
#   rl_folder(NAME [PARTS subfolder ...] [USES folder ...] [LIBRARIES target ...])
#
# A folder with PARTS has its .c files and private headers in these subfolders, which see each other's headers. The folders of private
# headers are RL_DIRS_NAME.

add_library(rl_options INTERFACE)
target_compile_options(rl_options INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings
        -Wundef -Wvla -Wformat=2 -Wno-missing-field-initializers $<$<BOOL:${RL_WERROR}>:-Werror> -fno-common -fvisibility=hidden>)
target_compile_definitions(rl_options INTERFACE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE>)
if(RL_SANITIZE)
    target_compile_options(rl_options INTERFACE
        $<$<COMPILE_LANGUAGE:C>:-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(rl_options INTERFACE -fsanitize=address,undefined)
endif()

# For what runs inside of an observed program: rl_injected(TARGET ...) gives it the sanitizer of RL_SANITIZE_INJECTED, which the rest of
# the build does not have, so that only such programs need it.
function(rl_injected)
    foreach(target IN LISTS ARGN)
        if(RL_SANITIZE_INJECTED)
            target_compile_options(${target} PRIVATE -fsanitize=${RL_SANITIZE_INJECTED} -fno-omit-frame-pointer)
            target_link_options(${target} PRIVATE -fsanitize=${RL_SANITIZE_INJECTED})
        endif()
    endforeach()
endfunction()

function(rl_folder name)
    cmake_parse_arguments(ARG "" "" "USES;LIBRARIES;SOURCES;PARTS" ${ARGN})
    list(TRANSFORM ARG_PARTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE parts)
    if(NOT parts)
        set(parts ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
    if(NOT ARG_SOURCES)
        list(TRANSFORM parts APPEND /*.c OUTPUT_VARIABLE patterns)
        file(GLOB ARG_SOURCES CONFIGURE_DEPENDS ${patterns})
    endif()
    add_library(rl_${name} STATIC ${ARG_SOURCES})
    target_include_directories(rl_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include PRIVATE ${parts})
    set(RL_DIRS_${name} ${parts} CACHE INTERNAL "folders of private headers of rl_${name}")
    target_link_libraries(rl_${name} PRIVATE rl_options ${ARG_LIBRARIES})
    foreach(used IN LISTS ARG_USES)
        target_link_libraries(rl_${name} PUBLIC rl_${used})
    endforeach()
endfunction()
