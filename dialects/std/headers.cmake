# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The C and C++ standard headers that sources find with nothing installed: Lathe's own under include/lathe/device/std, and
# behind them those of libc++ that work without an operating system, in one compressed archive.
set(std_headers
  __algorithm/sort.h __new/global_new_delete.h __new/nothrow_t.h alloca.h arpa/inet.h asm/types.h assert.h barrier bits/types/mbstate_t.h byteswap.h
  cassert cfloat ciso646 climits cmath codecvt condition_variable cstddef cstdint ctype.h cwchar cwctype cxxabi.h dirent.h dlfcn.h endian.h
  errno.h execinfo.h fcntl.h features.h fenv.h filesystem format fstream future getopt.h glob.h ieee754.h inttypes.h iomanip ios iostream istream
  latch lathe_streams.h libgen.h limits.h linux/types.h locale locale.h malloc.h math.h memory.h mutex netdb.h netinet/in.h netinet/tcp.h omp.h ostream poll.h
  pthread.h pwd.h regex regex.h sched.h semaphore semaphore.h setjmp.h shared_mutex signal.h sstream stdio.h stdlib.h stop_token streambuf string.h
  strings.h sys/file.h sys/ioctl.h sys/mman.h sys/poll.h sys/resource.h sys/select.h sys/socket.h sys/stat.h sys/syscall.h sys/sysinfo.h sys/time.h sys/timeb.h
  sys/times.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h syslog.h thread time.h unistd.h values.h wchar.h wctype.h
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
foreach(name IN LISTS groups_forwarding)
  string(REGEX REPLACE "=.*" "" part "${name}")
  string(REGEX REPLACE ".*=" "" header "${name}")
  list(APPEND archived "own/cooperative_groups/details/${part}.h\t${CMAKE_CURRENT_SOURCE_DIR}/cuda/include/cooperative_groups${header}.h")
endforeach()
foreach(name IN LISTS cub_forwarding)
  string(REGEX REPLACE "=.*" "" part "${name}")
  string(REGEX REPLACE ".*=" "" header "${name}")
  list(APPEND archived "own/cub/${part}.cuh\t${CMAKE_CURRENT_SOURCE_DIR}/cuda/include/cub/${header}.cuh")
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
# AMD's files behind its headers.
foreach(name bf16 bfloat16 complex cooperative_groups fp16 fp8)
  list(APPEND archived "own/hip/amd_detail/amd_hip_${name}.h\t${CMAKE_CURRENT_SOURCE_DIR}/hip/include/hip/hip_${name}.h")
endforeach()
list(APPEND archived "own/rocrand/rocrand_kernel.h\t${CMAKE_CURRENT_SOURCE_DIR}/hip/include/hiprand/hiprand_kernel.h")
foreach(name IN LISTS cuda_std)
  set(forwarding "${CMAKE_CURRENT_BINARY_DIR}/cuda_std/${name}")
  file(CONFIGURE OUTPUT "${forwarding}" @ONLY CONTENT
    "// Part of cuda::std.\n#include <${name}>\nnamespace cuda { namespace std { using namespace ::std; } }\n")
  list(APPEND archived "own/cuda/std/${name}\t${forwarding}")
endforeach()
# libc++ has its names in a versioned namespace, which kernels' symbols would show: std::pair is std::pair to the compilers of
# programs that look kernels up by symbol.
set(versioned "inline namespace _LIBCPP_ABI_NAMESPACE {")
set(libcxx_config "${CMAKE_CURRENT_BINARY_DIR}/libcxx/__config")
if(libcxx_headers)
  file(READ "${LATHE_LIBCXX_HEADERS}/__config" text)
  string(FIND "${text}" "${versioned}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "lathe: ${LATHE_LIBCXX_HEADERS}/__config is of an unknown version of libc++: it has no '${versioned}'")
  endif()
  string(REPLACE "${versioned}" "extern \"C++\" {" text "${text}")
  file(CONFIGURE OUTPUT "${libcxx_config}" @ONLY CONTENT "${text}")
endif()
# mdspan and expected are C++23's, and cuda::std has them since C++17: libc++'s compile as C++20, which kernels are. An mdspan
# is called, too, where one standard has no subscripts of several numbers.
set(mdspan_members "  // [mdspan.mdspan.members], members\n")
set(mdspan_call "  template <class... _OtherIndexTypes>
    requires((is_convertible_v<_OtherIndexTypes, index_type> && ...) &&
             (is_nothrow_constructible_v<index_type, _OtherIndexTypes> && ...) && (sizeof...(_OtherIndexTypes) == rank()))
  [[nodiscard]] _LIBCPP_HIDE_FROM_ABI constexpr reference operator()(_OtherIndexTypes... __indices) const {
    return __acc_.access(__ptr_, __map_(static_cast<index_type>(std::move(__indices))...));
  }
")
foreach(name IN LISTS libcxx_headers)
  set(file "${LATHE_LIBCXX_HEADERS}/${name}")
  if(name STREQUAL "__config")
    set(file "${libcxx_config}")
  elseif(name MATCHES "^(__fwd/mdspan[.]h|__mdspan/.*[.]h|__expected/.*[.]h|mdspan|expected)$")
    file(READ "${file}" text)
    string(REPLACE "_LIBCPP_STD_VER >= 23" "_LIBCPP_STD_VER >= 20" text "${text}")
    if(name MATCHES "mdspan")
      string(REPLACE "_LIBCPP_STD_VER >= 26" "_LIBCPP_STD_VER >= 20" text "${text}")
      string(REPLACE "${mdspan_members}" "${mdspan_members}${mdspan_call}" text "${text}")
    endif()
    set(file "${CMAKE_CURRENT_BINARY_DIR}/libcxx/${name}")
    file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT "${text}")
  endif()
  list(APPEND archived "v1/${name}\t${file}")
endforeach()
if(libcxx_headers)
  list(APPEND archived "v1/__config_site\t${CMAKE_CURRENT_SOURCE_DIR}/std/__config_site")
endif()
# Clang's own, for host sources of programs: what C needs everywhere, and the intrinsics of the build machine's processors.
set(clang_resource_headers "${LATHE_CLANG_HEADERS}")
file(GLOB found RELATIVE "${clang_resource_headers}" "${clang_resource_headers}/*.h")
list(SORT found)
set(clang_standard "^(__(float|stdarg|stddef)_.*|builtins|float|inttypes|iso646|limits|std[a-z]*|tgmath|unwind|varargs)[.]h$")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(clang_machine "(intrin|^__wmmintrin_[a-z]+|^mm3dnow|^mm_malloc|^cpuid|^cet)[.]h$")
  set(clang_without "^(armintr|arm64intr|intrin|gpuintrin|nvptxintrin|spirvintrin|amdgpuintrin|velintrin|riscv.*|lasxintrin|lsxintrin|larchintrin|s390intrin|vecintrin|htmintrin|htmxlintrin|arm_.*)[.]h$")
else()
  set(clang_machine "^arm_.*[.]h$")
  set(clang_without "^$")
endif()
foreach(name IN LISTS found)
  if(name MATCHES "${clang_standard}" OR (name MATCHES "${clang_machine}" AND NOT name MATCHES "${clang_without}"))
    list(APPEND archived "clang/include/${name}\t${clang_resource_headers}/${name}")
  endif()
endforeach()
if(NOT found)
  message(STATUS "no headers of Clang in ${clang_resource_headers} (package libclang-common-22-dev): host sources will lack stddef.h and the like")
endif()
list(TRANSFORM archived REPLACE "^[^\t]*\t" "" OUTPUT_VARIABLE archived_files)
list(JOIN archived "\n" archived_list)
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/archived_headers.txt" CONTENT "${archived_list}\n" @ONLY)

set(header_archive "${CMAKE_CURRENT_BINARY_DIR}/headers.archive")
add_custom_command(OUTPUT "${header_archive}"
  COMMAND lathe_header_packer "${header_archive}" "${CMAKE_CURRENT_BINARY_DIR}/archived_headers.txt"
  DEPENDS lathe_header_packer ${archived_files} "${CMAKE_CURRENT_BINARY_DIR}/archived_headers.txt" VERBATIM)
add_custom_target(lathe_header_archive DEPENDS "${header_archive}")
