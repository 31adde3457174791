// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics with integers, as C++ has it ([cmath.syn]): they count as double where no float decides, and double wins
// over float. The host's compiler is given the same assertions, with its own library.
// RUN: %compile %s -t cpu -o %t.img
// RUN: %compile %s -t cpu -std=c++17 -o %t.img
// RUN: %compile %s -x cuda -t cuda:sm_80 -o %t.img
// RUN: c++ -std=c++17 -fsyntax-only -DHOST -x c++ %s
#include <cmath>
#include <type_traits>
#ifndef HOST
#include <lathe/device.h>
#endif

#define IS(type, ...) static_assert(std::is_same<type, decltype(std::__VA_ARGS__)>::value, #__VA_ARGS__)
const int i = 3;
const unsigned char c = 4;
const long l = 5;
const float f = 6;
const double d = 7;
#define UNARY(name)     \
  IS(double, name(i));  \
  IS(double, name(c));  \
  IS(double, name(l));  \
  IS(float, name(f));   \
  IS(double, name(d))
UNARY(sqrt);
UNARY(sin);
UNARY(exp2);
UNARY(floor);
UNARY(round);
UNARY(erf);
UNARY(lgamma);
UNARY(cbrt);
UNARY(logb);
#define BINARY(name)      \
  IS(double, name(i, c)); \
  IS(double, name(f, d)); \
  IS(double, name(d, f)); \
  IS(double, name(i, d)); \
  IS(float, name(f, f))
BINARY(pow);
BINARY(atan2);
BINARY(fmod);
BINARY(hypot);
BINARY(fmax);
BINARY(copysign);
BINARY(remainder);
#define CLASS(name)  \
  IS(bool, name(i)); \
  IS(bool, name(c)); \
  IS(bool, name(f)); \
  IS(bool, name(d))
CLASS(isnan);
CLASS(isinf);
CLASS(isfinite);
CLASS(isnormal);
CLASS(signbit);
#define COMPARISON(name) \
  IS(bool, name(i, l));  \
  IS(bool, name(f, d));  \
  IS(bool, name(f, f))
COMPARISON(isgreater);
COMPARISON(isless);
COMPARISON(isunordered);
int* const p = nullptr;
IS(double, ldexp(i, 2));
IS(float, ldexp(f, 2));
IS(double, scalbn(c, 2));
IS(double, scalbln(i, 2L));
IS(double, frexp(i, p));
IS(int, ilogb(i));
IS(int, fpclassify(i));
IS(long, lround(i));
IS(long long, llround(c));
IS(long, lrint(f));
IS(long long, llrint(i));
IS(double, fma(i, f, f));
IS(float, fma(f, f, f));
IS(double, fma(d, d, i));
IS(double, hypot(i, i, i));
IS(double, remquo(i, i, p));

#ifndef HOST
LATHE_KERNEL void scale(double* x, int by) {
  x[0] = std::ldexp(1, by) + std::sqrt(by) + (std::isnan(by) ? 1 : std::pow(2.f, x[0]));
}
#endif
