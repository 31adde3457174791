// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts between number types with a rounding mode in their name, and reinterpretations of bits. Conversions to integers
// saturate, as "cvt" of the PTX ISA says; C++'s own cast leaves what does not fit undefined. With PTX, each conversion
// is that instruction.
#ifndef LATHE_CUDA_CONVERSIONS_H
#define LATHE_CUDA_CONVERSIONS_H

#include <lathe/cuda/math_functions.h>

#pragma clang attribute push(__attribute__((annotate("lathe.exact"))), apply_to = function)

// `lowest` and `highest` of the integer; `beyond`, the power of two above; `invalid`, for what is not a number. No
// template: a call from a function parsed here would instantiate it in every compile.
#define LATHE_CUDA_TO_INTEGER(name, builtin, integer, real, f, lowest, highest, beyond, invalid)      \
  LATHE_INLINE integer name##_rz(real x) {                                                            \
    if (__lathe_target_is("cuda")) return static_cast<integer>(builtin##_rz(x));                      \
    return x != x ? invalid : x >= beyond ? highest : x <= lowest ? lowest : static_cast<integer>(x); \
  }                                                                                                   \
  LATHE_INLINE integer name##_rn(real x) {                                                            \
    if (__lathe_target_is("cuda")) return static_cast<integer>(builtin##_rn(x));                      \
    return name##_rz(rint##f(x));                                                                     \
  }                                                                                                   \
  LATHE_INLINE integer name##_ru(real x) {                                                            \
    if (__lathe_target_is("cuda")) return static_cast<integer>(builtin##_rp(x));                      \
    return name##_rz(ceil##f(x));                                                                     \
  }                                                                                                   \
  LATHE_INLINE integer name##_rd(real x) {                                                            \
    if (__lathe_target_is("cuda")) return static_cast<integer>(builtin##_rm(x));                      \
    return name##_rz(floor##f(x));                                                                    \
  }
#define LATHE_CUDA_LOWEST_INT (-__INT_MAX__ - 1)
#define LATHE_CUDA_LOWEST_LL (-__LONG_LONG_MAX__ - 1)
LATHE_CUDA_TO_INTEGER(__float2int, __nvvm_f2i, int, float, f, LATHE_CUDA_LOWEST_INT, __INT_MAX__, 0x1p31f, 0)
LATHE_CUDA_TO_INTEGER(__float2uint, __nvvm_f2ui, unsigned, float, f, 0u, ~0u, 0x1p32f, 0u)
LATHE_CUDA_TO_INTEGER(__float2ll, __nvvm_f2ll, long long, float, f, LATHE_CUDA_LOWEST_LL, __LONG_LONG_MAX__, 0x1p63f,
                      LATHE_CUDA_LOWEST_LL)
LATHE_CUDA_TO_INTEGER(__float2ull, __nvvm_f2ull, unsigned long long, float, f, 0ull, ~0ull, 0x1p64f, 1ull << 63)
LATHE_CUDA_TO_INTEGER(__double2int, __nvvm_d2i, int, double, , LATHE_CUDA_LOWEST_INT, __INT_MAX__, 0x1p31,
                      LATHE_CUDA_LOWEST_INT)
LATHE_CUDA_TO_INTEGER(__double2uint, __nvvm_d2ui, unsigned, double, , 0u, ~0u, 0x1p32, 1u << 31)
LATHE_CUDA_TO_INTEGER(__double2ll, __nvvm_d2ll, long long, double, , LATHE_CUDA_LOWEST_LL, __LONG_LONG_MAX__, 0x1p63,
                      LATHE_CUDA_LOWEST_LL)
LATHE_CUDA_TO_INTEGER(__double2ull, __nvvm_d2ull, unsigned long long, double, , 0ull, ~0ull, 0x1p64, 1ull << 63)
#undef LATHE_CUDA_TO_INTEGER
#undef LATHE_CUDA_LOWEST_INT
#undef LATHE_CUDA_LOWEST_LL

#define LATHE_CUDA_CONVERT(name, to, from) \
  LATHE_INLINE to name(from x) {           \
    return static_cast<to>(x);             \
  }
