// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts between number types with a rounding mode in their name, and reinterpretations of bits. Conversions to integers
// saturate, as "cvt" of the PTX ISA says; C++'s own cast leaves what does not fit undefined.
#ifndef LATHE_CUDA_CONVERSIONS_H
#define LATHE_CUDA_CONVERSIONS_H

#include <lathe/cuda/math_functions.h>

namespace lathe::detail {
template <class Integer, class Real>
LATHE_INLINE Integer saturated(Real x) {
  constexpr int bits = 8 * sizeof(Integer);
  constexpr bool isSigned = static_cast<Integer>(-1) < 0;
  constexpr Integer topBit = static_cast<Integer>(Integer{1} << (bits - 1));
  constexpr Integer lowest = isSigned ? topBit : 0;
  constexpr Real beyond = static_cast<Real>(Integer{1} << (bits - 2)) * (isSigned ? 2 : 4);
  if (x != x) return sizeof(Real) == 4 && bits == 32 ? 0 : topBit;
  if (x >= beyond) return static_cast<Integer>(~lowest);
  if (x <= static_cast<Real>(lowest)) return lowest;
  return static_cast<Integer>(x);
}
}  // namespace lathe::detail

#define LATHE_CUDA_TO_INTEGER(name, integer, real, f)                                                        \
  LATHE_INLINE integer name##_rn(real x) { return lathe::detail::saturated<integer>(rint##f(x)); }           \
  LATHE_INLINE integer name##_rz(real x) { return lathe::detail::saturated<integer>(x); }                    \
  LATHE_INLINE integer name##_ru(real x) { return lathe::detail::saturated<integer>(ceil##f(x)); }           \
  LATHE_INLINE integer name##_rd(real x) { return lathe::detail::saturated<integer>(floor##f(x)); }
LATHE_CUDA_TO_INTEGER(__float2int, int, float, f)
LATHE_CUDA_TO_INTEGER(__float2uint, unsigned, float, f)
LATHE_CUDA_TO_INTEGER(__float2ll, long long, float, f)
LATHE_CUDA_TO_INTEGER(__float2ull, unsigned long long, float, f)
LATHE_CUDA_TO_INTEGER(__double2int, int, double, )
LATHE_CUDA_TO_INTEGER(__double2uint, unsigned, double, )
LATHE_CUDA_TO_INTEGER(__double2ll, long long, double, )
LATHE_CUDA_TO_INTEGER(__double2ull, unsigned long long, double, )
#undef LATHE_CUDA_TO_INTEGER

#define LATHE_CUDA_CONVERT(name, to, from) \
  LATHE_INLINE to name(from x) { return static_cast<to>(x); }
LATHE_CUDA_CONVERT(__int2float_rn, float, int)
LATHE_CUDA_CONVERT(__uint2float_rn, float, unsigned)
LATHE_CUDA_CONVERT(__ll2float_rn, float, long long)
LATHE_CUDA_CONVERT(__ull2float_rn, float, unsigned long long)
LATHE_CUDA_CONVERT(__int2double_rn, double, int)
LATHE_CUDA_CONVERT(__uint2double_rn, double, unsigned)
LATHE_CUDA_CONVERT(__ll2double_rn, double, long long)
LATHE_CUDA_CONVERT(__ull2double_rn, double, unsigned long long)
LATHE_CUDA_CONVERT(__double2float_rn, float, double)
#undef LATHE_CUDA_CONVERT

#define LATHE_CUDA_REINTERPRET(name, to, from) \
  LATHE_INLINE to name(from x) { return __builtin_bit_cast(to, x); }
LATHE_CUDA_REINTERPRET(__float_as_int, int, float)
LATHE_CUDA_REINTERPRET(__int_as_float, float, int)
LATHE_CUDA_REINTERPRET(__float_as_uint, unsigned, float)
LATHE_CUDA_REINTERPRET(__uint_as_float, float, unsigned)
LATHE_CUDA_REINTERPRET(__double_as_longlong, long long, double)
LATHE_CUDA_REINTERPRET(__longlong_as_double, double, long long)
#undef LATHE_CUDA_REINTERPRET

LATHE_INLINE int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
LATHE_INLINE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
LATHE_INLINE double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

#endif
