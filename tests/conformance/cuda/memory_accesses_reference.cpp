// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of memory_accesses.cu: six elements a thread, in the opposite order.
#include <algorithm>
#include <array>
#include <bit>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 32;

template <std::size_t Bytes>
Case hinted(const char* kernel) {
  using Element = std::array<std::uint8_t, Bytes>;
  return {.name = kernel,
          .kernel = kernel,
          .launch = {.group = {n}},
          .arguments = {array(scrambled<std::uint8_t>(6 * n * Bytes, 1011)), zeros<std::uint8_t>(6 * n * Bytes)},
          .reference = [](Arguments& a, const DeviceInfo&) {
            for (std::size_t i = 0; i < n; ++i)
              std::reverse_copy(a[0].as<Element>() + 6 * i, a[0].as<Element>() + 6 * (i + 1),
                                a[1].as<Element>() + 6 * i);
          }};
}

struct __attribute__((packed)) Tagged {
  unsigned char tag;
  float number;
};

void floatParts(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const float number = a[0].as<float>()[i] * 3;
    a[1].as<std::uint8_t>()[i] = static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(number));
    a[2].as<std::uint16_t>()[i] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(number - 1));
    a[3].as<Tagged>()[i] = {static_cast<unsigned char>(i), number + 2};
  }
}

void doubleParts(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const double x = a[0].as<double>()[i];
    a[1].as<std::uint8_t>()[i] = static_cast<std::uint8_t>(std::bit_cast<std::uint64_t>(x * 3));
    a[2].as<std::uint16_t>()[i] = static_cast<std::uint16_t>(std::bit_cast<std::uint64_t>(x + 7));
    a[3].as<std::uint32_t>()[i] = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x / 3));
  }
}

}  // namespace

std::vector<Case> cases_cuda_memory_accesses() {
  return {hinted<1>("bytes"),
          hinted<2>("shorts"),
          hinted<4>("words"),
          hinted<8>("longs"),
          hinted<16>("pairs"),
          hinted<16>("fours"),
          {.name = "watched",
           .kernel = "watched",
           .launch = {.group = {n}},
           .arguments = {counting<int>(n, 3, 1), zeros<int>(n), zeros<int>(n)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 for (std::size_t i = 0; i < n; ++i) {
                   const int x = a[0].as<int>()[i];
                   a[1].as<int>()[i] = x + 2;
                   a[2].as<int>()[i] = x + 1000 * (x + 1) + 1000000 * (x + 2);
                 }
               }},
          {.name = "shared",
           .kernel = "shared",
           .launch = {.group = {64}},
           .arguments = {counting<int>(64, 7, -5), zeros<int>(128)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 for (int i = 0; i < 64; ++i) {
                   a[1].as<int>()[2 * i] = a[0].as<int>()[63 - i];
                   a[1].as<int>()[2 * i + 1] = 4 * (63 - i);
                 }
               }},
          {.name = "float_parts",
           .kernel = "floatParts",
           .launch = {.group = {n}},
           .arguments = {counting<float>(n, 1.1f, 0.3f), zeros<std::uint8_t>(n), zeros<std::uint16_t>(n),
                         zeros<std::uint8_t>(n * sizeof(Tagged))},
           .reference = floatParts},
          {.name = "double_parts",
           .kernel = "doubleParts",
           .launch = {.group = {n}},
           .arguments = {counting<double>(n, 1.1, 0.3), zeros<std::uint8_t>(n), zeros<std::uint16_t>(n),
                         zeros<std::uint32_t>(n)},
           .reference = doubleParts},
          {.name = "clocks",
           .kernel = "clocks",
           .launch = {.group = {n}},
           .arguments = {zeros<int>(n)},
           .reference = [](Arguments& a, const DeviceInfo&) { std::fill_n(a[0].as<int>(), n, 1); }}};
}

}  // namespace lathe::conformance
