// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels/math.cpp and cuda/math_functions.cu have in common: kernels of the same names and parameters for every
// function of <cmath>, and the references of those.
#pragma once

#include <vector>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

/// Arguments around zero, then special ones: 64 of them, for one launch of two groups.
template <class T>
[[nodiscard]] std::vector<T> realArguments();
/// A case of kernel `name`_of<T>(const T*, T*), with the function in a wider type.
template <class T>
[[nodiscard]] Case unaryMathCase(const std::string& name, long double (*function)(long double),
                                 const std::vector<T>& arguments, Tolerance tolerance);
/// The C library's functions, both precisions.
[[nodiscard]] std::vector<Case> mathCases();

extern template std::vector<float> realArguments();
extern template std::vector<double> realArguments();
extern template Case unaryMathCase(const std::string&, long double (*)(long double), const std::vector<float>&,
                                   Tolerance);
extern template Case unaryMathCase(const std::string&, long double (*)(long double), const std::vector<double>&,
                                   Tolerance);

}  // namespace lathe::conformance
