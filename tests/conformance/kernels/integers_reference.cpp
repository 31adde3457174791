// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of integers.cpp. Arithmetic wraps: what overflows in the kernel is done without a sign here.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 64;

template <class T>
std::vector<T> operands(std::uint64_t seed) {
  std::vector<T> out = scrambled<T>(n, seed);
  for (std::size_t i = 0; i < n; i += 2) out[i] = static_cast<T>(static_cast<int>(i * seed % 23) - 11);
  return out;
}

/// Operands whose sums and products fit: signed overflow is undefined in the kernel too.
template <class T>
std::vector<T> small(std::uint64_t seed) {
  std::vector<T> out = operands<T>(seed);
  if constexpr (std::is_signed_v<T> && sizeof(T) >= 4)
    for (T& x : out) x = static_cast<T>(x >> (sizeof(T) * 4 + 1));
  return out;
}

template <class T>
void arithmetic(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const T x = a[0].as<T>()[i], y = a[1].as<T>()[i];
    const bool trivial = y == 0 || y == static_cast<T>(-1);
    const auto shift = static_cast<unsigned>(y) & (sizeof(T) * 8 - 1);
    const T row[] = {static_cast<T>(x + y),
                     static_cast<T>(x - y),
                     static_cast<T>(x * y),
                     trivial ? x : static_cast<T>(x / y),
                     trivial ? x : static_cast<T>(x % y),
                     static_cast<T>(x & y),
                     static_cast<T>(x | ~y),
                     static_cast<T>(x ^ y),
                     static_cast<T>(static_cast<std::uint64_t>(x) << shift),
                     static_cast<T>(x >> shift),
                     std::min(x, y),
                     static_cast<T>(-x)};
    std::copy_n(row, 12, a[2].as<T>() + 12 * i);
  }
}

template <class T>
void bits(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const T x = a[0].as<T>()[i];
    int reversed = 0;
    for (unsigned k = 0; k < 8; ++k) reversed |= static_cast<int>(x >> k & 1) << (7 - k);
    const int row[] = {std::popcount(x), std::countl_zero(x), std::countr_zero(x), reversed,
                       static_cast<int>(std::rotl(x, 3) & 0xff)};
    std::copy_n(row, 5, a[1].as<int>() + 5 * i);
  }
}

__extension__ using I128 = __int128;
__extension__ using U128 = unsigned __int128;

void wide(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const long x = a[0].as<long>()[i], y = a[1].as<long>()[i];
    const auto u = static_cast<unsigned long>(x), v = static_cast<unsigned long>(y);
    const unsigned long row[] = {static_cast<unsigned long>(I128{x} * y >> 64),
                                 static_cast<unsigned long>(U128{u} * v >> 64),
                                 static_cast<unsigned long>(static_cast<long>(static_cast<signed char>(x))),
                                 static_cast<unsigned short>(x),
                                 static_cast<unsigned long>(static_cast<long>(static_cast<int>(x))),
                                 __builtin_bswap64(u)};
    std::copy_n(row, 6, a[2].as<unsigned long>() + 6 * i);
  }
}

template <class T>
void add(std::vector<Case>& out, const std::string& type, const std::string& title) {
  out.push_back({.name = "arithmetic_" + title,
                 .kernel = "arithmetic<" + type + ">",
                 .launch = {.grid = {2}, .group = {32}},
                 .arguments = {array(small<T>(61)), array(small<T>(62)), zeros<T>(12 * n)},
                 .reference = arithmetic<T>});
  if constexpr (std::is_unsigned_v<T>)
    out.push_back({.name = "bits_" + title,
                   .kernel = "bits<" + type + ">",
                   .launch = {.grid = {2}, .group = {32}},
                   .arguments = {array(operands<T>(63)), zeros<int>(5 * n)},
                   .reference = bits<T>});
}

}  // namespace

std::vector<Case> cases_kernels_integers() {
  std::vector<Case> out;
  add<signed char>(out, "signed char", "char");
  add<unsigned char>(out, "unsigned char", "uchar");
  add<short>(out, "short", "short");
  add<unsigned short>(out, "unsigned short", "ushort");
  add<int>(out, "int", "int");
  add<unsigned>(out, "unsigned", "uint");
  add<long>(out, "long", "long");
  add<unsigned long>(out, "unsigned long", "ulong");
  out.push_back({.name = "wide",
                 .kernel = "wide",
                 .launch = {.grid = {2}, .group = {32}},
                 .arguments = {array(scrambled<long>(n, 64)), array(operands<long>(65)), zeros<unsigned long>(6 * n)},
                 .reference = wide});
  return out;
}

}  // namespace lathe::conformance
