// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts every allocation of the process, by standing in for malloc, of which operator new is made. Include it in one
// file of a test. Where a sanitizer has taken malloc already, LATHE_COUNTS_ALLOCATIONS is 0.
#pragma once

#include <atomic>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LATHE_COUNTS_ALLOCATIONS 0
#else
#define LATHE_COUNTS_ALLOCATIONS 1

namespace lathe::test {
inline std::atomic<long> allocations = 0;
}

extern "C" void* __libc_malloc(std::size_t);
extern "C" void* __libc_memalign(std::size_t, std::size_t);
// Visible, so that the C++ library's calls come here as well.
extern "C" __attribute__((visibility("default"))) void* malloc(std::size_t bytes) {
  lathe::test::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}
extern "C" __attribute__((visibility("default"))) void* aligned_alloc(std::size_t align, std::size_t bytes) {
  lathe::test::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(align, bytes);
}
#endif
