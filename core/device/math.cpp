// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics for every target: math.def's `own` functions, made of the others. Stage `libraries` links one where the
// target's mathematical library has none, or a worse one. It is compiled once, for no target, and knows no tables:
// numbers stand in the code. What floats gain by double's digits is computed in double.
#include <lathe/device/math.h>

#define LATHE_INLINED extern "C" __attribute__((always_inline))

namespace {

template <class T>
constexpr T rootHalf = static_cast<T>(0.70710678118654752440);

/// The first coefficient is that of the highest power.
template <class... Rest>
inline double polynomial(double x, double first, Rest... rest) {
#pragma clang fp contract(fast)
  double out = first;
  ((out = out * x + rest), ...);
  return out;
}

/// A zero of a function as the sum of two numbers, and the distance from it to all of their digits.
struct Zero {
  double high, low;
};
inline double from(double x, Zero zero) {
  return (x - zero.high) - zero.low;
}
/// x² - zero², of a positive x.
inline double between(double x, Zero zero) {
  return from(x, zero) * (x + zero.high);
}

#include "core/device/math_fits.inc"

constexpr double twoOverPi = 0.63661977236758134308, rootOfOneOverPi = 0.56418958354775628695;

// Up to 8, Bessel functions are their zeros' factors times a fitted polynomial; beyond, cosine and sine of x times
// fitted amplitudes (NIST's Digital Library of Mathematical Functions, 10.17). Y's logarithm is taken apart from the
// rest (10.8).
inline double nearJ0(double x) {
  return between(x, j0Zero1) * between(x, j0Zero2) * between(x, j0Zero3) * j0Near(x * x / 32 - 1);
}
inline double nearJ1(double x) {
  const double size = fabs(x);
  return x * between(size, j1Zero1) * between(size, j1Zero2) * between(size, j1Zero3) * j1Near(x * x / 32 - 1);
}
struct Far {
  double j, y;
};
/// `a` and `b`: cosine and sine of x - (2 order + 1) pi / 4, times the root of 2.
inline Far far(double x, double p, double q, double a, double b) {
  const double scale = rootOfOneOverPi / sqrt(x), qx = q / x;
  return {(p * a - qx * b) * scale, (p * b + qx * a) * scale};
}
inline Far far0(double x) {
  const double s = sin(x), c = cos(x), u = 128 / (x * x) - 1;
  return far(x, p0(u), q0(u), c + s, s - c);
}
inline Far far1(double x) {
  const double s = sin(x), c = cos(x), u = 128 / (x * x) - 1;
  return far(x, p1(u), q1(u), s - c, -(s + c));
}

double besselJ0(double x) {
  x = fabs(x);
  if (x < 8) return nearJ0(x);
  return __builtin_isinf(x) ? 0 : far0(x).j;
}
double besselJ1(double x) {
  const double size = fabs(x);
  if (size < 8) return nearJ1(x);
  return __builtin_isinf(x) ? 0 : copysign(1, x) * far1(size).j;
}
double besselY0(double x) {
  if (!(x > 0)) return x == 0 ? -__builtin_huge_val() : __builtin_nan("");
  if (x >= 8) return __builtin_isinf(x) ? 0 : far0(x).y;
  if (x >= 2) return from(x, y0Zero2) * from(x, y0Zero3) * y0Middle((x - 5) / 3);
  const double away = from(x, y0Zero1);
  const double logarithm = fabs(away) < 0.25 ? log1p(away / y0Zero1.high) : log(x / y0Zero1.high);
  return twoOverPi * logarithm * nearJ0(x) + between(x, y0Zero1) * y0Small(x * x / 2 - 1);
}
double besselY1(double x) {
  if (!(x > 0)) return x == 0 ? -__builtin_huge_val() : __builtin_nan("");
  if (x >= 8) return __builtin_isinf(x) ? 0 : far1(x).y;
  if (x >= 2) return from(x, y1Zero1) * from(x, y1Zero2) * y1Middle((x - 5) / 3);
  return twoOverPi * (log(x) * nearJ1(x) - 1 / x) + x * y1Small(x * x / 2 - 1);
}

/// Higher orders by the recurrence J(k-1) + J(k+1) = 2k/x J(k): upwards while k is below x; from above there, downwards
/// from an order so high that any start does, scaled afterwards by the larger of J0 and J1 (Miller; DLMF 10.74(iv)).
double besselJn(int order, double x) {
  if (x != x) return x;
  const double sign = (order & 1) && ((order < 0) != (x < 0)) ? -1 : 1;
  const unsigned n = order < 0 ? -static_cast<unsigned>(order) : static_cast<unsigned>(order);
  x = fabs(x);
  if (n == 0) return besselJ0(x);
  if (n == 1) return sign * besselJ1(x);
  if (x == 0 || __builtin_isinf(x)) return 0;
  if (x < 1e-10) {  // the first term of the series
    double term = sign;
    for (unsigned k = 1; k <= n && term != 0; ++k) term *= x / 2 / k;
    return term;
  }
  if (n <= x) {
    double before = besselJ0(x), now = besselJ1(x);
    for (unsigned k = 1; k < n; ++k) {
      const double next = 2.0 * k / x * now - before;
      before = now, now = next;
    }
    return sign * now;
  }
  // Above x, J falls like an Airy function: over 12 n^(1/3) orders by more than all digits.
  unsigned above = 16;
  while (static_cast<double>(above) * above * above < 2000.0 * n) ++above;
  double after = 0, now = 1e-200, wanted = 0;
  for (unsigned k = n + above; k > 0; --k) {
    if (k == n) wanted = now;
    const double next = 2.0 * k / x * now - after;
    after = now, now = next;
    if (fabs(now) > 1e200) now *= 1e-300, after *= 1e-300, wanted *= 1e-300;
  }
  const double j0 = besselJ0(x), j1 = besselJ1(x);
  return sign * wanted * (fabs(j0) > fabs(j1) ? j0 / now : j1 / after);
}
double besselYn(int order, double x) {
  const unsigned n = order < 0 ? -static_cast<unsigned>(order) : static_cast<unsigned>(order);
  const double sign = order < 0 && (order & 1) ? -1 : 1;
  if (n == 0) return besselY0(x);
  double now = besselY1(x);
  if (n > 1 && now - now == 0) {
    double before = besselY0(x);
    for (unsigned k = 1; k < n && !__builtin_isinf(now); ++k) {
      const double next = 2.0 * k / x * now - before;
      before = now, now = next;
    }
  }
  return sign * now;
}

/// exp(x) * y, where exp(x) alone may be too large.
inline double grown(double x, double y) {
  if (x < 700) return exp(x) * y;
  const double half = exp(x / 2);
  return half * y * half;
}
inline double besselI0(double x) {
  x = fabs(x);
  if (x < 8) return i0Near(x * x / 64);
  return __builtin_isinf(x) ? x : grown(x, i0Far(16 / x - 1) / sqrt(x));
}
inline double besselI1(double x) {
  const double size = fabs(x);
  if (size < 8) return x * i1Near(x * x / 64);
  return __builtin_isinf(x) ? x : copysign(grown(size, i1Far(16 / size - 1) / sqrt(size)), x);
}

/// The inverse of erfc up to 1/2, where its logarithm is nearly a parabola: Newton's method on that, from the first
/// term of the asymptotic series, doubles the digits at each step (DLMF 7.12.1, 7.17).
inline double erfcinvTail(double x) {
  if (!(x > 0)) return x == 0 ? __builtin_huge_val() : __builtin_nan("");
  double y = sqrt(-log(x));
  y = y > 1 ? sqrt(-log(x * 1.7724538509055160 * y)) : 0.7;
  for (int i = 0; i < 5; ++i) {
    const double there = erfc(y);
    y += 0.88622692545275801 * exp(y * y) * there * log(there / x);
  }
  return y;
}
/// The inverse of erf up to 1/2: Giles's approximation ("Approximating the erfinv function", 2011) and two steps of
/// Newton's method.
inline double erfinvMiddle(double x) {
  const double v = -log((1 - x) * (1 + x)) - 2.5;
  double y = x * polynomial(v, 2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                            -0.00125372503, -0.00417768164, 0.246640727, 1.50140941);
  for (int i = 0; i < 2; ++i) y -= (erf(y) - x) * 0.88622692545275801 * exp(y * y);
  return y;
}
inline double inverseErf(double x) {
  return fabs(x) <= 0.5 ? erfinvMiddle(x) : copysign(erfcinvTail(1 - fabs(x)), x);
}
// All differences are exact.
inline double inverseErfc(double x) {
  if (x < 0.5) return erfcinvTail(x);
  return x > 1.5 ? -erfcinvTail(2 - x) : erfinvMiddle(1 - x);
}
inline double inverseNormal(double x) {
  return -1.4142135623730951 * inverseErfc(2 * x);
}
/// The square with what its rounding lost; beyond 25 the asymptotic series.
inline double scaledErfc(double x) {
  if (x < 25) {
    const double square = x * x, lost = fma(x, x, -square), out = exp(square) * erfc(x);
    return __builtin_isinf(out) ? out : fma(out, lost, out);
  }
  const double s = 1 / (x * x);
  return 0.56418958354775629 / x * polynomial(s, -1055.7421875, 162.421875, -29.53125, 6.5625, -1.875, 0.75, -0.5, 1);
}
/// erfc of x / -sqrt(2), which two numbers give more exactly than one, by erfc's derivative.
template <class T>
inline T normal(T x) {
  const T root = -rootHalf<T>;
  const T rest = static_cast<T>(-0.70710678118654752440 - static_cast<double>(root) + 4.833646656726457e-17);
  const T high = x * root, low = fma(x, rest, fma(x, root, -high));
  const T out = erfc(high), slope = static_cast<T>(1.1283791670955126) * exp(-high * high);
  const T corrected = slope > 0 ? fma(-slope, low, out) : out;
  return corrected < 0 || corrected == 0 ? T(0) : corrected / 2;  // where `out` is 0, the correction has either sign
}

/// The gamma function by its recurrence from between 1 and 2, where its reciprocal is fitted: the factors are exact,
/// but for those that round once beside zero, and what the product rounds off is carried along. Beyond 128 the product
/// is scaled, since it is larger than what comes of it, and of negative arguments its reciprocal may be subnormal.
inline double gammaOf(double x) {
  const double whole = floor(x), scale = fabs(x) > 128 ? 0x1p-256 : 1;
  if (x != x || (x < 0 && x == whole)) return __builtin_nan("");
  if (x == 0) return 1 / x;
  if (x > 172) return __builtin_huge_val();
  if (x < -186) return floor(whole / 2) * 2 == whole ? 0.0 : -0.0;
  double product = scale, lost = 0;
  const auto multiply = [&](double factor) {
    const double next = product * factor;
    lost = fma(lost, factor, fma(product, factor, -next));
    product = next;
  };
  const double rest = reciprocalGamma(2 * (x - whole) - 1);
  if (whole > 0) {
    for (double k = 1; k < whole; ++k) multiply(x - k);
    return (product + lost) / rest / scale;
  }
  for (double k = 0; k >= whole; --k) multiply(x - k);
  return scale / ((product + lost) * rest);
}

/// The angle of (x, y) by the arc tangent of the smaller of the two over the larger. Pi's digits beyond those of T keep
/// what is subtracted from it exact.
template <class T>
inline T angleOf(T y, T x) {
  if (x != x || y != y) return x + y;
  constexpr double piHigh = 3.14159265358979323846, piLow = 1.2246467991473531772e-16;
  const T high = static_cast<T>(piHigh), low = static_cast<T>(piHigh - static_cast<double>(high) + piLow);
  const T across = fabs(x), up = fabs(y), least = fmin(across, up), most = fmax(across, up);
  T out = most == 0 ? T(0) : atan(least == most ? T(1) : least / most);
  if (up > across) out = high / 2 - (out - low / 2);
  if (copysign(T(1), x) < 0) out = high - (out - low);
  return copysign(out, y);
}

/// Reduced to the nearest quarter of pi's multiples before pi comes in: every step up to there is exact.
template <class T>
struct Quarter {
  T sine, cosine, quadrant;
  bool swapped;
};
template <class T>
inline Quarter<T> quarterOf(T x) {
  x -= 2 * trunc(x / 2);  // twice the largest numbers is too large
  const T halves = rint(2 * x);
  const T angle = fma(halves, static_cast<T>(-0.5), x) * static_cast<T>(3.14159265358979323846);
  const T quadrant = halves - 4 * floor(halves / 4);
  return {sin(angle), cos(angle), quadrant, quadrant == 1 || quadrant == 3};
}
// Zeros of the sine have the argument's sign, those of the cosine are positive (IEEE 754-2019, 9.2, sinPi and cosPi).
template <class T>
inline T sineOfPi(T x) {
  const Quarter<T> q = quarterOf(x);
  const T sine = copysign(T(1), static_cast<T>(1.5) - q.quadrant) * (q.swapped ? q.cosine : q.sine);
  return sine == 0 ? copysign(T(0), x) : sine;
}
template <class T>
inline T cosineOfPi(T x) {
  const Quarter<T> q = quarterOf(x);
  const T cosine = copysign(T(1), fabs(q.quadrant - static_cast<T>(1.5)) - 1) * (q.swapped ? q.sine : q.cosine);
  return cosine == 0 ? T(0) : cosine;
}

/// One step of Newton's method makes up for what the root and the division lost.
template <class T>
inline T reciprocalCubeRoot(T x) {
  const T r = 1 / cbrt(x), rest = fma(-(x * r), r * r, T(1));
  return rest == rest ? fma(r, rest / 3, r) : r;
}

template <class T>
inline T length(T x, T y, T z) {
  return hypot(hypot(x, y), z);
}
template <class T>
inline T length(T x, T y, T z, T w) {
  return hypot(hypot(x, y), hypot(z, w));
}

}  // namespace

