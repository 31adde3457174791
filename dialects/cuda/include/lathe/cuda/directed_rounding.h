// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic rounded down, up and towards zero. NVIDIA's instructions take the mode; elsewhere the result that is
// nearest is corrected by the sign of what it lost. Floats lose nothing in double but for digits that an odd last one
// stands for (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). Doubles are scaled to where
// nothing overflows or underflows, and what is lost is a sum of doubles (Knuth's sum, fma, Shewchuk's expansions:
// "Adaptive precision floating-point arithmetic", 1997).
#ifndef LATHE_CUDA_DIRECTED_ROUNDING_H
#define LATHE_CUDA_DIRECTED_ROUNDING_H

#include <lathe/cuda/conversions.h>
#include <lathe/cuda/math_functions.h>

#pragma clang attribute push(__attribute__((annotate("lathe.exact"))), apply_to = function)

// A mode is -1 (down), 0 (towards zero) or 1 (up).
namespace lathe::detail {

LATHE_INLINE double sumError(double x, double y, double sum) {
  _Pragma("clang fp contract(off) reassociate(off)") const double z = sum - x;
  return (x - (sum - z)) + (y - z);
}
/// What numbers of two signs that are equal otherwise add up to.
LATHE_INLINE double zeroOfSum(int mode) {
  return mode < 0 ? -0.0 : 0.0;
}
/// `nearest`, of which `lost` is the rest, with an odd last digit unless nothing was lost.
LATHE_INLINE double toOdd(double nearest, double lost) {
  const auto bits = __builtin_bit_cast(unsigned long long, nearest);
  if (!__builtin_isfinite(nearest) || nearest == 0 || !(lost < 0 || lost > 0) || (bits & 1)) return nearest;
  return __builtin_bit_cast(double, bits + ((lost > 0) == (nearest > 0) ? 1ull : ~0ull));
}
LATHE_INLINE float narrowed(double x, int mode) {
  return mode < 0 ? __double2float_rd(x) : mode > 0 ? __double2float_ru(x) : __double2float_rz(x);
}
LATHE_INLINE float directedSum(double x, double y, int mode) {
  _Pragma("clang fp contract(off)") const double sum = x + y;
  if (sum == 0 && (x != 0 || __builtin_signbit(x) != __builtin_signbit(y))) return static_cast<float>(zeroOfSum(mode));
  return narrowed(toOdd(sum, sumError(x, y, sum)), mode);
}
LATHE_INLINE float directedProduct(float x, float y, int mode) {
  return narrowed(static_cast<double>(x) * static_cast<double>(y), mode);
}
LATHE_INLINE float directedFused(float x, float y, float z, int mode) {
  return directedSum(static_cast<double>(x) * static_cast<double>(y), z, mode);
}
LATHE_INLINE float directedQuotient(float x, float y, int mode) {
  const double wideX = x, wideY = y, quotient = wideX / wideY;
  return narrowed(toOdd(quotient, fma(-quotient, wideY, wideX) * copysign(1, wideY)), mode);
}
LATHE_INLINE float directedRoot(float x, int mode) {
  const double root = sqrt(static_cast<double>(x));
  return narrowed(toOdd(root, fma(-root, root, static_cast<double>(x))), mode);
}

/// `nearest` or its neighbour, where `lost` has the sign of what it lacks of the exact result.
LATHE_INLINE double directed(double nearest, double lost, int mode) {
  const double down = mode < 0 ? -__builtin_huge_val() : mode > 0 ? nearest : 0;
  const double up = mode > 0 ? __builtin_huge_val() : mode < 0 ? nearest : 0;
  if (lost < 0 && (mode != 0 || nearest > 0)) return nextafter(nearest, down);
  if (lost > 0 && (mode != 0 || nearest < 0)) return nextafter(nearest, up);
  return nearest;
}
/// What an infinite result of finite operands lost.
LATHE_INLINE double overflowed(double nearest) {
  return nearest > 0 ? -1 : 1;
}
LATHE_INLINE double directedSum64(double x, double y, int mode) {
  _Pragma("clang fp contract(off)") const double sum = x + y;
  if (sum == 0 && (x != 0 || __builtin_signbit(x) != __builtin_signbit(y))) return zeroOfSum(mode);
  if (__builtin_isinf(sum)) {
    return __builtin_isfinite(x) && __builtin_isfinite(y) ? directed(sum, overflowed(sum), mode) : sum;
  }
  return directed(sum, sumError(x, y, sum), mode);
}
LATHE_INLINE double directedProduct64(double x, double y, int mode) {
  _Pragma("clang fp contract(off)") const double product = x * y;
  if (!__builtin_isfinite(x) || !__builtin_isfinite(y)) return product;
  if (__builtin_isinf(product)) return directed(product, overflowed(product), mode);
  int a, b;
  const double m = frexp(x, &a), n = frexp(y, &b);
  return directed(product, fma(m, n, -ldexp(product, -a - b)), mode);
}
LATHE_INLINE double directedQuotient64(double x, double y, int mode) {
  const double quotient = x / y;
  if (!__builtin_isfinite(x) || !__builtin_isfinite(y) || y == 0) return quotient;
  if (__builtin_isinf(quotient)) return directed(quotient, overflowed(quotient), mode);
  int a, b;
  const double m = frexp(x, &a), n = frexp(y, &b);
  return directed(quotient, fma(-ldexp(quotient, b - a), n, m) * copysign(1, n), mode);
}
LATHE_INLINE double directedRoot64(double x, int mode) {
  const double root = sqrt(x);
  if (!__builtin_isfinite(root) || root == 0) return root;
  int a;
  double m = frexp(x, &a);
  if (a & 1) m *= 2, a -= 1;
  const double scaled = ldexp(root, -a / 2);
  return directed(root, fma(-scaled, scaled, m), mode);
}
/// The sign of a + b + c + d.
LATHE_INLINE double signOfSum(double a, double b, double c, double d) {
  double parts[4] = {a, b, c, d};
  for (int count = 1; count < 4; ++count) {
    double carry = parts[count];
    for (int i = 0; i < count; ++i) {
      _Pragma("clang fp contract(off)") const double sum = carry + parts[i];
      parts[i] = sumError(carry, parts[i], sum);
      carry = sum;
    }
    parts[count] = carry;
  }
  return parts[3] != 0 ? parts[3] : parts[2] != 0 ? parts[2] : parts[1] != 0 ? parts[1] : parts[0];
}
LATHE_INLINE double directedFused64(double x, double y, double z, int mode) {
  const double nearest = fma(x, y, z);
  if (!__builtin_isfinite(x) || !__builtin_isfinite(y) || !__builtin_isfinite(z)) return nearest;
  if (__builtin_isinf(nearest)) return directed(nearest, overflowed(nearest), mode);
  if (x == 0 || y == 0 || z == 0) {
    const bool negative = (__builtin_signbit(x) != __builtin_signbit(y)) != 0;
    if (z != 0) return nearest;
    if (x == 0 || y == 0) return negative == (__builtin_signbit(z) != 0) ? nearest : zeroOfSum(mode);
    return directedProduct64(x, y, mode);
  }
  int a, b, c;
  const double m = frexp(x, &a), n = frexp(y, &b), high = m * n, low = fma(m, n, -high);
  frexp(z, &c);
  if (c - (a + b) > 120) return directed(nearest, high, mode);
  const double scaled = ldexp(nearest, -a - b);
  if (c - (a + b) < -220) {
    const double lost = fma(m, n, -scaled);
    return directed(nearest, lost != 0 ? lost : z, mode);
  }
  const double lost = signOfSum(low, high, ldexp(z, -a - b), -scaled);
  return nearest == 0 && lost == 0 ? zeroOfSum(mode) : directed(nearest, lost, mode);
}

}  // namespace lathe::detail

