// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of approximate_functions.cu: long double of the same numbers. Bounds of the approximate ones are those of
// the CUDA C++ Programming Guide 13.0, "Mathematical Functions", 17.2, for these ranges, and 2^-11 for the hyperbolic
// tangent (PTX ISA, "tanh"); the others are 17.1's or what the host's vector mathematics promises.
#include <array>
#include <cmath>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 64;
using Wide = long double;
const Wide pi = std::acos(Wide{-1});

template <class Real>
void reference(Arguments& a, const DeviceInfo&) {
  constexpr bool narrow = sizeof(Real) == sizeof(float);
  for (std::size_t i = 0; i < n; ++i) {
    const Real x = a[0].as<Real>()[i];
    const Wide size = std::fabs(x) + (narrow ? Real(0.1F) : Real(0.1)), wide = x;
    const Wide length = std::sqrt(wide * wide + size * size + 4);
    const Wide sine = std::sin(wide), cosine = std::cos(wide), sinePi = std::sin(pi * wide),
               cosinePi = std::cos(pi * wide);
    std::vector<Wide> row = {sine, cosine, sinePi, cosinePi};
    if (narrow)
      row.insert(row.end(),
                 {sine, cosine, std::tan(wide / 4), std::pow(Wide{10}, wide), std::log2(size), std::log10(size),
                  wide / size, std::tanh(wide), length, 1 / length, std::pow(Wide{10}, wide)});
    else
      row.insert(row.end(), {wide / size, length, 1 / length});
    for (std::size_t k = 0; k < row.size(); ++k) a[1].as<Real>()[i * row.size() + k] = static_cast<Real>(row[k]);
  }
}

template <class Real>
Case makeCase(const char* name, std::vector<Tolerance> tolerances) {
  std::vector<Real> in;
  for (const std::int32_t bits : scrambled<std::int32_t>(n, 1021))
    in.push_back(static_cast<Real>(bits) * Real(0x1.8p-30));
  return {.name = name,
          .kernel = name,
          .launch = {.group = {n}},
          .arguments = {array(in), zeros<Real>(n * tolerances.size())},
          .reference = reference<Real>,
          .tolerances = tolerances};
}

}  // namespace

std::vector<Case> cases_cuda_approximate_functions() {
  const Tolerance near = {.ulp = 4, .absolute = 1e-15}, nearFloat = {.ulp = 4, .absolute = 1e-7};
  return {makeCase<float>("floats", {nearFloat,
                                     nearFloat,
                                     nearFloat,
                                     nearFloat,
                                     {.absolute = 0x1p-21},
                                     {.absolute = 0x1p-21},
                                     {.absolute = 0x1p-20},
                                     {.ulp = 12},
                                     {.ulp = 3, .absolute = 0x1p-21},
                                     {.ulp = 3, .absolute = 0x1p-22},
                                     {.ulp = 2},
                                     {.ulp = 0x1p13},
                                     {.ulp = 4},
                                     {.ulp = 6},
                                     {.ulp = 4}}),
          makeCase<double>("doubles", {near, near, near, near, {.ulp = 0.5}, {.ulp = 4}, {.ulp = 6}})};
}

}  // namespace lathe::conformance