// Each in both precisions: from an expression of T, or from one of doubles.
#define LATHE_BOTH(name, parameters32, parameters64, ...)   \
  LATHE_INLINED float __lathe_math_##name##f parameters32 { \
    using T = float;                                        \
    return static_cast<T>(__VA_ARGS__);                     \
  }                                                         \
  LATHE_INLINED double __lathe_math_##name parameters64 {   \
    using T = double;                                       \
    return static_cast<T>(__VA_ARGS__);                     \
  }
#define LATHE_UNARY(name, ...) LATHE_BOTH(name, (float x), (double x), __VA_ARGS__)
LATHE_UNARY(cospi, cosineOfPi<T>(x))
LATHE_UNARY(cyl_bessel_i0, besselI0(x))
LATHE_UNARY(cyl_bessel_i1, besselI1(x))
LATHE_UNARY(erfcinv, inverseErfc(x))
LATHE_UNARY(erfcx, scaledErfc(x))
LATHE_UNARY(erfinv, inverseErf(x))
LATHE_UNARY(logb, logb(static_cast<double>(x)))
LATHE_UNARY(normcdf, normal<T>(x))
LATHE_UNARY(normcdfinv, inverseNormal(x))
LATHE_UNARY(rcbrt, reciprocalCubeRoot(x))
LATHE_UNARY(rsqrt, 1 / sqrt(x))
LATHE_UNARY(sinpi, sineOfPi<T>(x))
LATHE_BOTH(atan2, (float y, float x), (double y, double x), angleOf<T>(y, x))
LATHE_BOTH(rhypot, (float x, float y), (double x, double y), 1 / hypot(x, y))
LATHE_BOTH(norm3d, (float x, float y, float z), (double x, double y, double z), length(x, y, z))
LATHE_BOTH(rnorm3d, (float x, float y, float z), (double x, double y, double z), 1 / length(x, y, z))
LATHE_BOTH(norm4d, (float x, float y, float z, float w), (double x, double y, double z, double w), length(x, y, z, w))
LATHE_BOTH(rnorm4d, (float x, float y, float z, float w), (double x, double y, double z, double w),
           1 / length(x, y, z, w))
LATHE_BOTH(scalbn, (float x, int n), (double x, int n), __builtin_elementwise_ldexp(x, n))
// An exponent has more digits than a float.
LATHE_BOTH(powi, (float x, int n), (double x, int n), pow(static_cast<double>(x), static_cast<double>(n)))

// Too long to be part of every caller.
#undef LATHE_INLINED
#define LATHE_INLINED extern "C"
LATHE_UNARY(tgamma, gammaOf(x))
LATHE_UNARY(j0, besselJ0(x))
LATHE_UNARY(j1, besselJ1(x))
LATHE_UNARY(y0, besselY0(x))
LATHE_UNARY(y1, besselY1(x))
LATHE_BOTH(jn, (int n, float x), (int n, double x), besselJn(n, x))
LATHE_BOTH(yn, (int n, float x), (int n, double x), besselYn(n, x))
