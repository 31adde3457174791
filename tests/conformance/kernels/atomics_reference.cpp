// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of atomics.cpp. Of contended cells only what does not depend on the order is compared.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/conformance/suite/atomic_cases.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = atomicItems;

template <class T>
void contended(Arguments& a, const DeviceInfo&) {
  T* const c = a[0].as<T>();
  for (T i = 0; i < static_cast<T>(n); ++i) {
    c[0] = addWrapping(c[0], i);
    c[1] = subtractWrapping(c[1], T(2));
    c[2] &= static_cast<T>(~(T(1) << (i % 16)));
    c[3] |= static_cast<T>(T(1) << (i % static_cast<T>(8 * sizeof(T) - 1)));
    c[4] ^= i;
    c[5] = std::min(c[5], subtractWrapping(T(3), i));
    c[6] = std::max(c[6], subtractWrapping(i, T(3)));
    c[7] = addWrapping(c[7], T(3));
  }
}

template <class T>
Case contendedCase(const std::string& type, const std::string& title) {
  return {.name = "contended_" + title,
          .kernel = "contended<" + type + ">",
          .launch = {.grid = {2}, .group = {32}},
          .arguments = {array(std::vector<T>{5, 6, static_cast<T>(-1), 0, 9, 10, 11, 1})},
          .reference = contended<T>};
}

template <class T>
void sums(Arguments& a, const DeviceInfo&) {
  T* const cells = a[1].as<T>();
  for (std::size_t i = 0; i < n; ++i) {
    cells[0] += a[0].as<T>()[i];
    cells[1] += a[0].as<T>()[i];
    a[2].as<T>()[i] = cells[2 + i];
    cells[2 + i] += a[0].as<T>()[i];
  }
}

template <class T>
Case sumsCase(const std::string& type) {
  return {.name = "sums_" + type,
          .kernel = "sums<" + type + ">",
          .launch = {.grid = {2}, .group = {32}},
          .arguments = {counting<T>(n, T(0.25), T(-3)), counting<T>(n + 2, T(0.5)), zeros<T>(n)},
          .reference = sums<T>};
}

template <class T>
Case ticketsCase(const std::string& type, const std::string& title) {
  return {.name = "tickets_" + title,
          .kernel = "tickets<" + type + ">",
          .launch = {.grid = {2}, .group = {32}},
          .arguments = {array(std::vector<T>{7}), zeros<T>(n)},
          .reference =
              [](Arguments& a, const DeviceInfo&) {
                std::iota(a[1].as<T>(), a[1].as<T>() + n, *a[0].as<T>());
                *a[0].as<T>() += static_cast<T>(n);
              },
          .normalise = [](Arguments& a) { std::sort(a[1].as<T>(), a[1].as<T>() + n); }};
}

unsigned increment(unsigned old, unsigned limit) {
  return old >= limit ? 0 : old + 1;
}
unsigned decrement(unsigned old, unsigned limit) {
  return old == 0 || old > limit ? limit : old - 1;
}

void wrapping(Arguments& a, const DeviceInfo&) {
  unsigned* const cells = a[1].as<unsigned>();
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned limit = a[0].as<unsigned>()[i];
    a[2].as<unsigned>()[2 * i] = cells[2 + 2 * i];
    a[2].as<unsigned>()[2 * i + 1] = cells[3 + 2 * i];
    cells[2 + 2 * i] = increment(cells[2 + 2 * i], limit);
    cells[3 + 2 * i] = decrement(cells[3 + 2 * i], limit);
    cells[0] = increment(cells[0], 9);
    cells[1] = decrement(cells[1], 9);
  }
}

Case wrappingCase() {
  std::vector<unsigned> limits, cells = {4, 4};
  for (unsigned i = 0; i < n; ++i) {
    limits.push_back(i % 5);
    for (int k = 0; k < 2; ++k) cells.push_back(i / 5 % 7);
  }
  limits[7] = ~0u;
  cells[2 + 2 * 7] = ~0u;
  cells[2 + 2 * 8] = ~0u;
  return {.name = "inc_and_dec",
          .kernel = "wrapping",
          .launch = {.grid = {2}, .group = {32}},
          .arguments = {array(limits), array(cells), zeros<unsigned>(2 * n)},
          .reference = wrapping};
}

