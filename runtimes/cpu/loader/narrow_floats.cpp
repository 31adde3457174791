// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding to nearest, ties to even, by integers.
#include "runtimes/cpu/loader/narrow_floats.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace lathe::detail {
namespace {

std::uint32_t bfloat16Of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return (bits >> 16) | 0x40;  // quiet
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

/// The float towards zero, with its last bit set if something is lost: rounding that again gives what rounding once
/// does (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd",
/// 2008).
float roundedToOdd(double value) {
  auto out = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(out) == value) return out;
  if (std::fabs(static_cast<double>(out)) > std::fabs(value)) out = std::nextafter(out, 0.0F);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(out) | 1);
}

/// A bfloat16 is passed in the lowest bits of the register that passes a float.
float passed(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

float truncateFloat(float value) {
  return passed(bfloat16Of(value));
}
float truncateDouble(double value) {
  return passed(bfloat16Of(roundedToOdd(value)));
}

}  // namespace

void* narrowFloatFunction(std::string_view name) {
  if (name == "__truncsfbf2") return reinterpret_cast<void*>(&truncateFloat);
  if (name == "__truncdfbf2") return reinterpret_cast<void*>(&truncateDouble);
  return nullptr;
}

}  // namespace lathe::detail
