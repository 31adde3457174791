// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparing what a kernel computed with its reference.
#include "tests/conformance/suite/case.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace lathe::conformance {
namespace {

template <class T>
bool close(T got, T want, Tolerance tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  if (got == want) return true;
  if (std::isinf(want) || !std::isfinite(got)) return false;
  const T magnitude = std::fabs(want);
  // The largest number has no next one: its unit is the one below.
  const T unit = magnitude == std::numeric_limits<T>::max()
                     ? magnitude - std::nextafter(magnitude, T(0))
                     : std::nextafter(magnitude, std::numeric_limits<T>::infinity()) - magnitude;
  const double error = std::fabs(static_cast<double>(got) - static_cast<double>(want));
  return error <= std::max(tolerance.ulp * static_cast<double>(unit), tolerance.absolute);
}

template <class T>
std::string realDifference(const Case& entry, Argument& got, Argument& want) {
  for (std::size_t i = 0; i < want.count(); ++i) {
    const T x = got.as<T>()[i], y = want.as<T>()[i];
    const Tolerance tolerance = entry.tolerances.empty() ? Tolerance{} : entry.tolerances[i % entry.tolerances.size()];
    if (!close(x, y, tolerance))
      return fmt::format("element {} is {}, not {} (within {} units in the last place or {})", i, x, y, tolerance.ulp,
                         tolerance.absolute);
  }
  return {};
}

std::string hex(const std::byte* bytes, std::size_t count) {
  std::string out = "0x";
  for (std::size_t i = count; i-- > 0;) out += fmt::format("{:02x}", std::to_integer<unsigned>(bytes[i]));
  return out;
}

std::string byteDifference(const Argument& got, const Argument& want) {
  const std::size_t n = want.elementBytes;
  for (std::size_t i = 0; i < want.count(); ++i) {
    const std::byte* const x = got.bytes.data() + i * n;
    const std::byte* const y = want.bytes.data() + i * n;
    if (std::memcmp(x, y, n) != 0) return fmt::format("element {} is {}, not {}", i, hex(x, n), hex(y, n));
  }
  return {};
}

}  // namespace

std::string Case::fullName() const {
  std::string out = file.substr(0, file.rfind('.')) + "_" + name;
  std::replace(out.begin(), out.end(), '/', '_');
  return out;
}

std::string firstDifference(const Case& entry, Arguments got, Arguments want) {
  if (entry.normalise) {
    entry.normalise(got);
    entry.normalise(want);
  }
  for (std::size_t i = 0; i < want.size(); ++i) {
    std::string difference;
    switch (want[i].element) {
      case Argument::Element::bytes:
        difference = byteDifference(got[i], want[i]);
        break;
      case Argument::Element::f32:
        difference = realDifference<float>(entry, got[i], want[i]);
        break;
      case Argument::Element::f64:
        difference = realDifference<double>(entry, got[i], want[i]);
        break;
    }
    if (!difference.empty()) return fmt::format("argument {}: {}", i, difference);
  }
  return {};
}

}  // namespace lathe::conformance
