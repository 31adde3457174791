// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of C's library that headers of other libraries count on: the function behind assert(), declared anew as libcu++
// does where NDEBUG keeps <assert.h> from it, the rarer integer types, and the infinity of long double.
// RUN: %compile %s -t cuda:sm_90 -DNDEBUG --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.asserts.ptx
// RUN: FileCheck %s < %t.asserts.ptx
// RUN: %compile %s -t cpu -DNDEBUG -o %t.limg
// CHECK: .entry {{.*}}narrow
#include <cassert>
#include <cmath>
#include <cstdint>

extern "C" __host__ __device__ void __assert_fail(const char* text, const char* file, unsigned line,
                                                  const char* function) noexcept __attribute__((__noreturn__));

#define CHECK_INDEX(condition) (condition) ? void(0) : __assert_fail(#condition, __FILE__, __LINE__, __func__)

static_assert(sizeof(std::int_least32_t) == 4 && sizeof(std::uint_least64_t) == 8 && sizeof(std::uint_fast8_t) == 1);

inline __host__ long double most() {
  return HUGE_VALL;
}

template <class Index>
__global__ void narrow(Index* out, const int* in) {
  assert(in[0] >= 0);
  CHECK_INDEX(in[1] < 100);
  out[threadIdx.x] = static_cast<Index>(in[threadIdx.x]);
}

template __global__ void narrow<std::int_least8_t>(std::int_least8_t*, const int*);
