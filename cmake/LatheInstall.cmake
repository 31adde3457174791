# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` puts where, and the package that find_package(lathe) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS lathe-runtime lathe EXPORT latheTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS lathe_tool lathe_conformance_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(major IN ITEMS 12 13)
  install(TARGETS lathe_nvrtc_${major} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lathe/nvrtc/${major})
endforeach()
install(FILES tools/nvrtc/nvrtc.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lathe-nvrtc)
install(DIRECTORY include/lathe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The calling convention of group entries, for runtimes of one's own.
install(FILES "${PROJECT_BINARY_DIR}/generated/lathe/device/abi_declarations.inc" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lathe/device)
install(FILES "${PROJECT_BINARY_DIR}/generated/lathe/sdk/runtime_declarations.inc" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lathe/sdk)
install(FILES core/group/entry/group_entry.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lathe/sdk)
install(EXPORT latheTargets NAMESPACE lathe:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lathe)
configure_package_config_file(cmake/latheConfig.cmake.in "${PROJECT_BINARY_DIR}/latheConfig.cmake"
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lathe)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/latheConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/latheConfig.cmake" "${PROJECT_BINARY_DIR}/latheConfigVersion.cmake" cmake/LatheDevice.cmake
  cmake/latheKernels.cmake cmake/latheSdk.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lathe)

# The same package for projects that use this build folder as it is: -D lathe_DIR=build/release/package.
export(EXPORT latheTargets NAMESPACE lathe:: FILE "${PROJECT_BINARY_DIR}/package/latheTargets.cmake")
file(WRITE "${PROJECT_BINARY_DIR}/package/latheConfig.cmake" "include(\"\${CMAKE_CURRENT_LIST_DIR}/latheTargets.cmake\")\n")
