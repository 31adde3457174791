// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of dpx.cu: each lane as a 64-bit number, wrapped where CUDA's sums wrap.
#include <algorithm>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

using Wide = std::int64_t;
constexpr std::size_t n = 64;

/// Lanes of `bits` bits.
struct Lanes {
  int bits;
  bool isSigned;

  [[nodiscard]] Wide at(std::uint32_t word, int i) const {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    return wrapped(static_cast<Wide>(word >> (i * bits % 32) & mask));
  }
  [[nodiscard]] Wide wrapped(Wide x) const {
    const Wide range = Wide{1} << bits;
    x = ((x % range) + range) % range;
    return isSigned && x >= range / 2 ? x - range : x;
  }
  template <class Function>
  [[nodiscard]] std::uint32_t each(Function function) const {
    std::uint64_t out = 0;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    for (int i = 0; i < 32 / bits; ++i) out |= (static_cast<std::uint64_t>(function(i)) & mask) << (i * bits);
    return static_cast<std::uint32_t>(out);
  }
};
constexpr Lanes s32{32, true}, u32{32, false}, s16{16, true}, u16{16, false};

void all(Arguments& arguments, const DeviceInfo&) {
  for (std::size_t item = 0; item < n; ++item) {
    const std::uint32_t* const in = arguments[0].as<std::uint32_t>() + 3 * item;
    std::uint32_t* to = arguments[1].as<std::uint32_t>() + 40 * item;
    const auto three = [&](auto function) {
      const auto of = [&](const Lanes& lanes, Wide least) {
        *to++ = lanes.each([&](int i) {
          return std::max(function(lanes, lanes.at(in[0], i), lanes.at(in[1], i), lanes.at(in[2], i)), least);
        });
      };
      constexpr Wide any = -(Wide{1} << 40);
      of(s32, any);
      of(u32, any);
      of(s16, any);
      of(u16, any);
      of(s32, 0);
      of(s16, 0);
    };
    three([](const Lanes& l, Wide x, Wide y, Wide z) { return std::max(l.wrapped(x + y), z); });
    three([](const Lanes& l, Wide x, Wide y, Wide z) { return std::min(l.wrapped(x + y), z); });
    three([](const Lanes&, Wide x, Wide y, Wide z) { return std::max({x, y, z}); });
    three([](const Lanes&, Wide x, Wide y, Wide z) { return std::min({x, y, z}); });
    for (const Lanes& lanes : {s32, s16}) {
      const auto at = [&](int k, int i) { return lanes.at(in[k], i); };
      *to++ = lanes.each([&](int i) { return std::max({at(0, i), at(1, i), Wide{0}}); });
      *to++ = lanes.each([&](int i) { return std::max(std::min(at(0, i), at(1, i)), Wide{0}); });
    }
    for (const bool larger : {true, false}) {
      for (const Lanes& lanes : {s32, u32, s16, u16}) {
        *to++ = lanes.each([&](int i) {
          const Wide x = lanes.at(in[0], i), y = lanes.at(in[1], i);
          const bool first = larger ? x >= y : x <= y;
          return (first ? x : y) ^ (first ? 1 : 0);
        });
      }
    }
  }
}

}  // namespace

std::vector<Case> cases_cuda_dpx() {
  std::vector<std::uint32_t> in = scrambled<std::uint32_t>(3 * n, 61);
  for (std::size_t i = 0; i < 12; i += 3) in[i + 1] = in[i];  // equals
  return {{.name = "all",
           .kernel = "all",
           .launch = {.grid = {2}, .group = {n / 2}},
           .arguments = {array(in), zeros<std::uint32_t>(40 * n)},
           .reference = all}};
}

}  // namespace lathe::conformance
