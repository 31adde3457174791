// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of math.cu, in the precision above. Bounds: those of OpenCL C 3.0 (section 7.4, "Relative error as ULPs")
// for the C library's functions, because libclc and libdevice both keep them, with one unit more for each further
// operation; those of the CUDA C++ Programming Guide (section "Intrinsic Functions") for the approximate ones.
#include <algorithm>
#include <cmath>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int n = 64;
const double pi = std::acos(-1.0);

void functions(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < n; ++i) {
    const float single = a[0].as<float>()[i];
    const double x = single;
    double whole = 0;
    const double fraction = std::modf(x, &whole);
    const float product = single * single;
    const double row[] = {std::sin(x),
                          std::cos(x),
                          std::sin(pi * x),
                          std::cos(pi * x),
                          1 / std::sqrt(x * x + 1),
                          std::sqrt(static_cast<double>(product)),
                          std::pow(10.0, static_cast<double>(single * 0.25f)),
                          std::sqrt(x * x + 1 + 4),
                          1 / std::sqrt(x * x + 1 + 4 + 9),
                          std::erfc(-x / std::sqrt(2.0)) / 2,
                          std::fmin(x, 0.5) + std::fmax(x, 0.5),
                          std::pow(std::fabs(x), 1.5),
                          x * x - x,
                          static_cast<double>(product - single),
                          1 / static_cast<double>(single + 3),
                          std::sqrt(x * x + 2),
                          std::clamp(x, 0.0, 1.0),
                          std::exp(x),
                          std::log(x * x + 1),
                          std::sin(x) + std::cos(x),
                          std::pow(x * x + 1, static_cast<double>(0.3f)),
                          x / (x * x + 1),
                          fraction,
                          whole};
    for (int k = 0; k < 24; ++k) a[1].as<float>()[24 * i + k] = static_cast<float>(row[k]);
  }
}

// In the order of the columns. The inputs reach from -3.1 to 3.2.
const std::vector<Tolerance> functionBounds = {
    {4},
    {4},
    {4, 0x1p-23},  // sinpi, cospi: a zero near a multiple of 1/2
    {4, 0x1p-23},
    {4},
    {},             // sqrt of what is rounded already
    {4},            // exp10
    {4},            // norm3d
    {6},            // rnorm4d
    {18, 0x1p-24},  // normcdf: the rounded argument of erfc weighs double at its slope
    {1},
    {16},
    {0.5, 0x1p-23},  // fma, then the reference's own rounding
    {},              // never fused
    {},
    {1},
    {},
    {6},           // __expf: 2 + 1.173 |x|
    {3, 0x1p-21},  // __logf
    {0, 0x1p-20},  // __sinf + __cosf: 2^-21.41 and 2^-21.19
    {8},           // __powf: by exp2f and log2f, whose errors meet the exponent
    {3},           // __fdividef: 2, and the divisor's rounding
    {},
    {},
};

void mixed(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < n; ++i) {
    const int k = a[0].as<int>()[i];
    const double angle = pi * (k % 12) / 6;  // sine and cosine repeat after twelve sixths of pi
    const double row[] = {std::pow(2.0, k), std::sqrt(double(k * k)),
                          std::max(static_cast<unsigned>(k), 3u) + 1.5 + 0.5, std::sin(angle) + std::cos(angle)};
    std::copy_n(row, 4, a[1].as<double>() + 4 * i);
  }
}

}  // namespace

std::vector<Case> cases_cuda_math() {
  return {{.name = "functions",
           .kernel = "mathFunctions",
           .launch = {.grid = {2}, .group = {32}},
           .arguments = {counting<float>(n, 0.1f, -3.1f), zeros<float>(24 * n), value(n)},
           .reference = functions,
           .tolerances = functionBounds},
          {.name = "mixed_arguments",
           .kernel = "mixedArguments",
           .launch = {.grid = {2}, .group = {32}},
           .arguments = {counting<int>(n, 1, -30), zeros<double>(4 * n), value(n)},
           .reference = mixed,
           .tolerances = {{16}, {}, {1}, {8, 0x1p-48}}}};
}

}  // namespace lathe::conformance