template <class T>
void extremes(Arguments& a, const DeviceInfo&) {
  T* const cells = a[1].as<T>();
  const auto change = [](T& cell, T x, T& old, bool isMin) {
    old = cell;
    if (!std::isnan(x)) cell = isMin ? std::min(cell, x) : std::max(cell, x);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const T x = a[0].as<T>()[i];
    change(cells[2 + 2 * i], x, a[2].as<T>()[2 * i], true);
    change(cells[3 + 2 * i], x, a[2].as<T>()[2 * i + 1], false);
    T ignored{};
    change(cells[0], x, ignored, true);
    change(cells[1], x, ignored, false);
  }
}

template <class T>
Case extremesCase(const std::string& type) {
  std::vector<T> in, cells = {5, -5};
  for (std::size_t i = 0; i < n; ++i) {
    in.push_back(T(i * 37 % 64) * T(0.5) - 9);
    for (int k = 0; k < 2; ++k) cells.push_back(T(i % 5) - T(1.25));
  }
  in[9] = std::numeric_limits<T>::quiet_NaN();
  in[10] = -std::numeric_limits<T>::infinity();
  return {.name = "extremes_" + type,
          .kernel = "extremes<" + type + ">",
          .launch = {.grid = {2}, .group = {32}},
          .arguments = {array(in), array(cells), zeros<T>(2 * n)},
          .reference = extremes<T>};
}

void bits(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    float* const number = a[0].as<float>() + 2 * i;
    if (number[0] == number[1]) number[1] = number[0] * 2;
    number[0] += 1;
    auto* const pair = reinterpret_cast<unsigned char*>(a[1].bytes.data()) + 2 * i;
    auto* const old = reinterpret_cast<unsigned char*>(a[2].bytes.data()) + 4 * i;
    std::copy_n(pair, 2, old);
    old[2] = 7;
    old[3] = 9;
    pair[0] = static_cast<unsigned char>(1 + i);
    pair[1] = 2;
  }
}

/// Of a small number that half has exactly.
std::uint16_t halfBits(unsigned number) {
  if (number == 0) return 0;
  const int exponent = std::bit_width(number) - 1;
  const unsigned fraction = exponent > 10 ? number >> (exponent - 10) : number << (10 - exponent);
  return static_cast<std::uint16_t>((exponent + 15) << 10 | (fraction & 0x3ff));
}
std::uint16_t bfloatBits(unsigned number) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16);
}

/// Every sum is exact but that of the own cells, which is a tie: 1 more than the second odd multiple of 2.
template <class Bits>
Case smallSumsCase(const std::string& type, const std::string& title, std::uint16_t (*encoded)(unsigned),
                   unsigned odd) {
  constexpr bool isPair = sizeof(Bits) == 4;
  const auto both = [=](unsigned x, unsigned y) {
    return static_cast<Bits>(encoded(x) | (isPair ? static_cast<std::uint64_t>(encoded(y)) << 16 : 0));
  };
  std::vector<Bits> in = {both(4, 3), both(1, 1)}, cells = {both(2, 0), both(0, 1)};
  unsigned x = 1, y = 1;
  for (unsigned i = 1; i < n; ++i) {
    in.push_back(both(i % 3, i % 4));
    x += i % 3;
    y += i % 4;
  }
  cells.resize(n + 2, both(odd, odd));
  return {.name = "small_sums_" + title,
          .kernel = "small_sums<" + type + ">",
          .launch = {.grid = {2}, .group = {32}},
          .arguments = {array(in), array(cells), zeros<Bits>(n)},
          .reference = [=](Arguments& a, const DeviceInfo&) {
            Bits* const out = a[1].as<Bits>();
            out[0] = both(2 + x, y);
            out[1] = both(x + 8, y + 7);
            std::fill_n(out + 2, n, both(odd + 2, odd + 2));
            std::fill_n(a[2].as<Bits>(), n, both(odd, odd));
          }};
}

