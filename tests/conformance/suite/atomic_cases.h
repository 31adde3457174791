// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels/atomics.cpp and cuda/atomic_widths.cu have in common: each item alone on eleven cells of its own.
#pragma once

#include <algorithm>
#include <type_traits>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

inline constexpr std::size_t atomicItems = 64;  // two groups of 32

/// Values of both signs, small and large.
template <class T>
[[nodiscard]] std::vector<T> atomicOperands(std::uint64_t seed) {
  std::vector<T> out = scrambled<T>(atomicItems, seed);
  for (std::size_t i = 0; i < atomicItems; i += 3) out[i] = static_cast<T>(static_cast<T>(i) - T(20));
  return out;
}

template <class T>
[[nodiscard]] T addWrapping(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}
template <class T>
[[nodiscard]] T subtractWrapping(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
}

template <class T>
void aloneAtomics(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < atomicItems; ++i) {
    const T x = a[0].as<T>()[i], y = a[1].as<T>()[i];
    T* const cell = a[2].as<T>() + 11 * i;
    std::copy_n(cell, 10, a[3].as<T>() + 11 * i);
    a[3].as<T>()[11 * i + 10] = 0;
    cell[0] = addWrapping(cell[0], x);
    cell[1] = subtractWrapping(cell[1], x);
    cell[2] &= x;
    cell[3] |= x;
    cell[4] ^= x;
    cell[5] = std::min(cell[5], x);
    cell[6] = std::max(cell[6], x);
    cell[7] = x;
    if (cell[8] == y) cell[8] = x;
    cell[10] = x;
  }
}

template <class T>
[[nodiscard]] Case aloneAtomicsCase(const std::string& type, const std::string& title, const std::string& kernel) {
  const std::vector<T> x = atomicOperands<T>(31), y = atomicOperands<T>(32);
  std::vector<T> cells = scrambled<T>(11 * atomicItems, 33);
  for (std::size_t i = 0; i < atomicItems; i += 2) cells[11 * i + 8] = y[i];
  return {.name = kernel + "_" + title,
          .kernel = kernel + "<" + type + ">",
          .launch = {.grid = {2}, .group = {32}},
          .arguments = {array(x), array(y), array(cells), zeros<T>(11 * atomicItems)},
          .reference = aloneAtomics<T>};
}

}  // namespace lathe::conformance
