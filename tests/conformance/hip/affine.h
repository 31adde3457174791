// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions a * x + b, whose product shows the order of a scan's or a reduction's operations.
#pragma once

#include <cstdint>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

struct Affine {
  std::uint32_t a = 1, b = 0;
};
/// The function that applies `f`, and `g` to its result.
inline Affine operator*(Affine f, Affine g) {
  return {f.a * g.a, f.b * g.a + g.b};
}
inline void put(Argument& to, int at, Affine f) {
  to.as<std::uint32_t>()[2 * at] = f.a;
  to.as<std::uint32_t>()[2 * at + 1] = f.b;
}

}  // namespace lathe::conformance
