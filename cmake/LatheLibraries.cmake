# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The two libraries, out of the parts: shared, and exporting nothing but Lathe's own interface. In the portable preset LLVM
# is inside liblathe.
add_library(lathe-runtime SHARED)
target_link_libraries(lathe-runtime PRIVATE lathe_base lathe_runtimes lathe_flags)
add_library(lathe::runtime ALIAS lathe-runtime)

add_library(lathe SHARED)
target_link_libraries(lathe PRIVATE lathe_core lathe_dialects lathe_preludes lathe_targets lathe_flags PUBLIC lathe-runtime)
add_library(lathe::lathe ALIAS lathe)

# With LLVM inside, liblathe has 300,000 pointers that the loader moves. LLD writes them as bits: 7 MB less of the file, and a
# tenth of the time before main(). (mold does so since a later version than Debian 12's.)
find_program(LATHE_LLD ld.lld HINTS "${LLVM_TOOLS_BINARY_DIR}")
if(LATHE_STATIC AND LATHE_LLD)
  cmake_path(GET LATHE_LLD PARENT_PATH lld_folder)
  target_link_options(lathe PRIVATE -fuse-ld=lld "-B${lld_folder}" -Wl,-z,pack-relative-relocs -Wl,--undefined-version)
endif()

foreach(library lathe-runtime lathe)
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_compile_features(${library} PUBLIC cxx_std_20)
  set_target_properties(${library} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
  target_link_options(${library} PRIVATE "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map" -Wl,--no-undefined -Wl,-Bsymbolic
    $<$<BOOL:${LATHE_STATIC}>:-Wl,--gc-sections>)
  set_target_properties(${library} PROPERTIES LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/exports.map")
endforeach()
set_target_properties(lathe-runtime PROPERTIES EXPORT_NAME runtime)