// `elsewhere` is in terms of `mode`; the operands are the instruction's.
#define LATHE_CUDA_OF_MODE(name, instruction, real, c, value, parameters, elsewhere, ...) \
  LATHE_INLINE real name parameters {                                                     \
    if (__lathe_target_is("cuda")) {                                                      \
      real out;                                                                           \
      asm(instruction : "=" c(out) : __VA_ARGS__);                                        \
      return out;                                                                         \
    }                                                                                     \
    constexpr int mode = value;                                                           \
    return elsewhere;                                                                     \
  }
#define LATHE_CUDA_OF_MODES(name, op, type, operands, real, c, parameters, elsewhere, ...)                \
  LATHE_CUDA_OF_MODE(name##_rd, op ".rm." type operands, real, c, -1, parameters, elsewhere, __VA_ARGS__) \
  LATHE_CUDA_OF_MODE(name##_rz, op ".rz." type operands, real, c, 0, parameters, elsewhere, __VA_ARGS__)  \
  LATHE_CUDA_OF_MODE(name##_ru, op ".rp." type operands, real, c, 1, parameters, elsewhere, __VA_ARGS__)
#define LATHE_CUDA_DIRECTED(prefix, real, c, type, fused, sum, product, quotient, root, fusedSum)                      \
  LATHE_CUDA_OF_MODES(prefix##add, "add", type, " %0, %1, %2;", real, c, (real x, real y), sum(x, y, mode), c(x),      \
                      c(y))                                                                                            \
  LATHE_CUDA_OF_MODES(prefix##sub, "sub", type, " %0, %1, %2;", real, c, (real x, real y), sum(x, -y, mode), c(x),     \
                      c(y))                                                                                            \
  LATHE_CUDA_OF_MODES(prefix##mul, "mul", type, " %0, %1, %2;", real, c, (real x, real y), product(x, y, mode), c(x),  \
                      c(y))                                                                                            \
  LATHE_CUDA_OF_MODES(prefix##div, "div", type, " %0, %1, %2;", real, c, (real x, real y), quotient(x, y, mode), c(x), \
                      c(y))                                                                                            \
  LATHE_CUDA_OF_MODES(prefix##rcp, "rcp", type, " %0, %1;", real, c, (real x), quotient(1, x, mode), c(x))             \
  LATHE_CUDA_OF_MODES(prefix##sqrt, "sqrt", type, " %0, %1;", real, c, (real x), root(x, mode), c(x))                  \
  LATHE_CUDA_OF_MODES(fused, "fma", type, " %0, %1, %2, %3;", real, c, (real x, real y, real z),                       \
                      fusedSum(x, y, z, mode), c(x), c(y), c(z))
LATHE_CUDA_DIRECTED(__f, float, "f", "f32", __fmaf, lathe::detail::directedSum, lathe::detail::directedProduct,
                    lathe::detail::directedQuotient, lathe::detail::directedRoot, lathe::detail::directedFused)
LATHE_CUDA_DIRECTED(__d, double, "d", "f64", __fma, lathe::detail::directedSum64, lathe::detail::directedProduct64,
                    lathe::detail::directedQuotient64, lathe::detail::directedRoot64, lathe::detail::directedFused64)
#undef LATHE_CUDA_DIRECTED
#undef LATHE_CUDA_OF_MODES
#undef LATHE_CUDA_OF_MODE
#pragma clang attribute pop

#endif
