# What an installation has besides the program, how it is taken away again, and packages: `cpack` in the build folder makes .tar.gz and .deb.
install(FILES LICENSE NEWS README.md SECURITY.md CONTRIBUTING.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.yml" PATTERN "*.png"
    PATTERN man EXCLUDE)

# `cmake --build build --target uninstall` removes what the last `cmake --install` of this build folder has put in place.
configure_file(${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake.in ${PROJECT_BINARY_DIR}/uninstall.cmake @ONLY)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/uninstall.cmake VERBATIM)

set(CPACK_GENERATOR "TGZ;DEB")
set(CPACK_PACKAGE_NAME rooflight)
set(CPACK_PACKAGE_VENDOR "the authors of rooflight")
# Whom to write to about the package: who builds it (as Debian's own tools have it), else who has made the last commit.
if(NOT "$ENV{DEBEMAIL}" STREQUAL "")
    set(RL_CONTACT_FOUND "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
    execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 "--format=%an <%ae>" OUTPUT_VARIABLE RL_CONTACT_FOUND OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET)
endif()
if(NOT RL_CONTACT_FOUND)
    set(RL_CONTACT_FOUND "the authors of rooflight <rooflight@example.invalid>")
endif()
set(RL_CONTACT "${RL_CONTACT_FOUND}" CACHE STRING "Whom to write to about packages: NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT "${RL_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(RL_REPORTS)
    set(CPACK_DEBIAN_PACKAGE_DEPENDS "gnuplot-nox | gnuplot, fonts-roboto-unhinted, fonts-dejavu-core")
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-droid-fallback")
endif()
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
