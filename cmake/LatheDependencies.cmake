# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every package Lathe builds with, and its least version. Debian 12 has them all; ./dev setup installs them.
set(ZLIB_USE_STATIC_LIBS ${LATHE_STATIC})
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
find_package(Clang REQUIRED CONFIG HINTS "${LLVM_INSTALL_PREFIX}/lib/cmake/clang")
find_package(LLD REQUIRED CONFIG HINTS "${LLVM_INSTALL_PREFIX}/lib/cmake/lld")
if(LATHE_STATIC AND TARGET zstd::libzstd_shared)
  # LLVM's archives ask for the shared one by name.
  find_library(LATHE_ZSTD_ARCHIVE libzstd.a REQUIRED)
  set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION "${LATHE_ZSTD_ARCHIVE}" IMPORTED_CONFIGURATIONS "")
endif()
find_package(yaml-cpp 0.7 REQUIRED)
# Debian's static yaml-cpp is not position-independent: it fits into a program (property LATHE_SINGLE_FILE), not into a library.
set(lathe_single_file "$<BOOL:$<TARGET_PROPERTY:LATHE_SINGLE_FILE>>")
add_library(lathe_yaml INTERFACE)
target_link_libraries(lathe_yaml INTERFACE "$<IF:${lathe_single_file},-l:libyaml-cpp.a,yaml-cpp>")
if(LATHE_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
find_package(fmt 9 REQUIRED)
# Header-only, fmt costs each file that formats some six seconds of compile; of its compiled part Debian has no archive.
add_library(lathe_fmt INTERFACE)
if(LATHE_STATIC)
  add_library(lathe_fmt_library STATIC "${PROJECT_SOURCE_DIR}/cmake/fmt_library.cpp")
  target_include_directories(lathe_fmt_library SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(lathe_fmt_library PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  target_link_libraries(lathe_fmt INTERFACE lathe_fmt_library)
else()
  target_link_libraries(lathe_fmt INTERFACE fmt::fmt)
endif()
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(PNG 1.6 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
if(NOT LATHE_STATIC)
  find_package(TBB 2021 REQUIRED)
endif()
if(LATHE_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
endif()
find_program(LATHE_CLANG clang-22 HINTS "${LLVM_TOOLS_BINARY_DIR}" NAMES clang-22 clang REQUIRED)
set(LATHE_CLANG_HEADERS "${LLVM_LIBRARY_DIR}/clang/22/include" CACHE PATH "Clang's own headers; a few freestanding ones are embedded")
set(LATHE_LIBCXX_HEADERS "${LLVM_INSTALL_PREFIX}/include/c++/v1" CACHE PATH "libc++'s headers, embedded for kernels; without them kernels have no C++ library")
set(LATHE_LIBCLC "/usr/lib/clc" CACHE PATH "libclc's bitcode, embedded as the mathematics of GPU targets")

# LLVM as one usage requirement. Its headers are not ours to warn about, and its folder is searched last: where libc++abi is
# installed, that has a cxxabi.h of its own there, which libstdc++ must not find.
add_library(lathe_llvm INTERFACE)
target_compile_options(lathe_llvm INTERFACE "SHELL:-idirafter ${LLVM_INCLUDE_DIR}")
separate_arguments(lathe_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(lathe_llvm INTERFACE ${lathe_llvm_definitions})
if(LATHE_STATIC)
  llvm_map_components_to_libnames(lathe_llvm_components
    AllTargetsCodeGens AllTargetsAsmParsers AllTargetsDescs AllTargetsInfos AllTargetsDisassemblers
    BitReader BitWriter Core IRReader Linker Passes Target TransformUtils Support Option LTO FrontendOpenMP FrontendHLSL
    ObjCopy WindowsDriver Coverage FrontendOffloading FrontendDriver DTLTO)
  # By file: the packages' targets of Clang's and LLD's archives ask for the shared LLVM.
  set(lathe_archives "")
  foreach(name lldELF lldWasm lldCommon clangCodeGen clangFrontend clangSerialization clangSema clangAnalysis clangAnalysisLifetimeSafety
          clangEdit clangAST clangASTMatchers clangLex clangParse clangBasic clangSupport clangDriver clangOptions clangAPINotes)
    list(APPEND lathe_archives "${LLVM_LIBRARY_DIR}/lib${name}.a")
  endforeach()
  target_link_libraries(lathe_llvm INTERFACE -Wl,--start-group ${lathe_archives} -Wl,--end-group ${lathe_llvm_components})
else()
  target_link_libraries(lathe_llvm INTERFACE clang-cpp LLVM lldELF lldWasm lldCommon)
endif()
