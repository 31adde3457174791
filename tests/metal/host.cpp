// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of kernels.metal, which Lathe wrote of kernels.cpp, on threads of the host and compares what they
// write with the host's own code. Prints the kernels that differ; the exit status says how many do.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "functions.h"
#include "kernels.metal"

namespace {

int failures = 0;

template <class Launch>
void launch(unsigned groups, unsigned items, Launch call) {
  for (unsigned g = 0; g < groups; ++g) {
    Group shared(items);
    std::vector<ItemThread> threads;
    for (unsigned i = 0; i < items; ++i) {
      threads.emplace_back([&, i] {
        group = &shared;
        item = i;
        call(metal::uint3{i, 0, 0}, metal::uint3{g, 0, 0}, metal::uint3{items, 1, 1}, metal::uint3{groups, 1, 1},
             i % 32);
        shared.all.arrive_and_drop();
      });
    }
    for (ItemThread& one : threads) one.join();
  }
}

template <class T>
uchar* bytes(std::vector<T>& values) {
  return reinterpret_cast<uchar*>(values.data());
}

template <class T>
void expectEqual(const char* name, const std::vector<T>& got, const std::vector<T>& wanted) {
  if (std::memcmp(got.data(), wanted.data(), wanted.size() * sizeof(T)) == 0) return;
  std::printf("%s differs from the host\n", name);
  ++failures;
}

/// True if the two are equal, or at most `places` floats apart.
bool isNear(float got, float wanted, int places) {
  if (got == wanted || (std::isnan(got) && std::isnan(wanted))) return true;
  return std::fabs(got - wanted) <= static_cast<float>(places) * std::fabs(std::nextafter(wanted, INFINITY) - wanted);
}

void rareFunctions();

unsigned seed = 1;
int random(int most) {
  seed = seed * 1664525U + 1013904223U;
  return static_cast<int>((seed >> 8) % static_cast<unsigned>(2 * most + 1)) - most;
}

/// The type of a kernel's first parameter.
template <class First, class... Rest>
std::remove_cvref_t<First> givenType(void (*)(First, Rest...));

constexpr unsigned n = 200, items = 64, groups = 4;
// Kernels take their parameters by reference and in address spaces.
#define LAUNCH(name, ...) \
  launch(groups, items, [&](auto i, auto g, auto s, auto c, uint l) { name(__VA_ARGS__, i, g, s, c, l); })

/// Functions that the language lacks, and conversions that saturate, beside the C library's.
void rareFunctions() {
  std::vector<float> x = {0.0f,    -0.0f, 1.0f,  -1.0f, INFINITY, -INFINITY,     NAN,           1e-45f,
                          -1e-40f, 3e38f, -2.5f, 3.0f,  0.5f,     2147483648.0f, 1.8446744e19f, 1e-30f};
  std::vector<float> y(x.size(), 2.0f);
  y[4] = 1.0f;
  y[9] = 2.5e38f;
  while (x.size() < n) {
    x.push_back(std::ldexp(static_cast<float>(random(4000)), random(20) - 12));
    y.push_back(std::ldexp(static_cast<float>(random(4000)), random(20) - 12));
  }
  std::vector<float> out(6 * n);
  std::vector<int> whole(n);
  std::vector<ulong> wide(n);
  LAUNCH(rare, n, bytes(x), bytes(y), bytes(out), bytes(whole), bytes(wide));
  for (unsigned i = 0; i < n; ++i) {
    const float wanted[6] = {std::hypot(x[i], y[i]),     std::cbrt(x[i]),
                             std::log1p(x[i]),           std::expm1(x[i]),
                             std::remainder(x[i], y[i]), std::hypot(x[i] * 1e30f, y[i] * 1e-30f)};
    for (unsigned k = 0; k < 6; ++k) {
      const float got = out[6 * i + k];
      if (isNear(got, wanted[k], k == 4 ? 0 : 4) && (std::isnan(got) || std::signbit(got) == std::signbit(wanted[k])))
        continue;
      std::printf("function %u of %a, %a: %a, the host has %a\n", k, x[i], y[i], out[6 * i + k], wanted[k]);
      ++failures;
    }
    const double value = x[i], below = -2147483648.0, above = 2147483647.0;
    const int number = std::isnan(x[i]) ? 0 : static_cast<int>(std::clamp(value, below, above));
    const ulong large = !(x[i] > 0) ? 0 : x[i] >= 18446744073709551616.0f ? ~0UL : static_cast<ulong>(x[i]);
    if (whole[i] == number && wide[i] == large) continue;
    std::printf("%a becomes %d and %lu, not %d and %lu\n", x[i], whole[i], wide[i], number, large);
    ++failures;
  }
}

}  // namespace

