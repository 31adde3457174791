// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the floating-point types of 4, 6 and 8 bits share: rounding to them, and their conversions to other types.
#ifndef LATHE_CUDA_NARROW_FLOAT_H
#define LATHE_CUDA_NARROW_FLOAT_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace lathe::detail {

/// Rounds to nearest even, to a sign, an exponent with `bias` and `mantissa` bits in the low ones of a byte. What is
/// beyond the code `largest` becomes that, or `beyond`; what is not a number the code 0x7f. The sum with a large power
/// of two rounds what is below the smallest normal number; above, half of the digits' last place is added to the bits.
LATHE_CUDA_BOTH unsigned char toNarrow(float x, int mantissa, int bias, unsigned largest, unsigned beyond,
                                       unsigned signBit = 0x80) {
  const unsigned bits = __builtin_bit_cast(unsigned, x), sign = bits >> 31 ? signBit : 0, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7f;
  const unsigned smallest = static_cast<unsigned>(128 - bias) << 23;
  const unsigned shifter = static_cast<unsigned>(128 - bias + 23 - mantissa) << 23;
  const float sum = __builtin_bit_cast(float, magnitude) + __builtin_bit_cast(float, shifter);
  const int dropped = 23 - mantissa;
  const unsigned rounded = magnitude + (1u << (dropped - 1)) - 1 + (magnitude >> dropped & 1);
  const unsigned code = magnitude < smallest ? __builtin_bit_cast(unsigned, sum) - shifter
                                             : (rounded >> dropped) - (static_cast<unsigned>(127 - bias) << mantissa);
  return static_cast<unsigned char>(sign | (code > largest ? beyond : code));
}

/// To integers, rounded toward zero and saturated; what is not a number becomes 0.
template <class T>
LATHE_CUDA_BOTH T toInteger(__half x) {
  if constexpr (sizeof(T) < 4) return static_cast<T>(x);
  else if constexpr (sizeof(T) == 4 && static_cast<T>(-1) < static_cast<T>(0)) return static_cast<T>(__half2int_rz(x));
  else if constexpr (sizeof(T) == 4) return static_cast<T>(__half2uint_rz(x));
  else if constexpr (static_cast<T>(-1) < static_cast<T>(0)) return static_cast<T>(__half2ll_rz(x));
  else return static_cast<T>(__half2ull_rz(x));
}

}  // namespace lathe::detail

// The members that every such type has beside its conversion to half: to other numbers, and to true where the bits of
// `magnitude` are not all zero.
#define LATHE_NARROW_CONVERSIONS(magnitude)                                                                    \
  LATHE_CUDA_BOTH explicit operator float() const { return static_cast<float>(static_cast<__half>(*this)); }   \
  LATHE_CUDA_BOTH explicit operator double() const { return static_cast<float>(*this); }                       \
  LATHE_CUDA_BOTH explicit operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); } \
  LATHE_CUDA_BOTH explicit operator bool() const { return (__x & magnitude) != 0; }                            \
  template <class T>                                                                                           \
    requires(__is_integral(T))                                                                                 \
  LATHE_CUDA_BOTH explicit operator T() const {                                                                \
    return lathe::detail::toInteger<T>(static_cast<__half>(*this));                                            \
  }

#endif
