// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of atomics.cpp. Of contended cells only what does not depend on the order is compared.
#include <algorithm>
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

}  // namespace

std::vector<Case> cases_kernels_atomics() {
  std::vector<Case> out;
  const auto everyType = [&](const auto& add) {
    add(int{}, "int", "int");
    add(unsigned{}, "unsigned", "unsigned");
    add(long{}, "long", "long");
    add((unsigned long){}, "unsigned long", "ulong");
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
