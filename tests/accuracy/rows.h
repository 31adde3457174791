// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured: accuracy.def and small.def as data.
#pragma once

#include <array>
#include <span>
#include <string>

#include "tests/accuracy/formats.h"

namespace lathe::accuracy {

/// What an error is counted in.
enum class Measure {
  places,    ///< units of the last place
  absolute,  ///< as it is
  exact,     ///< units of the last place from the exact result rounded to the format
};
/// Whose functions serve a target: bounds differ.
enum class Library { libm, libdevice, libclc, opencl };
inline constexpr std::size_t libraries = 4;

struct Row {
  std::string name;
  std::array<const Format*, 2> formats;
  std::array<std::string, 2> calls;  ///< what device code calls for the two; empty: none
  std::string reference;
  unsigned operands;
  double low, high;  ///< both 0: any bits
  Measure measure;
  mpfr_rnd_t rounding;                                  ///< of an exact one
  std::array<std::array<double, 2>, libraries> bounds;  ///< of each library, for the two formats

  [[nodiscard]] bool isSmall() const { return formats[0] == &float16; }
  /// "-1 … 1"
  [[nodiscard]] std::string range() const;
};

/// Those of float and double, then those of half and bfloat16.
[[nodiscard]] std::span<const Row> rows();
/// Device functions that the rows call and that CUDA has not: one result of several, an integer as a number.
extern const char* const deviceHelpers;

}  // namespace lathe::accuracy
