// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory functions of C's <string.h>, through the compiler's builtins.
#ifndef LATHE_STD_STRING_H
#define LATHE_STD_STRING_H
#include <lathe/device/abi.h>
#include <stddef.h>
extern "C" {
LATHE_INLINE void* memcpy(void* to, const void* from, size_t bytes) noexcept { return __builtin_memcpy(to, from, bytes); }
LATHE_INLINE void* memmove(void* to, const void* from, size_t bytes) noexcept { return __builtin_memmove(to, from, bytes); }
LATHE_INLINE void* memset(void* to, int value, size_t bytes) noexcept { return __builtin_memset(to, value, bytes); }
}
#endif
