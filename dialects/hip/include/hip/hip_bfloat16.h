// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hip_bfloat16, the older type of HIP: the bits, which arithmetic widens to float.
#ifndef LATHE_HIP_BFLOAT16_H
#define LATHE_HIP_BFLOAT16_H

#include <hip/hip_bf16.h>

struct hip_bfloat16 {
  unsigned short data;

  enum truncate_t { truncate };
  hip_bfloat16() = default;
  LATHE_CUDA_BOTH explicit hip_bfloat16(float x) : data(lathe::detail::roundToBfloat(x).bits) {}
  LATHE_CUDA_BOTH explicit hip_bfloat16(float x, truncate_t)
      : data(static_cast<unsigned short>(__builtin_bit_cast(unsigned, x) >> 16)) {}
  LATHE_CUDA_BOTH static hip_bfloat16 round_to_bfloat16(float x) { return hip_bfloat16(x); }
  LATHE_CUDA_BOTH static hip_bfloat16 round_to_bfloat16(float x, truncate_t) { return hip_bfloat16(x, truncate); }
  LATHE_CUDA_BOTH operator float() const { return lathe::detail::widened({data}); }
  LATHE_CUDA_BOTH hip_bfloat16& operator=(float x) {
    data = lathe::detail::roundToBfloat(x).bits;
    return *this;
  }
  LATHE_CUDA_BOTH explicit operator bool() const { return (data & 0x7fff) != 0; }
};

#define LATHE_HIP_OPERATOR(op)                                                       \
  LATHE_CUDA_BOTH hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {         \
    return hip_bfloat16(static_cast<float>(a) op static_cast<float>(b));             \
  }                                                                                  \
  LATHE_CUDA_BOTH hip_bfloat16& operator op## = (hip_bfloat16 & a, hip_bfloat16 b) { \
    return a = a op b;                                                               \
  }
LATHE_HIP_OPERATOR(+)
LATHE_HIP_OPERATOR(-)
LATHE_HIP_OPERATOR(*)
LATHE_HIP_OPERATOR(/)
#undef LATHE_HIP_OPERATOR
LATHE_CUDA_BOTH hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}
#define LATHE_HIP_OPERATOR(op)                                       \
  LATHE_CUDA_BOTH bool operator op(hip_bfloat16 a, hip_bfloat16 b) { \
    return static_cast<float>(a) op static_cast<float>(b);           \
  }
LATHE_HIP_OPERATOR(==)
LATHE_HIP_OPERATOR(!=)
LATHE_HIP_OPERATOR(<)
LATHE_HIP_OPERATOR(<=)
LATHE_HIP_OPERATOR(>)
LATHE_HIP_OPERATOR(>=)
#undef LATHE_HIP_OPERATOR

#endif
