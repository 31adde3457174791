// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics of vectors of floats, for machines that fuse multiplications with additions: what the vectoriser calls in
// the place of libm's functions, inlined where it does, so that a loop keeps its values in registers. Errors are at
// most 2 units in the last place, of erfc 4 (tests/accuracy/vector_math_test.cpp); results at the ends of a range are
// those of C's Annex F. Reductions and their names follow Cody and Waite, "Software Manual for the Elementary
// Functions"; the polynomials are vector_math_fits.py's.
extern "C" float sinf(float);
extern "C" float cosf(float);

namespace {

template <int width>
using Floats = float __attribute__((ext_vector_type(width)));
template <int width>
using Ints = int __attribute__((ext_vector_type(width)));

/// The vectors of one width, and what is computed with them. `scales`: the machine has an instruction for 2^n.
template <int width, bool scales>
struct Vectors {
  using F = Floats<width>;
  using I = Ints<width>;

  static I bits(F x) { return __builtin_bit_cast(I, x); }
  static F floats(I x) { return __builtin_bit_cast(F, x); }
  static F fma(F a, F b, F c) { return __builtin_elementwise_fma(a, b, c); }
  /// The first coefficient is that of the highest power.
  template <class... Rest>
  static F polynomial(F x, float first, Rest... rest) {
    F out = first;
    ((out = fma(out, x, F(rest))), ...);
    return out;
  }

  /// `x`, or `most` if that is less, which is above zero. NaN is neither. By integers, as such numbers are in their
  /// order: on some machines the minimum of floats takes far longer (seen on Zen 4).
  static F atMost(F x, float most) {
    const I all = bits(x), limit = bits(F(most));
    return floats(all < limit ? all : limit);
  }

  /// Added to a number below 2^22, this rounds it to an integer, which the sum's low bits are.
  static constexpr float toInteger = 0x1.8p23f;
  static I integer(F sum) { return bits(sum) - bits(F(toInteger)); }

  /// value * 2^n, rounded once. |n| < 252.
  static F scaled(F value, I n) {
    if constexpr (scales) return __builtin_elementwise_ldexp(value, n);
    constexpr int bias = 127, fraction = 23;
    const I half = n >> 1;
    return value * floats((half + bias) << fraction) * floats((n - half + bias) << fraction);
  }

  static constexpr float ln2High = 0x1.62e430p-1f, ln2Low = -0x1.05c610p-29f;

  /// e^x = 2^exponent (1 + more). `near` is x, or what is as good for the exponent.
  struct Power {
    F more;
    I exponent;
  };
  static Power power(F x, F near) {
    constexpr float log2e = 0x1.715476p+0f;
    const F sum = fma(near, F(log2e), F(toInteger)), n = sum - toInteger;
    const F r = fma(n, F(-ln2Low), fma(n, F(-ln2High), x));
    // (e^r - 1 - r) / r², |r| <= ln(2)/2
    const F q = polynomial(r, 0x1.6db480p-10f, 0x1.123b92p-7f, 0x1.55545ep-5f, 0x1.55548ep-3f, 0x1.000000p-1f);
    return {fma(q * r, r, r), integer(sum)};
  }
  static F exp(F x) {
    constexpr float overflows = 89.0f, isZero = -104.5f;
    const auto [more, exponent] = power(x, atMost(x, overflows));
    return x < isZero ? F(0.0f) : scaled(more + 1.0f, exponent);
  }

  static F erf(F x) {
    constexpr float isOne = 3.95f, isSmall = 0.95f;
    const F size = __builtin_elementwise_abs(x), a = atMost(size, isOne);
    const F square = x * x;
    // erf(x) / x - 1, |x| <= 0.95
    const F near = fma(x,
                       polynomial(square, 0x1.573b1ap-14f, -0x1.a88642p-11f, 0x1.54955ap-8f, -0x1.b8093cp-6f,
                                  0x1.ce2dc8p-4f, -0x1.812742p-2f, 0x1.06ebb0p-3f),
                       x);
    // -ln(1 - erf(a)) / a, 0.94 <= a <= 3.95
    const F q = polynomial(a, -0x1.bf48dep-13f, 0x1.a4a09ep-9f, -0x1.76b8b6p-6f, 0x1.af0824p-4f, 0x1.457fd2p-1f,
                           0x1.20e5e0p+0f);
    const auto [more, exponent] = power(-a * q, -a * q);
    const F far = 1.0f - scaled(more + 1.0f, exponent);
    return size > isSmall ? __builtin_elementwise_copysign(far, x) : near;
  }

  static F erfc(F x) {
    constexpr float isZero = 10.1f;
    F a = __builtin_elementwise_abs(x);
    a = a > isZero ? F(isZero) : a;
    // erfc(a) = e^(-a²) (1 + a h) / (1 + 2 a), where h changes slowly with (a - 2) / (a + 2).
    const F h =
        polynomial((a - 2.0f) / (a + 2.0f), 0x1.b690c2p-13f, 0x1.c4ed58p-13f, -0x1.889346p-10f, -0x1.1ce74ap-9f,
                   0x1.58d72cp-7f, 0x1.9b588cp-7f, -0x1.f26af4p-4f, 0x1.259bb0p-2f, -0x1.4b1efap-2f, 0x1.1ba03ap-3f);
    const F q = fma(a, h, F(1.0f)) / fma(a, F(2.0f), F(1.0f));
    const F square = a * a, low = fma(a, a, -square);
    auto [more, exponent] = power(-square, -square);
    more = fma(-low, more + 1.0f, more);
    const F y = scaled(fma(q, more, q), exponent);
    return x < 0.0f ? 2.0f - y : y;
  }