LATHE_CUDA_CONVERT(__int2float_rn, float, int)
LATHE_CUDA_CONVERT(__uint2float_rn, float, unsigned)
LATHE_CUDA_CONVERT(__ll2float_rn, float, long long)
LATHE_CUDA_CONVERT(__ull2float_rn, float, unsigned long long)
LATHE_CUDA_CONVERT(__int2double_rn, double, int)
LATHE_CUDA_CONVERT(__uint2double_rn, double, unsigned)
LATHE_CUDA_CONVERT(__ll2double_rn, double, long long)
LATHE_CUDA_CONVERT(__ull2double_rn, double, unsigned long long)
LATHE_CUDA_CONVERT(__double2float_rn, float, double)

// Every 32-bit integer is a double; the other directions of rounding take a step where nearest went the wrong way.
#define LATHE_CUDA_DIRECTED(name, builtin, to, from, f)                                  \
  LATHE_INLINE to name##_rz(from x) {                                                    \
    if (__lathe_target_is("cuda")) return builtin##_rz(x);                               \
    const to y = static_cast<to>(x);                                                     \
    return LATHE_CUDA_BEYOND(from, y, x) ? nextafter##f(y, 0) : y;                       \
  }                                                                                      \
  LATHE_INLINE to name##_rd(from x) {                                                    \
    if (__lathe_target_is("cuda")) return builtin##_rm(x);                               \
    const to y = static_cast<to>(x);                                                     \
    return LATHE_CUDA_ABOVE(from, y, x) ? nextafter##f(y, -__builtin_huge_val##f()) : y; \
  }                                                                                      \
  LATHE_INLINE to name##_ru(from x) {                                                    \
    if (__lathe_target_is("cuda")) return builtin##_rp(x);                               \
    const to y = static_cast<to>(x);                                                     \
    return LATHE_CUDA_ABOVE(from, x, y) ? nextafter##f(y, __builtin_huge_val##f()) : y;  \
  }
// Exact in a type that holds both sides.
#define LATHE_CUDA_ABOVE(from, a, b) (static_cast<double>(a) > static_cast<double>(b))
#define LATHE_CUDA_BEYOND(from, y, x) (fabs(static_cast<double>(y)) > fabs(static_cast<double>(x)))
LATHE_CUDA_DIRECTED(__int2float, __nvvm_i2f, float, int, f)
LATHE_CUDA_DIRECTED(__uint2float, __nvvm_ui2f, float, unsigned, f)
LATHE_CUDA_DIRECTED(__double2float, __nvvm_d2f, float, double, f)
#undef LATHE_CUDA_ABOVE
#undef LATHE_CUDA_BEYOND
#undef LATHE_CUDA_DIRECTED
#undef LATHE_CUDA_CONVERT

/// The highest `digits` binary digits of x.
LATHE_INLINE unsigned long long __lathe_cuda_leading(unsigned long long x, int digits) {
  const int dropped = 64 - __builtin_clzg(x, 64) - digits;
  return dropped > 0 ? x >> dropped << dropped : x;
}
#define LATHE_CUDA_LONG(name, builtin, to, f, from, digits)                                                           \
  LATHE_INLINE to name##_rz(from x) {                                                                                 \
    if (__lathe_target_is("cuda")) return builtin##_rz(x);                                                            \
    const bool negative = x < static_cast<from>(0);                                                                   \
    const auto magnitude = negative ? 0ull - static_cast<unsigned long long>(x) : static_cast<unsigned long long>(x); \
    const to y = static_cast<to>(__lathe_cuda_leading(magnitude, digits));                                            \
    return negative ? -y : y;                                                                                         \
  }                                                                                                                   \
  LATHE_INLINE to name##_rd(from x) {                                                                                 \
    if (__lathe_target_is("cuda")) return builtin##_rm(x);                                                            \
    const auto magnitude = 0ull - static_cast<unsigned long long>(x);                                                 \
    const bool away = x < static_cast<from>(0) && __lathe_cuda_leading(magnitude, digits) != magnitude;               \
    return away ? nextafter##f(name##_rz(x), -__builtin_huge_val##f()) : name##_rz(x);                                \
  }                                                                                                                   \
  LATHE_INLINE to name##_ru(from x) {                                                                                 \
    if (__lathe_target_is("cuda")) return builtin##_rp(x);                                                            \
    const auto magnitude = static_cast<unsigned long long>(x);                                                        \
    const bool away = x > static_cast<from>(0) && __lathe_cuda_leading(magnitude, digits) != magnitude;               \
    return away ? nextafter##f(name##_rz(x), __builtin_huge_val##f()) : name##_rz(x);                                 \
  }
