# Each floor is a component of the package, with a file of exported targets of its own.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/backbeat")
set(components "")
foreach(floor IN ITEMS retry http memorystore emulator)
    if(TARGET backbeat_${floor})
        list(APPEND components ${floor})
        install(TARGETS backbeat_${floor} EXPORT backbeat_${floor} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
        install(EXPORT backbeat_${floor}
            FILE backbeat-${floor}-targets.cmake NAMESPACE backbeat:: DESTINATION "${package_dir}")
    endif()
endforeach()

# The headers of the floors that are installed, and no others.
set(http_headers "http")
set(memorystore_headers "memorystore")
set(emulator_headers "(emulator[a-z_]*|fault_rule)\\.hpp")
set(left_out "")
foreach(floor IN ITEMS http memorystore emulator)
    if(NOT floor IN_LIST components)
        list(APPEND left_out REGEX "/backbeat/${${floor}_headers}$" EXCLUDE)
    endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/backbeat" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp" ${left_out})

if(TARGET backbeat)
    install(TARGETS backbeat RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/backbeat-config.cmake.in"
    "${PROJECT_BINARY_DIR}/backbeat-config.cmake" INSTALL_DESTINATION "${package_dir}"
    NO_SET_AND_CHECK_MACRO)
set(version_file_options COMPATIBILITY SameMinorVersion)
if(components STREQUAL "retry")
    list(APPEND version_file_options ARCH_INDEPENDENT)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/backbeat-config-version.cmake" ${version_file_options})
install(FILES "${PROJECT_BINARY_DIR}/backbeat-config.cmake" "${PROJECT_BINARY_DIR}/backbeat-config-version.cmake"
    DESTINATION "${package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
