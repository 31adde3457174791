// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of math_functions.cu: the C library's functions, and CUDA's own by their definitions. Those have the
// bounds of the functions they are made of.
#include <cmath>

#include "tests/conformance/suite/math_cases.h"

namespace lathe::conformance {
namespace {

using Real = long double;
const Real pi = std::acos(Real(-1));

/// x - 2 round(x / 2) times pi: exact up to the product.
Real halfTurns(Real x) {
  return pi * std::remainder(x, Real(2));
}

template <class T>
void addExtras(std::vector<Case>& out) {
  const std::vector<T> in = realArguments<T>();
  const double zero = sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;  // near a zero the rounding of pi times the argument decides
  out.push_back(unaryMathCase<T>("sinpi", [](Real x) { return std::sin(halfTurns(x)); }, in, {4, zero}));
  out.push_back(unaryMathCase<T>("cospi", [](Real x) { return std::cos(halfTurns(x)); }, in, {4, zero}));
  out.push_back(unaryMathCase<T>("rsqrt", [](Real x) { return 1 / std::sqrt(x); }, in, {4}));
  out.push_back(unaryMathCase<T>("rcbrt", [](Real x) { return 1 / std::cbrt(x); }, in, {5}));
  out.push_back(unaryMathCase<T>("exp10", [](Real x) { return std::pow(Real(10), x); }, in, {4}));
  // The argument of erfc is rounded, which its steep side shows: |x|² / 2 units more.
  out.push_back(
      unaryMathCase<T>("normcdf", [](Real x) { return std::erfc(-x / std::sqrt(Real(2))) / 2; }, in, {40, 1e-300}));
}

}  // namespace

std::vector<Case> cases_cuda_math_functions() {
  std::vector<Case> out = mathCases();
  addExtras<float>(out);
  addExtras<double>(out);
  return out;
}

}  // namespace lathe::conformance
