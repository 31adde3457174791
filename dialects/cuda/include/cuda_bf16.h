// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16: the upper half of a float.
#ifndef LATHE_CUDA_BF16_H
#define LATHE_CUDA_BF16_H

#include <lathe/cuda/prelude.h>
#include <lathe/device/atomic.h>

namespace lathe::detail {
/// A bfloat16 as bits: a compiler's that is merely moved goes through an instruction that flushes what is subnormal on
/// x86, and does not exist in SPIR-V.
struct BfloatBits {
  unsigned short bits;
};
/// To nearest, ties to even. A target without an instruction for it would call a function that kernels do not have.
LATHE_CUDA_BOTH BfloatBits roundToBfloat(float x) {
  if (__lathe_target_is("cuda")) return __builtin_bit_cast(BfloatBits, static_cast<__bf16>(x));
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  const unsigned rounded = x != x ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return {static_cast<unsigned short>(rounded)};
}
LATHE_CUDA_BOTH float widened(BfloatBits x) {
  return __builtin_bit_cast(float, static_cast<unsigned>(x.bits) << 16);
}
LATHE_CUDA_BOTH float tangentOfBfloat(float x) {
  if (!__lathe_target_is("cuda") || !__lathe_arch_at_least(75)) return tanhf(x);
  float out;
  asm("tanh.approx.f32 %0, %1;" : "=f"(out) : "f"(x));
  return out;
}
/// The approximate quotient is 0 where the divisor is above 2^126.
LATHE_CUDA_BOTH float quotientOfBfloats(float x, float y) {
  if (!__lathe_target_is("cuda")) return x / y;
  const bool isLarge = __builtin_fabsf(y) >= 0x1p126f;
  const float quarter = y * 0.25f, divisor = isLarge ? quarter : y;
  float quotient;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(quotient) : "f"(x), "f"(divisor));
  const float part = quotient * 0.25f;
  return isLarge ? part : quotient;
}
}  // namespace lathe::detail

#define LATHE_SMALL __nv_bfloat16
#define LATHE_SMALL2 __nv_bfloat162
#define LATHE_SMALL_HOST "lathe.bfloat16"
#define LATHE_SMALL_NATIVE lathe::detail::BfloatBits
#define LATHE_SMALL_COMPUTE __bf16
#define LATHE_SMALL_PAIR lathe::bf16x2
#define LATHE_SMALL_ROUND(x) lathe::detail::roundToBfloat(x)
#define LATHE_SMALL_WIDEN(x) lathe::detail::widened(x)
#define LATHE_SMALL_DIRECT __lathe_target_is("cuda")
#define LATHE_SMALL_QUOTIENT lathe::detail::quotientOfBfloats
#define LATHE_SMALL_TANH lathe::detail::tangentOfBfloat
#define LATHE_SMALL_SINE(x) sinf(x)
#define LATHE_SMALL_COSINE(x) cosf(x)
#define LATHE_SMALL_PTX "bf16"
// The assembler takes no larger register for it.
#define LATHE_SMALL_TO_BYTE(type) \
  "{ .reg .b8 byte; .reg .b16 low; cvt.rzi." type ".bf16 byte, %1; mov.b16 low, {byte, 0}; cvt.u32.u16 %0, low; }"
#define LATHE_SMALL_CONVERTED_SINCE 90
#define LATHE_SMALL_FROM_DOUBLE_SINCE 1000  // the instruction, seen on an H200, rounds twice
#define LATHE_SMALL_SATURATED_SINCE 1000
#define LATHE_SMALL_FLUSHES ""
#define LATHE_SMALL_NAME bfloat16
#define LATHE_SMALL_NAME2 bfloat162
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define LATHE_SMALL_NO_CONVERSIONS
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define LATHE_SMALL_NO_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define LATHE_SMALL_NO_PAIR_OPERATORS
#endif
#include <lathe/cuda/small_float.inc>

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define __CUDA_BF16_TYPES_EXIST__
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#endif
