# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The C and C++ standard headers that sources find with nothing installed: Lathe's own under include/lathe/device/std, and
# behind them those of libc++ that work without an operating system, in one compressed archive.
set(std_headers
  __algorithm/sort.h __new/global_new_delete.h __new/nothrow_t.h alloca.h assert.h bits/types/mbstate_t.h cassert cfloat climits cmath condition_variable cstddef cstdint ctype.h cwchar cxxabi.h dirent.h dlfcn.h errno.h features.h
  execinfo.h fcntl.h fenv.h fstream getopt.h inttypes.h iomanip ios iostream istream lathe_streams.h libgen.h locale.h
  malloc.h math.h memory.h mutex omp.h ostream pthread.h sched.h setjmp.h signal.h sstream stdio.h stdlib.h streambuf
  string.h strings.h sys/ioctl.h sys/mman.h sys/resource.h sys/stat.h sys/sysinfo.h sys/time.h sys/timeb.h sys/times.h
  sys/types.h sys/utsname.h sys/wait.h thread time.h unistd.h values.h wchar.h
)

# Left out: what Lathe has its own header for, what needs a linked library, and libc++'s wrappers around C headers.
set(libcxx_folders_without __cxx03 __filesystem __locale_dir __pstl experimental)
set(libcxx_without
  __config_site __locale module.modulemap libcxx.imp
  barrier ccomplex ciso646 codecvt condition_variable cmath cfloat climits cassert cstdalign cstdbool cstddef cstdint
  ctgmath cuchar cwchar cwctype filesystem format fstream future iomanip ios iostream istream latch locale mutex ostream print regex
  semaphore shared_mutex sstream stop_token streambuf strstream syncstream thread)
set(libcxx_headers "")
if(EXISTS "${LATHE_LIBCXX_HEADERS}/__config")
  file(GLOB_RECURSE found RELATIVE "${LATHE_LIBCXX_HEADERS}" "${LATHE_LIBCXX_HEADERS}/*")
  list(SORT found)
  foreach(name IN LISTS found)
    if(name MATCHES "^([^/]+)/")
      if(NOT CMAKE_MATCH_1 IN_LIST libcxx_folders_without)
        list(APPEND libcxx_headers "${name}")
      endif()
    elseif(NOT name IN_LIST libcxx_without AND (NOT name MATCHES "[.]h$" OR name MATCHES "^__"))
      list(APPEND libcxx_headers "${name}")
    endif()
  endforeach()
else()
  message(STATUS "no libc++ headers in ${LATHE_LIBCXX_HEADERS} (package libc++-22-dev): kernels will have no C++ library")
endif()
# Lathe's own under own/, with CUDA's that the prelude does not read; libc++'s under v1/.
set(archived "")
foreach(name IN LISTS std_headers)
  list(APPEND archived "own/${name}\t${PROJECT_SOURCE_DIR}/include/lathe/device/std/${name}")
endforeach()
foreach(name IN LISTS cuda_archived)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/cuda/include/${name}")
endforeach()
foreach(name IN LISTS cuda_forwarding)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/cuda/include/cuda_runtime.h")
endforeach()
foreach(name IN LISTS host_library_forwarding)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/cuda/include/lathe/cuda/host_libraries.h")
endforeach()
foreach(name IN LISTS curand_forwarding)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/cuda/include/curand_kernel.h")
endforeach()
foreach(name IN LISTS pipeline_forwarding)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/cuda/include/cuda_pipeline.h")
endforeach()
foreach(name IN LISTS cub_forwarding)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/cuda/include/cub/cub.cuh")
endforeach()
foreach(name IN LISTS thrust_forwarding)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/cuda/include/lathe/cuda/thrust.h")
endforeach()
foreach(name IN LISTS hip_archived)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/hip/include/${name}")
endforeach()
foreach(name IN LISTS hip_forwarding)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/hip/include/hip/hip_runtime.h")
endforeach()
foreach(name IN LISTS hipcub_forwarding)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/hip/include/hipcub/hipcub.hpp")
endforeach()
foreach(name IN LISTS rocprim_forwarding)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/hip/include/rocprim/rocprim.hpp")
endforeach()
foreach(name IN LISTS hip_host_libraries)
  list(APPEND archived "own/${name}\t${CMAKE_CURRENT_SOURCE_DIR}/hip/include/lathe/hip/host_libraries.h")
endforeach()
list(APPEND archived "own/rocrand/rocrand_kernel.h\t${CMAKE_CURRENT_SOURCE_DIR}/hip/include/hiprand/hiprand_kernel.h")
foreach(name IN LISTS cuda_std)
  set(forwarding "${CMAKE_CURRENT_BINARY_DIR}/cuda_std/${name}")
  file(CONFIGURE OUTPUT "${forwarding}" @ONLY CONTENT
    "// Part of cuda::std.\n#include <${name}>\nnamespace cuda { namespace std { using namespace ::std; } }\n")
  list(APPEND archived "own/cuda/std/${name}\t${forwarding}")
endforeach()
foreach(name IN LISTS libcxx_headers)
  list(APPEND archived "v1/${name}\t${LATHE_LIBCXX_HEADERS}/${name}")
endforeach()
if(libcxx_headers)
  list(APPEND archived "v1/__config_site\t${CMAKE_CURRENT_SOURCE_DIR}/std/__config_site")
endif()
list(TRANSFORM archived REPLACE "^[^\t]*\t" "" OUTPUT_VARIABLE archived_files)
list(JOIN archived "\n" archived_list)
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/archived_headers.txt" CONTENT "${archived_list}\n" @ONLY)

set(header_archive "${CMAKE_CURRENT_BINARY_DIR}/headers.archive")
add_custom_command(OUTPUT "${header_archive}"
  COMMAND lathe_header_packer "${header_archive}" "${CMAKE_CURRENT_BINARY_DIR}/archived_headers.txt"
  DEPENDS lathe_header_packer ${archived_files} "${CMAKE_CURRENT_BINARY_DIR}/archived_headers.txt" VERBATIM)
add_custom_target(lathe_header_archive DEPENDS "${header_archive}")