LATHE_CUDA_LONG(__ll2float, __nvvm_ll2f, float, f, long long, 24)
LATHE_CUDA_LONG(__ull2float, __nvvm_ull2f, float, f, unsigned long long, 24)
LATHE_CUDA_LONG(__ll2double, __nvvm_ll2d, double, , long long, 53)
LATHE_CUDA_LONG(__ull2double, __nvvm_ull2d, double, , unsigned long long, 53)
#undef LATHE_CUDA_LONG

#define LATHE_CUDA_REINTERPRET(name, to, from) \
  LATHE_INLINE to name(from x) {               \
    return __builtin_bit_cast(to, x);          \
  }
LATHE_CUDA_REINTERPRET(__float_as_int, int, float)
LATHE_CUDA_REINTERPRET(__int_as_float, float, int)
LATHE_CUDA_REINTERPRET(__float_as_uint, unsigned, float)
LATHE_CUDA_REINTERPRET(__uint_as_float, float, unsigned)
LATHE_CUDA_REINTERPRET(__double_as_longlong, long long, double)
LATHE_CUDA_REINTERPRET(__longlong_as_double, double, long long)
#undef LATHE_CUDA_REINTERPRET

namespace lathe::detail {
/// A float that rounds on to 16 bits as `x` itself would: where a digit is lost, the last one kept is odd (Boldo and
/// Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
LATHE_CUDA_BOTH float roundedToOdd(double x) {
  const float nearest = static_cast<float>(x);
  if (static_cast<double>(nearest) == x) return nearest;
  const bool beyond = __builtin_fabs(static_cast<double>(nearest)) > __builtin_fabs(x);
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, nearest) - (beyond ? 1u : 0u)) | 1u);
}
LATHE_CUDA_BOTH float roundedToOdd(float x) {
  return x;
}
/// The same of x y + z, where a double holds the product.
LATHE_CUDA_BOTH float fusedToOdd(float x, float y, float z) {
  _Pragma("clang fp contract(off) reassociate(off)") const double product = static_cast<double>(x) * y;
  const double sum = product + z, part = sum - product, rest = (product - (sum - part)) + (z - part);
  const auto bits = __builtin_bit_cast(unsigned long long, sum);
  const bool lost = (rest < 0 || rest > 0) && !(bits & 1);
  return roundedToOdd(__builtin_bit_cast(double, lost ? bits + ((rest > 0) == (sum > 0) ? 1 : -1ll) : bits));
}
/// Digits that no 16-bit type has become one, so that a double holds the rest.
LATHE_CUDA_BOTH float roundedToOdd(long long x) {
  const bool large = x >= 1ll << 48 || x <= -(1ll << 48);
  return roundedToOdd(static_cast<double>(large ? x >> 16 << 16 | ((x & 0xffff) != 0 ? 0x10000 : 0) : x));
}
LATHE_CUDA_BOTH float roundedToOdd(unsigned long long x) {
  const bool large = x >= 1ull << 48;
  return roundedToOdd(static_cast<double>(large ? x >> 16 << 16 | ((x & 0xffff) != 0 ? 0x10000 : 0) : x));
}
template <class Number>
LATHE_CUDA_BOTH float roundedToOdd(Number x) {
  if (sizeof(Number) < 4) return static_cast<float>(x);
  if (sizeof(Number) == 4) return roundedToOdd(static_cast<double>(x));
  return static_cast<Number>(-1) < 0 ? roundedToOdd(static_cast<long long>(x))
                                     : roundedToOdd(static_cast<unsigned long long>(x));
}
}  // namespace lathe::detail

LATHE_INLINE int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
LATHE_INLINE int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
LATHE_INLINE double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

#pragma clang attribute pop

#endif
