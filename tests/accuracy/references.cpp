// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPFR has most of them; the rest is put together from those, at a precision that forgives it.
#include "tests/accuracy/references.h"

#include <algorithm>
#include <iterator>

namespace lathe::accuracy {
namespace {

constexpr mpfr_rnd_t nearest = MPFR_RNDN;

void inverted(mpfr_ptr out) {
  mpfr_ui_div(out, 1, out, nearest);
}

/// Newton's method for erfc(y) = x, whose derivative is -2/sqrt(pi) exp(-y²); from the tail's asymptotic form.
void erfcinv(mpfr_ptr out, mpfr_ptr x) {
  if (mpfr_cmp_ui(x, 1) == 0) return (void)mpfr_set_zero(out, 1);
  Number small, y, step, scale;
  const bool mirrored = mpfr_cmp_ui(x, 1) > 0;
  if (mirrored)
    mpfr_ui_sub(small, 2, x, nearest);
  else
    mpfr_set(small, x, nearest);
  mpfr_log(y, small, nearest);
  mpfr_neg(y, y, nearest);
  mpfr_sqrt(y, y, nearest);
  mpfr_const_pi(scale, nearest);
  mpfr_sqrt(scale, scale, nearest);
  mpfr_div_ui(scale, scale, 2, nearest);
  // From the right of the root, where erfc is convex, each step comes closer; few are needed near it.
  for (int i = 0; i < 200; ++i) {
    Number error, slope;
    mpfr_erfc(error, y, nearest);
    mpfr_sub(error, error, small, nearest);
    mpfr_sqr(slope, y, nearest);
    mpfr_exp(slope, slope, nearest);
    mpfr_mul(step, error, slope, nearest);
    mpfr_mul(step, step, scale, nearest);
    // Not beyond half of the way back to zero.
    Number limit;
    mpfr_div_ui(limit, y, 2, nearest);
    mpfr_add_d(limit, limit, 0.5, nearest);
    if (mpfr_cmpabs(step, limit) > 0) mpfr_copysign(step, limit, step, nearest);
    mpfr_add(y, y, step, nearest);
    if (mpfr_zero_p(static_cast<mpfr_ptr>(step))) break;
    if (!mpfr_zero_p(static_cast<mpfr_ptr>(y)) && mpfr_get_exp(step) < mpfr_get_exp(y) - 200) break;
  }
  if (mirrored)
    mpfr_neg(out, y, nearest);
  else
    mpfr_set(out, y, nearest);
}

/// The power series, all of whose terms are positive (DLMF 10.25.2).
void besselI(mpfr_ptr out, mpfr_ptr x, unsigned long order) {
  Number term(1), square, least;
  if (order) mpfr_div_ui(term, x, 2, nearest);
  mpfr_sqr(square, x, nearest);
  mpfr_div_ui(square, square, 4, nearest);
  mpfr_set(out, term, nearest);
  for (unsigned long k = 1; !mpfr_zero_p(static_cast<mpfr_ptr>(term)) && mpfr_get_exp(term) > mpfr_get_exp(out) - 200;
       ++k) {
    mpfr_mul(term, term, square, nearest);
    mpfr_div_ui(term, term, k * (k + order), nearest);
    mpfr_add(out, out, term, nearest);
  }
}

/// Out of ldexp's operand, which is an integer after truncation.
void scaled(mpfr_ptr out, mpfr_ptr x, mpfr_ptr y) {
  mpfr_mul_2si(out, x, mpfr_get_si(y, MPFR_RNDZ), nearest);
}

/// Every digit that a sum or a product of doubles can have.
void allDigits(mpfr_ptr out) {
  mpfr_set_prec(out, 4500);
}

/// The exponent of a number from 1/2 to 1.
long exponentOf(mpfr_ptr x) {
  return mpfr_zero_p(x) ? 0 : mpfr_get_exp(x);
}

struct Row {
  std::string_view name;
  Reference function;
};
#define UNARY(name, ...) {name, [](mpfr_ptr out, mpfr_ptr x, mpfr_ptr, mpfr_ptr) { __VA_ARGS__; }}
#define BINARY(name, ...) {name, [](mpfr_ptr out, mpfr_ptr x, mpfr_ptr y, mpfr_ptr) { __VA_ARGS__; }}
#define TERNARY(name, ...) {name, [](mpfr_ptr out, mpfr_ptr x, mpfr_ptr y, mpfr_ptr z) { __VA_ARGS__; }}
#define DIRECT(name) UNARY(#name, mpfr_##name(out, x, nearest))

constexpr Row rows[] = {
    DIRECT(acos),
    DIRECT(acosh),
    DIRECT(asin),
    DIRECT(asinh),
    DIRECT(atan),
    DIRECT(atanh),
    DIRECT(cbrt),
    DIRECT(cos),
    DIRECT(cosh),
    DIRECT(erf),
    DIRECT(erfc),
    DIRECT(exp),
    DIRECT(exp2),
    DIRECT(exp10),
    DIRECT(expm1),
    DIRECT(log),
    DIRECT(log10),
    DIRECT(log1p),
    DIRECT(log2),
    DIRECT(sin),
    DIRECT(sinh),
    DIRECT(sqrt),
    DIRECT(tan),
    DIRECT(tanh),
    DIRECT(sinpi),
    DIRECT(cospi),
    UNARY("tgamma", mpfr_gamma(out, x, nearest)),
    UNARY("lgamma", int sign; mpfr_lgamma(out, &sign, x, nearest)),
    UNARY("rsqrt", mpfr_rec_sqrt(out, x, nearest)),
    UNARY("rcbrt", mpfr_cbrt(out, x, nearest); inverted(out)),
    UNARY("normcdf", Number half(0.5); mpfr_sqrt(half, half, nearest); mpfr_mul(half, half, x, nearest);
          mpfr_neg(half, half, nearest); mpfr_erfc(out, half, nearest); mpfr_div_ui(out, out, 2, nearest)),
    UNARY("erfcx", Number square; mpfr_sqr(square, x, nearest); mpfr_exp(square, square, nearest);
          mpfr_erfc(out, x, nearest); mpfr_mul(out, out, square, nearest)),
    UNARY("erfcinv", erfcinv(out, x)),
    UNARY("erfinv", Number rest; mpfr_ui_sub(rest, 1, x, nearest); erfcinv(out, rest)),
    UNARY("normcdfinv", Number twice, root(2.0); mpfr_mul_ui(twice, x, 2, nearest); erfcinv(out, twice);
          mpfr_sqrt(root, root, nearest); mpfr_mul(out, out, root, nearest); mpfr_neg(out, out, nearest)),
    BINARY("atan2", mpfr_atan2(out, x, y, nearest)),
    BINARY("fdim", mpfr_dim(out, x, y, nearest)),
    BINARY("fmod", mpfr_fmod(out, x, y, nearest)),
    BINARY("hypot", mpfr_hypot(out, x, y, nearest)),
    BINARY("rhypot", mpfr_hypot(out, x, y, nearest); inverted(out)),
    BINARY("pow", mpfr_pow(out, x, y, nearest)),
    BINARY("remainder", mpfr_remainder(out, x, y, nearest)),
    TERNARY("fma", allDigits(out); mpfr_fma(out, x, y, z, nearest)),
    TERNARY("norm3d", mpfr_hypot(out, x, y, nearest); mpfr_hypot(out, out, z, nearest)),
    UNARY("sincos_sin", mpfr_sin(out, x, nearest)),
    UNARY("sincos_cos", mpfr_cos(out, x, nearest)),
    UNARY("sincospi_sin", mpfr_sinpi(out, x, nearest)),
    UNARY("sincospi_cos", mpfr_cospi(out, x, nearest)),
    // The fourth operand is the first again.
    TERNARY("norm4d", mpfr_hypot(out, x, y, nearest); mpfr_hypot(out, out, z, nearest);
            mpfr_hypot(out, out, x, nearest)),
    TERNARY("rnorm4d", mpfr_hypot(out, x, y, nearest); mpfr_hypot(out, out, z, nearest);
            mpfr_hypot(out, out, x, nearest); inverted(out)),
    UNARY("neg", mpfr_neg(out, x, nearest)),
    UNARY("fabs", mpfr_abs(out, x, nearest)),
    UNARY("saturate", mpfr_set(out, x, nearest); if (mpfr_sgn(x) < 0) mpfr_set_zero(out, 1);
          if (mpfr_cmp_ui(x, 1) > 0) mpfr_set_ui(out, 1, nearest)),
    UNARY("ceil", mpfr_ceil(out, x)),
    UNARY("floor", mpfr_floor(out, x)),
    UNARY("trunc", mpfr_trunc(out, x)),
    UNARY("round", mpfr_round(out, x)),
    UNARY("rint", mpfr_rint(out, x, nearest)),
    UNARY("nearbyint", mpfr_rint(out, x, nearest)),
    UNARY("lrint", mpfr_rint(out, x, nearest)),
    UNARY("llrint", mpfr_rint(out, x, nearest)),
    UNARY("lround", mpfr_round(out, x)),
    UNARY("llround", mpfr_round(out, x)),
    UNARY("logb", mpfr_set_si(out, exponentOf(x) - 1, nearest)),
    UNARY("ilogb", mpfr_set_si(out, exponentOf(x) - 1, nearest)),
    UNARY("frexp_exponent", mpfr_set_si(out, exponentOf(x), nearest)),
    UNARY("frexp_fraction", mpfr_mul_2si(out, x, -exponentOf(x), nearest)),
    UNARY("modf_whole", mpfr_trunc(out, x)),
    UNARY("modf_fraction", mpfr_frac(out, x, nearest)),
    UNARY("rcp", mpfr_ui_div(out, 1, x, nearest)),
    UNARY("cyl_bessel_i0", besselI(out, x, 0)),
    UNARY("cyl_bessel_i1", besselI(out, x, 1)),
    DIRECT(j0),
    DIRECT(j1),
    DIRECT(y0),
    DIRECT(y1),
    UNARY("jn_3", mpfr_jn(out, 3, x, nearest)),
    UNARY("jn_128", mpfr_jn(out, 128, x, nearest)),
    UNARY("yn_3", mpfr_yn(out, 3, x, nearest)),
    BINARY("add", allDigits(out); mpfr_add(out, x, y, nearest)),
    BINARY("sub", allDigits(out); mpfr_sub(out, x, y, nearest)),
    BINARY("mul", mpfr_mul(out, x, y, nearest)),
    BINARY("div", mpfr_div(out, x, y, nearest)),
    BINARY("fmax", mpfr_max(out, x, y, nearest)),
    BINARY("fmin", mpfr_min(out, x, y, nearest)),
    BINARY("copysign", mpfr_copysign(out, x, y, nearest)),
    BINARY("ldexp", scaled(out, x, y)),
    BINARY("scalbn", scaled(out, x, y)),
    BINARY("scalbln", scaled(out, x, y)),
    BINARY("powi", mpfr_pow_si(out, x, mpfr_get_si(y, MPFR_RNDZ), nearest)),
    BINARY("remquo", mpfr_remainder(out, x, y, nearest)),
    BINARY("remquo_quotient", Number rest; mpfr_remainder(rest, x, y, nearest); mpfr_sub(out, x, rest, nearest);
           mpfr_div(out, out, y, nearest); mpfr_rint(out, out, nearest); mpfr_fmod_ui(out, out, 8, nearest)),
    TERNARY("norm", mpfr_hypot(out, x, y, nearest); mpfr_hypot(out, out, z, nearest)),
    TERNARY("rnorm", mpfr_hypot(out, x, y, nearest); mpfr_hypot(out, out, z, nearest); inverted(out)),
    TERNARY("rnorm3d", mpfr_hypot(out, x, y, nearest); mpfr_hypot(out, out, z, nearest); inverted(out)),
};

}  // namespace

Reference referenceOf(std::string_view name) {
  const auto* const row = std::ranges::find(rows, name, &Row::name);
  return row == std::end(rows) ? nullptr : row->function;
}

}  // namespace lathe::accuracy
