// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of library.cpp, by the host's library.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int items = 16;

struct Keyed {
  std::int32_t key;
  float value;
};

/// Keys are all different: their order says everything.
std::vector<Keyed> keyedValues(std::size_t n) {
  std::vector<Keyed> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back({static_cast<std::int32_t>(i * 7919 % 10007), static_cast<float>(i) / 2});
  return out;
}

Case sortedCase(int length) {
  const auto n = static_cast<std::size_t>(items * length);
  std::vector<float> numbers;
  for (const std::int16_t x : scrambled<std::int16_t>(n, 51)) numbers.push_back(static_cast<float>(x % 50) / 4);
  return {.name = "sorted_" + std::to_string(length),
          .kernel = "sorted",
          .launch = {.grid = {2}, .group = {items / 2}},
          .arguments = {array(numbers), array(keyedValues(n)), array(scrambled<std::int32_t>(n, 52)), value(length)},
          .reference = [=](Arguments& a, const DeviceInfo&) {
            for (int i = 0; i < items; ++i) {
              const int count = length - 7 * i;
              float* const numbers = a[0].as<float>() + i * length;
              std::sort(numbers, numbers + count);
              Keyed* const keyed = a[1].as<Keyed>() + i * length;
              std::sort(keyed, keyed + count, [](const Keyed& x, const Keyed& y) { return y.key < x.key; });
              std::int32_t* const ranged = a[2].as<std::int32_t>() + i * length;
              std::sort(ranged, ranged + count, std::greater<>());
              std::sort(ranged, ranged + 5);
            }
          }};
}

constexpr int length = 11;

/// Of few letters, so that much is alike.
std::vector<char> texts() {
  std::vector<char> out;
  for (const std::uint32_t x : scrambled<std::uint32_t>(items * (length + 1), 53))
    out.push_back(static_cast<char>(out.size() % (length + 1) == length ? 0 : 'a' + x % 4));
  return out;
}

void searched(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < items; ++i) {
    const std::string mine = a[0].as<char>() + i * (length + 1),
                      other = a[0].as<char>() + (i + 1) % items * (length + 1);
    const auto position = [](std::size_t at, int none) {
      return at == std::string::npos ? none : static_cast<int>(at);
    };
    const int answers[8] = {position(mine.find('c'), length), position(mine.find("ba"), -1),
                            mine<other, mine.substr(0, 2) == other.substr(0, 2), length, mine[0]> other[0],
                            position(mine.find('b'), -1), mine < other};
    std::copy(answers, answers + 8, a[2].as<int>() + 8 * i);
  }
}

std::vector<Keyed> repeatedKeys(std::size_t n) {
  std::vector<Keyed> out = keyedValues(n);
  for (Keyed& one : out) one.key %= 7;
  return out;
}

void stable(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < items; ++i) {
    Keyed* const mine = a[0].as<Keyed>() + i * 150;
    std::stable_sort(mine, mine + 150, [](const Keyed& x, const Keyed& y) { return x.key < y.key; });
  }
}

void between(Arguments& a, const DeviceInfo&) {
  const float* const x = a[0].as<float>();
  float* const out = a[1].as<float>();
  for (int i = 0; i < items; ++i) {
    out[4 * i] = std::lerp(x[i], x[i + 1], 0.25f);
    out[4 * i + 1] = x[i + 1];
    out[4 * i + 2] = std::hypot(x[i], x[i + 1], x[i + 2]);
    out[4 * i + 3] = static_cast<float>(std::lerp(1.0, 3.0, static_cast<double>(x[i])));
  }
}

void moved(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < items; ++i) {
    const int x = a[0].as<int>()[i];
    std::array<unsigned char, 40> bytes{};
    for (std::size_t n = 0; n < bytes.size(); ++n) bytes[n] = static_cast<unsigned char>(x + static_cast<int>(n));
    std::memmove(bytes.data() + 1, bytes.data() + 3, 12);
    std::memmove(bytes.data() + 22, bytes.data() + 20, 13);
    for (std::size_t n = 0; n < bytes.size(); ++n)
      a[1].as<unsigned char>()[bytes.size() * i + n] = bytes[(n + static_cast<std::size_t>(x)) % bytes.size()];
  }
}

}  // namespace

std::vector<Case> cases_kernels_library() {
  return {sortedCase(110),
          sortedCase(300),
          {.name = "searched",
           .kernel = "searched",
           .launch = {.grid = {2}, .group = {items / 2}},
           .arguments = {array(texts()), value(length), zeros<int>(8 * items)},
           .reference = searched},
          {.name = "stable",
           .kernel = "stable",
           .launch = {.grid = {2}, .group = {items / 2}},
           .arguments = {array(repeatedKeys(items * 150)), value(150)},
           .reference = stable},
          {.name = "between",
           .kernel = "between",
           .launch = {.grid = {2}, .group = {items / 2}},
           .arguments = {counting<float>(items + 2, 0.75f, -9), zeros<float>(4 * items)},
           .reference = between,
           .tolerances = {{.ulp = 4, .absolute = 1e-6}}},
          {.name = "moved",
           .kernel = "moved",
           .launch = {.grid = {2}, .group = {items / 2}},
           .arguments = {counting<int>(items, 5, 3), zeros<unsigned char>(std::size_t{40} * items)},
           .reference = moved}};
}

}  // namespace lathe::conformance