int main() {
  std::vector<int> ints(n), others(n), outInts(n), wantInts(n);
  std::vector<float> floats1(n), floats2(n), outFloats(n), wantFloats(n);
  std::vector<short> shorts(n), outShorts(n), wantShorts(n);
  std::vector<uchar> chars(n);
  std::vector<long> outLongs(n), wantLongs(n);
  std::vector<Pair> pairs(n), outPairs(n), wantPairs(n);
  std::vector<uint> uints(n);
  for (unsigned i = 0; i < n; ++i) {
    ints[i] = random(i % 3 == 0 ? 100 : 2000000000);
    others[i] = random(100);
    floats1[i] = static_cast<float>(random(4000)) / 64.0f;
    floats2[i] = i % 7 == 0 ? floats1[i] : static_cast<float>(random(4000)) / 32.0f;
    shorts[i] = static_cast<short>(random(32767));
    chars[i] = static_cast<uchar>(random(127) + 127);
    uints[i] = static_cast<uint>(random(500) + 500);
    pairs[i] = {random(1000), shorts[i], chars[i]};
  }
  floats1[3] = NAN;

  outFloats = floats2;
  LAUNCH(saxpy, n, 2.5f, bytes(floats1), bytes(outFloats));
  for (unsigned i = 0; i < n; ++i) wantFloats[i] = 2.5f * floats1[i] + floats2[i];
  expectEqual("saxpy", outFloats, wantFloats);

  LAUNCH(integers, n, bytes(ints), bytes(others), bytes(outInts));
  for (unsigned i = 0; i < n; ++i) wantInts[i] = integerMix(ints[i], others[i]);
  expectEqual("integers", outInts, wantInts);

  LAUNCH(narrow, n, bytes(shorts), bytes(chars), bytes(outShorts), bytes(outLongs));
  for (unsigned i = 0; i < n; ++i) wantShorts[i] = narrowMix(shorts[i], chars[i]);
  for (unsigned i = 0; i < n; ++i) wantLongs[i] = wideMix(shorts[i], chars[i]);
  expectEqual("narrow", outShorts, wantShorts);
  expectEqual("narrow (wide)", outLongs, wantLongs);

  LAUNCH(branches, n, bytes(others), bytes(outInts));
  for (unsigned i = 0; i < n; ++i) wantInts[i] = branchMix(others.data(), n, i);
  expectEqual("branches", outInts, wantInts);

  floats1[3] = 1.0f;
  LAUNCH(floats, n, bytes(floats1), bytes(floats2), bytes(outFloats));
  for (unsigned i = 0; i < n; ++i) wantFloats[i] = floatMix(floats1[i], floats2[i]);
  expectEqual("floats", outFloats, wantFloats);

  const Settings settings = {n, 0.0, {3, -5, 11}};
  outPairs = wantPairs = pairs;
  const auto& given = reinterpret_cast<const decltype(givenType(structures))&>(settings);
  LAUNCH(structures, given, bytes(pairs), bytes(outPairs));
  for (unsigned i = 0; i < n; ++i) wantPairs[i] = settle(settings, pairs[i]);
  for (unsigned i = 0; i < n; ++i) {
    if (outPairs[i].first == wantPairs[i].first && outPairs[i].second == wantPairs[i].second &&
        outPairs[i].third == wantPairs[i].third)
      continue;
    std::printf("structures differs from the host\n");
    ++failures;
    break;
  }

  std::vector<float> sums(groups), wantSums(groups);
  LAUNCH(group_sum, n, bytes(floats1), bytes(sums));
  for (unsigned g = 0; g < groups; ++g) {
    for (unsigned i = g * items; i < std::min(n, (g + 1) * items); ++i) wantSums[g] += floats1[i];  // exact: 64ths
  }
  expectEqual("group_sum", sums, wantSums);

  std::vector<uint> counts(16), wantCounts(16);
  std::vector<int> least(1), wantLeast(1);
  std::vector<float> sum(1), wantSum(1);
  LAUNCH(histogram, n, bytes(uints), bytes(counts), bytes(least), bytes(sum));
  for (unsigned i = 0; i < n; ++i) {
    ++wantCounts[uints[i] % 16];
    wantLeast[0] = std::min(wantLeast[0], static_cast<int>(uints[i]) - 1000);
    wantSum[0] += 0.5f;
  }
  expectEqual("histogram", counts, wantCounts);
  expectEqual("histogram (least)", least, wantLeast);
  expectEqual("histogram (sum)", sum, wantSum);

  rareFunctions();

  const float values[8] = {1.5f, -2.0f, 0.1f, 3e10f, 1e-40f, 7.0f, -0.0f, 0.25f};
  LAUNCH(table, n, bytes(uints), bytes(outFloats));
  for (unsigned i = 0; i < n; ++i) wantFloats[i] = values[uints[i] % 8];
  expectEqual("table", outFloats, wantFloats);

  if (failures == 0) std::printf("all kernels agree with the host\n");
  return failures;
}
