# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Switches, and the flags that follow from them. Everything is attached to the interface target lathe_flags, which our
# own code links privately; nothing leaks to a consumer.
option(LATHE_STATIC "Put LLVM, Clang and LLD inside Lathe's (the portable preset)" OFF)
option(LATHE_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(LATHE_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(LATHE_BUILD_BENCH "Build the benchmarks" OFF)
option(LATHE_EMBED_LIBRARY_PRELUDES "Build in the precompiled headers of C++ libraries; without, a machine makes them when it wants them" ON)
option(LATHE_BUILD_PYTHON "Build the Python module, for a Python that has nanobind" OFF)
option(LATHE_VERIFY_STAGES "Run LLVM's verifier after every lowering stage" OFF)
option(LATHE_FUZZ "Build the targets of tests/fuzz/hostile for libFuzzer (Clang only)" OFF)
set(LATHE_SANITIZE "" CACHE STRING "Sanitizers to build with: 'address,undefined' or 'thread'")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

add_library(lathe_flags INTERFACE)
target_compile_options(lathe_flags INTERFACE -Wall -Wextra -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Lets ccache keep objects that a precompiled header is part of.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12's stable_sort uses what it declares deprecated, and Clang reports it through a precompiled header. To be
  # removed with GCC 12's library; the builds by g++ watch for deprecated functions of ours and LLVM's.
  target_compile_options(lathe_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(LATHE_SANITIZE)
  target_compile_options(lathe_flags INTERFACE -fsanitize=${LATHE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # GCC takes what the instrumentation adds for paths on which members of std::function are not set, or getcontext()
  # changes counters.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(lathe_flags INTERFACE -Wno-maybe-uninitialized -Wno-clobbered)
  endif()
  target_link_options(lathe_flags INTERFACE -fsanitize=${LATHE_SANITIZE})
endif()
if(LATHE_FUZZ)
  target_compile_options(lathe_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(LATHE_MOLD mold)
if(LATHE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