struct Wide {
  std::uint64_t low, high;
};
void wideValues(Arguments& a, const DeviceInfo&) {
  Wide* const cells = a[0].as<Wide>();
  Wide groups[2] = {{0, 5}, {0, 5}};
  for (std::uint64_t i = 0; i < n; ++i) {
    for (Wide* sum : {&cells[0], &groups[i / 32]}) {
      sum->low += 1;
      sum->high += i;
    }
    a[1].as<Wide>()[2 * i] = cells[2 + i];
    cells[2 + i] = a[1].as<Wide>()[2 * i + 1] = {i, ~std::uint64_t{0} - i};
  }
  cells[2] = {7, 8};
  cells[3] = {9, 10};
  for (const Wide& group : groups) {
    cells[1].low += group.low;
    cells[1].high ^= group.high;
  }
}

}  // namespace

std::vector<Case> cases_kernels_atomics() {
  std::vector<Case> out;
  const auto everyType = [&](const auto& add) {
    add(int{}, "int", "int");
    add(unsigned{}, "unsigned", "unsigned");
    add(long{}, "long", "long");
    add((unsigned long){}, "unsigned long", "ulong");
    add((signed char){}, "signed char", "schar");
    add((unsigned char){}, "unsigned char", "uchar");
    add(short{}, "short", "short");
    add((unsigned short){}, "unsigned short", "ushort");
  };
  everyType([&](auto zero, const char* type, const char* title) {
    using T = decltype(zero);
    out.push_back(aloneAtomicsCase<T>(type, title, "alone"));
    out.push_back(aloneAtomicsCase<T>(type, title, "alone_shared"));
    out.push_back(contendedCase<T>(type, title));
    out.push_back(ticketsCase<T>(type, title));
  });
  out.push_back(sumsCase<float>("float"));
  out.push_back(sumsCase<double>("double"));
  out.push_back(extremesCase<float>("float"));
  out.push_back(extremesCase<double>("double"));
  out.push_back({.name = "bits",
                 .kernel = "bits",
                 .launch = {.grid = {2}, .group = {32}},
                 .arguments = {array([] {
                                 std::vector<float> numbers;
                                 for (std::size_t i = 0; i < n; ++i) {
                                   numbers.push_back(static_cast<float>(i) - 20);
                                   numbers.push_back(static_cast<float>(i) - (i % 3 == 0 ? 20 : 19));
                                 }
                                 return numbers;
                               }()),
                               array(scrambled<std::uint16_t>(n, 34)), zeros<std::uint16_t>(2 * n)},
                 .reference = bits});
  out.push_back(smallSumsCase<std::uint16_t>("_Float16", "half", halfBits, 2050));
  out.push_back(smallSumsCase<std::uint16_t>("__bf16", "bfloat", bfloatBits, 258));
  out.push_back(smallSumsCase<std::uint32_t>("lathe::half2", "half2", halfBits, 2050));
  out.push_back(smallSumsCase<std::uint32_t>("lathe::bf16x2", "bfloat2", bfloatBits, 258));
  out.push_back({.name = "wide_values",
                 .kernel = "wide_values",
                 .launch = {.grid = {2}, .group = {32}},
                 .arguments = {array(scrambled<std::uint64_t>(2 * (n + 2), 35)), zeros<std::uint64_t>(4 * n)},
                 .reference = wideValues});
  out.push_back(wrappingCase());
  out.push_back({.name = "orders_and_scopes",
                 .kernel = "scopes",
                 .launch = {.grid = {2}, .group = {40}},
                 .arguments = {counting<int>(8)},
                 .reference = [](Arguments& a, const DeviceInfo&) {
                   for (int k = 0; k < 8; ++k) a[0].as<int>()[k] += 80 * (k < 5 ? k + 1 : k - 4);
                 }});
  out.push_back({.name = "publication",
                 .kernel = "publish",
                 .launch = {.grid = {8}, .group = {16}},
                 .arguments = {zeros<int>(1), zeros<int>(1), zeros<int>(128)},
                 .reference = [](Arguments& a, const DeviceInfo&) {
                   *a[0].as<int>() = 42;
                   *a[1].as<int>() = 1;
                   std::fill_n(a[2].as<int>(), 128, 42);
                 }});
  return out;
}

}  // namespace lathe::conformance
