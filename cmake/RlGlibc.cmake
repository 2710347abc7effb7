# RL_GLIBC: what is built runs with that version of glibc and later ones, and has no path of this machine in it, as the archive of a release
# does (docs/packages.md). Without it: with the glibc of this machine and later ones.
set(RL_GLIBC "" CACHE STRING "Oldest glibc that what is built runs with, as 2.27; empty: that of this machine")

if(RL_GLIBC)
    find_package(Python3 COMPONENTS Interpreter REQUIRED)
    set(RL_GLIBC_STUBS ${PROJECT_BINARY_DIR}/glibc-${RL_GLIBC})
    execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/packaging/glibc/stubs.py --newest ${RL_GLIBC} --out ${RL_GLIBC_STUBS}
        --compiler ${CMAKE_C_COMPILER} RESULT_VARIABLE RL_STUBS_FAILED ERROR_VARIABLE RL_STUBS_ERROR)
    if(RL_STUBS_FAILED)
        message(FATAL_ERROR "cannot make the libraries to link against for glibc ${RL_GLIBC}: ${RL_STUBS_ERROR}")
    endif()
    # Shared libraries that ask for more are copied so that they do not (packaging/archive).
    add_link_options(-L${RL_GLIBC_STUBS} LINKER:--allow-shlib-undefined)
    add_compile_options($<$<COMPILE_LANGUAGE:C>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=> $<$<COMPILE_LANGUAGE:C>:-ffile-prefix-map=${PROJECT_BINARY_DIR}/=build/>)
endif()
