// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of warp_words.cu: warps of 32 on every target. A shuffle from outside its part of the warp gives the
// thread's own value.
#include <algorithm>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

using U32 = std::uint32_t;
constexpr std::size_t n = 128;

void unmasked(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t lane = i % 32;
    const int* const warp = in + (i - lane);
    U32 ballot = 0;
    for (std::size_t k = 0; k < 32; ++k) ballot |= U32{warp[k] > 0} << k;
    const std::size_t up = lane % 16 < 2 ? lane : lane - 2, down = lane + 5 < 32 ? lane + 5 : lane;
    const U32 row[] = {static_cast<U32>(warp[lane / 8 * 8 + 3]),
                       static_cast<U32>(warp[up]),
                       static_cast<U32>(warp[down]),
                       static_cast<U32>(warp[lane ^ 9]),
                       ballot,
                       ballot != 0,
                       ballot == ~U32{0},
                       ballot == 0 || ballot == ~U32{0}};
    std::copy(std::begin(row), std::end(row), a[1].as<U32>() + 8 * i);
  }
}

void reduced(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t first = i / 32 * 32;
    U32 sum = 0, least = ~U32{0}, most = 0, all = ~U32{0}, any = 0, odd = 0;
    int lowest = in[first], highest = in[first];
    bool same = true, sameWide = true;
    const auto narrow = [&](std::size_t k) { return in[k] > 0 ? 5 : 5 + static_cast<int>(k / 96); };
    const auto wide = [&](std::size_t k) { return in[k] > 0 ? 0 : k / 64; };
    for (std::size_t k = first; k < first + 32; ++k) {
      const auto u = static_cast<U32>(in[k]);
      sum += u, least = std::min(least, u), most = std::max(most, u);
      lowest = std::min(lowest, in[k]), highest = std::max(highest, in[k]);
      all &= u | 0x10, any |= u & 0xff00ff, odd ^= u;
      same = same && narrow(k) == narrow(first);
      sameWide = sameWide && wide(k) == wide(first);
    }
    const U32 row[] = {sum,
                       least,
                       most,
                       sum,
                       static_cast<U32>(lowest),
                       static_cast<U32>(highest),
                       all,
                       any,
                       odd,
                       same ? ~U32{0} : 0,
                       same,
                       sameWide ? ~U32{0} : 0,
                       sameWide};
    std::copy(std::begin(row), std::end(row), a[1].as<U32>() + 13 * i);
  }
}

void grouped(Arguments& a, const DeviceInfo&) {
  std::vector<int> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = a[0].as<int>()[i] % 1000;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t warp = i / 32 * 32, tile = i / 8 * 8;
    int* const row = a[1].as<int>() + 13 * i;
    int before = 0, beforeInTile = 0, most = x[tile], size[2] = {}, rank[2] = {}, sum = 0, scan = 0, least = x[warp];
    for (std::size_t k = warp; k < i; ++k) before += x[k];
    for (std::size_t k = tile; k < i; ++k) beforeInTile += x[k];
    for (std::size_t k = tile; k <= i; ++k) most = std::max(most, x[k]);
    for (std::size_t k = warp; k < warp + 32; ++k) {
      least = std::min(least, x[k]);
      const bool alike[] = {(x[k] & 1) == (x[i] & 1), (x[k] & 3) == (x[i] & 3)};
      for (std::size_t which = 0; which < 2; ++which) size[which] += alike[which], rank[which] += alike[which] && k < i;
      if (alike[0]) sum += x[k];
      if (alike[1] && k < i) scan += x[k];
    }
    const int values[] = {before + x[i],
                          before,
                          most,
                          beforeInTile,
                          size[0] * 100 + rank[0],
                          sum,
                          size[1] * 100 + rank[1],
                          scan + x[i],
                          scan,
                          8010,
                          (x[i] & 2) != 0,
                          least,
                          x[tile] * 2};
    std::copy(std::begin(values), std::end(values), row);
  }
}

/// A warp whose numbers are all positive, one whose are none, and two of both.
std::vector<int> numbers() {
  auto out = scrambled<int>(n, 1001);
  for (std::size_t i = 0; i < 32; ++i) {
    out[i] = (out[i] & 0x7fffffff) | 1;
    out[32 + i] = -(out[32 + i] & 0x7fffffff);
  }
  return out;
}

Case makeCase(const char* kernel, std::size_t columns, void (*reference)(Arguments&, const DeviceInfo&)) {
  return {.name = kernel,
          .kernel = kernel,
          .launch = {.grid = {2}, .group = {n / 2}},
          .arguments = {array(numbers()), zeros<U32>(columns * n)},
          .reference = reference};
}

}  // namespace

std::vector<Case> cases_cuda_warp_words() {
  return {makeCase("unmasked", 8, unmasked), makeCase("reduced", 13, reduced), makeCase("grouped", 13, grouped)};
}

}  // namespace lathe::conformance
