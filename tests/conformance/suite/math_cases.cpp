// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of the C library's mathematics: the host's library in the precision above (80 bits above double). The
// bounds are the larger of OpenCL C 3.0's (section 7.4, "Relative error as ULPs"), which libclc and libdevice keep, and
// the four units that glibc's vector functions promise.
#include "tests/conformance/suite/math_cases.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lathe::conformance {
namespace {

using Real = long double;
constexpr std::size_t n = 64;

template <class T>
constexpr const char* typeName = sizeof(T) == 4 ? "float" : "double";

template <class T>
Case make(const std::string& name, Arguments arguments, std::function<void(Arguments&, const DeviceInfo&)> reference,
          Tolerance tolerance) {
  return {.name = name + "_" + typeName<T>,
          .kernel = name + "_of<" + typeName<T> + ">",
          .launch = {.grid = {2}, .group = {32}},
          .arguments = std::move(arguments),
          .reference = std::move(reference),
          .tolerances = {tolerance}};
}

}  // namespace

/// Arguments from -6 to 6, then zeros, infinities, what is not a number, small and large ones.
template <class T>
std::vector<T> realArguments() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> out = {T(0),
                        T(-0.0),
                        T(1),
                        T(-1),
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::quiet_NaN(),
                        Limits::min(),
                        T(1e-30),
                        T(40),
                        T(-40),
                        T(12345.678),
                        T(-0.5),
                        T(2.5)};
  for (std::size_t i = out.size(); i < n; ++i)
    out.push_back(static_cast<T>(-6 + 12 * static_cast<double>(i - 14) / (n - 15) + 0.01));
  return out;
}

template <class T>
Case unaryMathCase(const std::string& name, Real (*function)(Real), const std::vector<T>& in, Tolerance tolerance) {
  return make<T>(
      name, {array(in), zeros<T>(n)},
      [function](Arguments& a, const DeviceInfo&) {
        for (std::size_t i = 0; i < n; ++i)
          a[1].as<T>()[i] = static_cast<T>(function(static_cast<Real>(a[0].as<T>()[i])));
      },
      tolerance);
}

template std::vector<float> realArguments();
template std::vector<double> realArguments();
template Case unaryMathCase(const std::string&, long double (*)(long double), const std::vector<float>&, Tolerance);
template Case unaryMathCase(const std::string&, long double (*)(long double), const std::vector<double>&, Tolerance);

namespace {

/// For the gamma functions, whose negative side has poles.
template <class T>
std::vector<T> positiveNumber() {
  std::vector<T> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<T>(0.3 + 0.29 * static_cast<double>(i)));
  out[0] = std::numeric_limits<T>::infinity();
  return out;
}

/// The second operand: specials meet specials and numbers.
template <class T>
std::vector<T> secondNumber() {
  std::vector<T> out = realArguments<T>();
  std::ranges::rotate(out, out.begin() + 5);
  for (std::size_t i = 20; i < n; ++i) out[i] = static_cast<T>(0.37 * static_cast<double>(i) - 11);
  return out;
}

/// `Function` takes two T: where the result is a T of its own, not a rounded real number, no wider type will do.
template <class T, class Function>
Case binary(const std::string& name, Function function, Tolerance tolerance) {
  return make<T>(
      name, {array(realArguments<T>()), array(secondNumber<T>()), zeros<T>(n)},
      [function](Arguments& a, const DeviceInfo&) {
        for (std::size_t i = 0; i < n; ++i)
          a[2].as<T>()[i] = static_cast<T>(function(a[0].as<T>()[i], a[1].as<T>()[i]));
      },
      tolerance);
}

