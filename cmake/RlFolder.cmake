# One folder, one job, one target. rl_folder(core) makes the static library `rl_core` from the folder's .c files; its headers are
# `core/...` below its own include/, and a folder sees only the headers of the folders it names after USES. Nothing else is on the
# include path, so a wrong #include does not compile (tests/include_rule checks that it does not).
#
#   rl_folder(NAME [USES folder ...] [LIBRARIES target ...])

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
    cmake_parse_arguments(ARG "" "" "USES;LIBRARIES;SOURCES" ${ARGN})
    if(NOT ARG_SOURCES)
        file(GLOB ARG_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
    endif()
    add_library(rl_${name} STATIC ${ARG_SOURCES})
    target_include_directories(rl_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(rl_${name} PRIVATE rl_options ${ARG_LIBRARIES})
    foreach(used IN LISTS ARG_USES)
        target_link_libraries(rl_${name} PUBLIC rl_${used})
    endforeach()
endfunction()