  static F exp2(F x) {
    constexpr float overflows = 129.0f, isZero = -151.0f;
    const F sum = atMost(x, overflows) + toInteger, r = x - (sum - toInteger);
    // (2^r - 1) / r, |r| <= 1/2
    const F q =
        polynomial(r, 0x1.449088p-13f, 0x1.5f4896p-10f, 0x1.3b29aap-7f, 0x1.c6aecep-5f, 0x1.ebfbe0p-3f, 0x1.62e430p-1f);
    return x < isZero ? F(0.0f) : scaled(fma(q, r, F(1.0f)), integer(sum));
  }

  /// x = 2^exponent (1 + fraction), with 1 + fraction between the roots of 1/2 and 2.
  struct Parts {
    F fraction, exponent;
  };
  static Parts split(F x) {
    constexpr float leastNormal = 0x1p-126f, shift = 0x1p23f;
    constexpr int bitsOfRootHalf = 0x3f3504f3, fraction = 23;
    const auto isSmall = x < leastNormal;
    const I all = bits(isSmall ? x * shift : x), exponent = (all - bitsOfRootHalf) >> fraction;
    const F wide = __builtin_convertvector(exponent, F);
    return {floats(all - (exponent << fraction)) - 1.0f, isSmall ? wide - float(fraction) : wide};
  }
  /// ln(1 + f) - f
  static F logTail(F f) {
    // (ln(1 + f) - f + f²/2) / f³, 1 + f between the roots of 1/2 and 2
    const F p = polynomial(f, -0x1.41ee96p-4f, 0x1.07d548p-3f, -0x1.0ce242p-3f, 0x1.226dc8p-3f, -0x1.547854p-3f,
                           0x1.99a59ap-3f, -0x1.000220p-2f, 0x1.55554ap-2f);
    return fma(f * f, F(-0.5f), f * f * f * p);
  }
  /// A logarithm of x, of which `value` is right for numbers above zero.
  static F logarithm(F x, F value) {
    constexpr float infinity = __builtin_inff();
    value = x < infinity ? value : x;  // and NaN
    value = x < 0.0f ? F(__builtin_nanf("")) : value;
    return x == 0.0f ? F(-infinity) : value;
  }

  static F log(F x) {
    const auto [f, exponent] = split(x);
    return logarithm(x, fma(exponent, F(ln2High), f + fma(exponent, F(ln2Low), logTail(f))));
  }

  static F log2(F x) {
    const auto [f, exponent] = split(x);
    constexpr float log2eMinus1 = 0x1.c551dap-2f;
    const F tail = logTail(f);
    return logarithm(x, (fma(f, F(log2eMinus1), fma(tail, F(log2eMinus1), tail)) + f) + exponent);
  }

  /// The sine of |x| <= 200000, or of x + pi/2, by its distance r from n pi, of an integer n.
  static F sineNear(F x, bool isCosine) {
    constexpr float oneOverPi = 0x1.45f306p-2f, half = 0.5f;
    const F sum = isCosine ? fma(x, F(oneOverPi), F(half)) + toInteger : fma(x, F(oneOverPi), F(toInteger));
    const F n = isCosine ? (sum - toInteger) - half : sum - toInteger;
    F r = fma(n, F(-0x1.921fb6p+1f), x);
    r = fma(n, F(0x1.777a5cp-24f), r);
    r = fma(n, F(0x1.ee59dap-49f), r);
    // (sin(r) - r) / r³, |r| <= pi/2
    const F square = r * r;
    const F q = polynomial(square, 0x1.5db8cep-19f, -0x1.9f6fa8p-13f, 0x1.110ed2p-7f, -0x1.55554cp-3f);
    // Rounding must not take it beyond 1.
    const I sine = bits(fma(q * square, r, r));
    constexpr int toSign = 31, size = 0x7fffffff, one = 0x3f800000;
    const I most = sine & size;
    return floats((most > one ? I(one) : most) | ((sine ^ (integer(sum) << toSign)) & ~size));
  }
  static bool isNear(F x) {
    constexpr float most = 200000.0f;
    const I within = __builtin_elementwise_abs(x) <= most;  // NaN is not
    return __builtin_reduce_and(within) != 0;
  }
  /// One by one, by libm: what is far from zero needs more digits of pi than there are above.
  template <float function(float)>
  [[gnu::noinline]] static F each(F x) {
    F out;
    for (int lane = 0; lane < width; ++lane) out[lane] = function(x[lane]);
    return out;
  }
  static F sin(F x) {
    if (__builtin_expect(!isNear(x), 0)) return each<sinf>(x);
    return x == 0.0f ? x : sineNear(x, false);  // of -0 it is -0
  }
  static F cos(F x) {
    if (__builtin_expect(!isNear(x), 0)) return each<cosf>(x);
    return sineNear(x, true);
  }
};

}  // namespace

#define LATHE_WIDTH(name, suffix, width, scales)                                                               \
  extern "C" [[gnu::always_inline]] Floats<width> __lathe_vector_math_##name##suffix##width(Floats<width> x) { \
    return Vectors<width, scales>::name(x);                                                                    \
  }
#define LATHE_WIDTHS(name, suffix, scales) \
  LATHE_WIDTH(name, suffix, 4, scales) LATHE_WIDTH(name, suffix, 8, scales) LATHE_WIDTH(name, suffix, 16, scales)
#define LATHE_VECTOR_MATH(name) LATHE_WIDTHS(name, f_, false)
#define LATHE_SCALED_VECTOR_MATH(name) LATHE_WIDTHS(name, f_, false) LATHE_WIDTHS(name, f_scales_, true)
#include "core/abi/vector_math.def"