template <class T>
void addUnary(std::vector<Case>& out) {
  const auto any = realArguments<T>();
  const auto positive = positiveNumber<T>();
#define UNARY(name, in, ...) \
  out.push_back(unaryMathCase<T>(#name, [](Real x) -> Real { return std::name(x); }, in, {__VA_ARGS__}));
  UNARY(acos, any, 4)
  UNARY(acosh, any, 4)
  UNARY(asin, any, 4)
  UNARY(asinh, any, 4)
  UNARY(atan, any, 5)
  UNARY(atanh, any, 5)
  UNARY(cbrt, any, 4)
  UNARY(ceil, any)
  UNARY(cos, any, 4)
  UNARY(cosh, any, 4)
  UNARY(erf, any, 16)
  UNARY(erfc, any, 16)
  UNARY(exp, any, 4)
  UNARY(exp2, any, 4)
  UNARY(expm1, any, 4)
  UNARY(fabs, any)
  UNARY(floor, any)
  UNARY(lgamma, positive, 16, sizeof(T) == 4 ? 0x1p-22 : 0x1p-51)
  UNARY(log, any, 4)
  UNARY(log10, any, 4)
  UNARY(log1p, any, 4)
  UNARY(log2, any, 4)
  UNARY(nearbyint, any)
  UNARY(rint, any)
  UNARY(round, any)
  UNARY(sin, any, 4)
  UNARY(sinh, any, 4)
  UNARY(sqrt, any)
  UNARY(tan, any, 5)
  UNARY(tanh, any, 5)
  UNARY(tgamma, positive, 16)
  UNARY(trunc, any)
#undef UNARY
}

template <class T>
void addBinary(std::vector<Case>& out) {
#define REAL(name, ...) out.push_back(binary<T>(#name, [](Real x, Real y) { return std::name(x, y); }, {__VA_ARGS__}));
#define OWN(name) out.push_back(binary<T>(#name, [](T x, T y) { return std::name(x, y); }, {}));
  REAL(atan2, 6)
  OWN(copysign)
  OWN(fdim)
  OWN(fmax)
  OWN(fmin)
  OWN(fmod)
  REAL(hypot, 4)
  OWN(nextafter)
  REAL(pow, 16)
  OWN(remainder)
#undef REAL
#undef OWN
}

template <class T>
void addOthers(std::vector<Case>& out) {
  out.push_back(make<T>("fma",
                        {array(realArguments<T>()), array(secondNumber<T>()), counting<T>(n, T(0.3)), zeros<T>(n)},
                        [](Arguments& a, const DeviceInfo&) {
                          for (std::size_t i = 0; i < n; ++i)
                            a[3].as<T>()[i] = std::fma(a[0].as<T>()[i], a[1].as<T>()[i], a[2].as<T>()[i]);
                        },
                        {}));
  out.push_back(make<T>("ldexp", {array(realArguments<T>()), counting<int>(n, 3, -90), zeros<T>(n)},
                        [](Arguments& a, const DeviceInfo&) {
                          for (std::size_t i = 0; i < n; ++i)
                            a[2].as<T>()[i] = std::ldexp(a[0].as<T>()[i], a[1].as<int>()[i]);
                        },
                        {}));
  Case kinds = make<T>("kinds", {array(realArguments<T>()), array(secondNumber<T>()), zeros<int>(n), zeros<T>(4 * n)},
                       [](Arguments& a, const DeviceInfo&) {
                         for (std::size_t i = 0; i < n; ++i) {
                           const T x = a[0].as<T>()[i], y = a[1].as<T>()[i];
                           a[2].as<int>()[i] = std::isnan(x) | std::isinf(x) << 1 | std::isfinite(x) << 2 |
                                               std::signbit(x) << 3 | (x < y) << 4 | (x == y) << 5 | (x >= y) << 6 |
                                               (x != y) << 7;
                           const T row[] = {x + y, x - y, x * y, x / y};
                           std::copy_n(row, 4, a[3].as<T>() + 4 * i);
                         }
                       },
                       {});
  kinds.kernel = std::string("kinds<") + typeName<T> + ">";
  out.push_back(std::move(kinds));
}

}  // namespace

std::vector<Case> mathCases() {
  std::vector<Case> out;
  addUnary<float>(out);
  addUnary<double>(out);
  addBinary<float>(out);
  addBinary<double>(out);
  addOthers<float>(out);
  addOthers<double>(out);
  return out;
}

}  // namespace lathe::conformance
