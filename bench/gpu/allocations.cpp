// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interposed allocation functions over glibc's own (its manual, "Replacing malloc"). free() needs no counting and
// stays.
#include "allocations.h"

#include <cerrno>
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t align, std::size_t size);
}

namespace {
constinit thread_local std::uint64_t allocations = 0;
}

namespace lathe::bench {
std::uint64_t allocationCount() noexcept {
  return allocations;
}
}  // namespace lathe::bench

extern "C" {

__attribute__((visibility("default"))) void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
__attribute__((visibility("default"))) void* realloc(void* block, std::size_t size) noexcept {
  ++allocations;
  return __libc_realloc(block, size);
}
__attribute__((visibility("default"))) void* memalign(std::size_t align, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(align, size);
}
__attribute__((visibility("default"))) void* aligned_alloc(std::size_t align, std::size_t size) noexcept {
  return memalign(align, size);
}
__attribute__((visibility("default"))) int posix_memalign(void** out, std::size_t align, std::size_t size) noexcept {
  void* const block = memalign(align, size);
  if (!block) return ENOMEM;
  *out = block;
  return 0;
}

}  // extern "C"
