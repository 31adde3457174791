// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of simd_words.cu: lanes taken apart and put together again.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t words = 128, functions = 82;

struct Output {
  Arguments& arguments;
  std::size_t function = 0;

  /// One function of lanes of type Lane, whose result a lane holds the lowest bits of.
  template <class Lane, class F>
  void put(const F& of) {
    for (std::size_t i = 0; i < words; ++i) {
      Lane x[4 / sizeof(Lane)], y[4 / sizeof(Lane)];
      std::memcpy(x, arguments[0].as<unsigned>() + i, 4);
      std::memcpy(y, arguments[1].as<unsigned>() + i, 4);
      for (std::size_t lane = 0; lane < 4 / sizeof(Lane); ++lane)
        x[lane] = static_cast<Lane>(of(int{x[lane]}, int{y[lane]}));
      std::memcpy(arguments[2].as<unsigned>() + function * words + i, x, 4);
    }
    ++function;
  }
  template <class F>
  void ofSigned(const F& of) {
    put<std::int16_t>([&](int x, int y) { return of(x, y, -32768, 32767); });
    put<std::int8_t>([&](int x, int y) { return of(x, y, -128, 127); });
  }
  template <class F>
  void ofUnsigned(const F& of) {
    put<std::uint16_t>([&](int x, int y) { return of(x, y, 0, 65535); });
    put<std::uint8_t>([&](int x, int y) { return of(x, y, 0, 255); });
  }
  /// All ones where it holds, then one.
  template <bool Signed, class F>
  void compared(const F& holds) {
    for (const int yes : {-1, 1}) {
      const auto of = [&](int x, int y, int, int) { return holds(x, y) ? yes : 0; };
      if constexpr (Signed)
        ofSigned(of);
      else
        ofUnsigned(of);
    }
  }
  /// The sum of all lanes' differences.
  template <class Lane>
  void putSum() {
    for (std::size_t i = 0; i < words; ++i) {
      Lane x[4 / sizeof(Lane)], y[4 / sizeof(Lane)];
      std::memcpy(x, arguments[0].as<unsigned>() + i, 4);
      std::memcpy(y, arguments[1].as<unsigned>() + i, 4);
      unsigned sum = 0;
      for (std::size_t lane = 0; lane < 4 / sizeof(Lane); ++lane)
        sum += static_cast<unsigned>(std::abs(x[lane] - y[lane]));
      arguments[2].as<unsigned>()[function * words + i] = sum;
    }
    ++function;
  }
};

void all(Arguments& a, const DeviceInfo&) {
  Output out{a};
  const auto clamped = [](int x, int least, int most) { return std::clamp(x, least, most); };
  const auto difference = [](int x, int y, int, int) { return std::abs(x - y); };
  out.ofUnsigned([](int x, int y, int, int) { return x + y; });
  out.ofUnsigned([](int x, int y, int, int) { return x - y; });
  out.ofSigned([&](int x, int y, int l, int m) { return clamped(x + y, l, m); });
  out.ofUnsigned([&](int x, int y, int l, int m) { return clamped(x + y, l, m); });
  out.ofSigned([&](int x, int y, int l, int m) { return clamped(x - y, l, m); });
  out.ofUnsigned([&](int x, int y, int l, int m) { return clamped(x - y, l, m); });
  // Half numbers are rounded away from zero.
  out.ofSigned([](int x, int y, int, int) { return x + y >= 0 ? (x + y + 1) / 2 : -((-(x + y) + 1) / 2); });
  out.ofUnsigned([](int x, int y, int, int) { return (x + y + 1) / 2; });
  out.ofUnsigned([](int x, int y, int, int) { return (x + y) / 2; });
  out.ofSigned([](int x, int y, int, int) { return std::max(x, y); });
  out.ofUnsigned([](int x, int y, int, int) { return std::max(x, y); });
  out.ofSigned([](int x, int y, int, int) { return std::min(x, y); });
  out.ofUnsigned([](int x, int y, int, int) { return std::min(x, y); });
  out.compared<false>(std::equal_to<>());
  out.compared<false>(std::not_equal_to<>());
  out.compared<true>(std::greater<>());
  out.compared<false>(std::greater<>());
  out.compared<true>(std::greater_equal<>());
  out.compared<false>(std::greater_equal<>());
  out.compared<true>(std::less<>());
  out.compared<false>(std::less<>());
  out.compared<true>(std::less_equal<>());
  out.compared<false>(std::less_equal<>());
  out.ofSigned(difference);
  out.ofUnsigned(difference);
  out.putSum<std::int16_t>();
  out.putSum<std::int8_t>();
  out.putSum<std::uint16_t>();
  out.putSum<std::uint8_t>();
  out.ofSigned([](int x, int, int, int) { return std::abs(x); });
  out.ofSigned([&](int x, int, int l, int m) { return clamped(std::abs(x), l, m); });
  out.ofSigned([](int x, int, int, int) { return -x; });
  out.ofSigned([&](int x, int, int l, int m) { return clamped(-x, l, m); });
}

/// Equal lanes and the least numbers are among them.
std::vector<unsigned> operands(std::uint64_t seed) {
  std::vector<unsigned> out = scrambled<unsigned>(words, seed);
  for (std::size_t i = 0; i < words; i += 5) out[i] = 0x80007f80u;
  for (std::size_t i = 0; i < words; i += 7) out[i] &= 0xff00ffffu;
  return out;
}

}  // namespace

std::vector<Case> cases_cuda_simd_words() {
  return {{.name = "all",
           .kernel = "simdWords",
           .launch = {.grid = {2}, .group = {64}},
           .arguments = {array(operands(81)), array(operands(82)), zeros<unsigned>(words * functions),
                         value(static_cast<int>(words))},
           .reference = all}};
}

}  // namespace lathe::conformance
