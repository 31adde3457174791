// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of rocprim_sorts.hip.
#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int threads = 48, items = 3, count = threads * items;

/// Places of the first `n` of `all` items in the order that `below` gives, and of the others as they are.
template <class T, class Below>
std::vector<std::uint16_t> order(const T* in, int n, int all, Below below) {
  std::vector<std::uint16_t> places(static_cast<std::size_t>(all));
  std::iota(places.begin(), places.end(), static_cast<std::uint16_t>(0));
  std::stable_sort(places.begin(), places.begin() + n, [&](int a, int b) { return below(in[a], in[b]); });
  return places;
}

void sorts(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  const std::less<int> up;
  const std::greater<int> down;
  const std::vector<std::uint16_t> rows[] = {order(in, count, count, up), order(in, count, count, down),
                                             order(in, 101, count, up),   order(in, 2, count, down),
                                             order(in, count, count, up), order(in, 143, count, down)};
  for (int row = 0; row < 6; ++row) {
    for (int i = 0; i < count; ++i) {
      const std::uint16_t place = rows[row][static_cast<std::size_t>(i)];
      a[1].as<int>()[row * count + i] = in[place];
      a[2].as<std::uint16_t>()[row * count + i] = row < 4 ? place : static_cast<std::uint16_t>(i);
    }
  }
  const std::vector<std::uint16_t> singles[] = {order(in, threads, threads, up), order(in, threads, threads, down),
                                                order(in, 33, threads, up), order(in, threads, threads, up)};
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < threads; ++i) {
      const std::uint16_t place = singles[row][static_cast<std::size_t>(i)];
      a[3].as<int>()[row * threads + i] = in[place];
      a[4].as<std::uint16_t>()[row * threads + i] = row < 3 ? place : static_cast<std::uint16_t>(i);
    }
  }
}

/// Writes the items' ranks by a digit.
template <class T, class DigitOf>
void rank(const T* in, int n, std::uint32_t* out, bool descending, DigitOf digitOf) {
  const auto places =
      order(in, n, n, [&](T x, T y) { return descending ? digitOf(y) < digitOf(x) : digitOf(x) < digitOf(y); });
  for (int i = 0; i < n; ++i) out[places[static_cast<std::size_t>(i)]] = static_cast<std::uint32_t>(i);
}
/// Writes the numbers of items with lower digits, and those of each digit's items.
template <class T, class DigitOf>
void countDigits(const T* in, int n, int digits, std::uint32_t* prefixes, std::uint32_t* counts, DigitOf digitOf) {
  for (int i = 0; i < n; ++i) {
    ++counts[digitOf(in[i])];
    for (int digit = 0; digit < digits; ++digit) prefixes[digit] += static_cast<int>(digitOf(in[i])) < digit;
  }
}

void ranks(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  std::uint32_t* const out = a[1].as<std::uint32_t>();
  const auto highest = [](int x) { return (static_cast<std::uint32_t>(x) ^ 1u << 31) >> 28; };
  const auto eleventh = [](int x) { return static_cast<std::uint32_t>(x) % 11; };
  rank(in, count, out, false, highest);
  rank(in, count, out + count, true, highest);
  rank(in, count, out + 2 * count, false, [](int x) { return static_cast<std::uint32_t>(x) >> 5 & 7; });
  rank(in, count, out + 3 * count, true, eleventh);
  rank(in, count, out + 4 * count, false, eleventh);
  countDigits(in, count, 16, a[2].as<std::uint32_t>(), a[3].as<std::uint32_t>(), eleventh);
}

void matches(Arguments& a, const DeviceInfo&) {
  constexpr int n = 128 * items;
  const float* const in = a[0].as<float>();
  std::uint32_t* const out = a[1].as<std::uint32_t>();
  const auto highest = [](float x) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x, 4);
    return (bits >> 31 ? ~bits : bits | 1u << 31) >> 24;
  };
  const auto lowest = [](float x) { return static_cast<std::uint32_t>(static_cast<int>(x)) & 255; };
  rank(in, n, out, false, highest);
  rank(in, n, out + n, true, highest);
  rank(in, n, out + 2 * n, false, lowest);
  countDigits(in, n, 256, a[2].as<std::uint32_t>(), a[3].as<std::uint32_t>(), lowest);
}

void shuffles(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  const auto item = [&](int thread, int i) { return in[thread * items + i]; };
  int* const out = a[1].as<int>();
  for (int i = 0; i < threads; ++i) {
    out[i] = i + 1 < threads ? item(i + 1, 0) : -1;
    out[threads + i] = i >= 5 ? item(i - 5, 0) : out[i];
    out[2 * threads + i] = i + 47 < threads ? item(i + 47, 1) : out[threads + i];
    out[3 * threads + i] = item((i + 1) % threads, 0);
    out[4 * threads + i] = item((i + 1) % threads, 0);
    out[5 * threads + i] = item((i + 13) % threads, 2);
  }
  int* const several = a[2].as<int>();
  for (int i = 0; i < count; ++i) several[i] = in[i > 0 ? i - 1 : 0];
  for (int i = 0; i < count; ++i) several[count + i] = several[i > 0 ? i - 1 : 0];
  for (int i = 0; i < count; ++i) several[2 * count + i] = i + 1 < count ? in[i + 1] : several[2 * count - 1];
  for (int i = 0; i < count; ++i) several[3 * count + i] = several[2 * count + (i + 1 < count ? i + 1 : i)];
  const int edges[] = {0, several[count - 1], several[count - 1], several[2 * count]};
  std::copy_n(edges, 4, a[3].as<int>());
}

void exchanges(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  int* const out = a[1].as<int>();
  for (int i = 0; i < count; ++i) {
    // The place of item i / threads of thread i % threads, by which a thread's items are a block apart.
    const int rank = (i * 7 + 3) % count, source = rank % threads * items + rank / threads;
    out[i] = out[count + i] = in[source];
    if (i % 3 != 0) out[2 * count + rank] = in[i];
  }
  std::copy_n(in, count, a[2].as<int>());
  std::sort(a[2].as<std::uint32_t>(), a[2].as<std::uint32_t>() + count, std::greater<>());
}

}  // namespace

std::vector<Case> cases_hip_rocprim_sorts() {
  const LaunchOptions launch{.grid = {1}, .group = {threads}};
  const std::vector<int> numbers = scrambled<int>(count, 4);
  std::vector<int> few;
  for (const int number : numbers) few.push_back(number % 20);
  std::vector<float> floats;
  for (const int number : scrambled<int>(128 * items, 6)) floats.push_back(static_cast<float>(number % 4000) / 8);
  return {{.name = "sorts",
           .kernel = "sorts",
           .launch = launch,
           .arguments = {array(few), zeros<int>(6 * count), zeros<std::uint16_t>(6 * count), zeros<int>(4 * threads),
                         zeros<std::uint16_t>(4 * threads)},
           .reference = sorts},
          {.name = "ranks",
           .kernel = "ranks",
           .launch = launch,
           .arguments = {array(numbers), zeros<std::uint32_t>(5 * count), zeros<std::uint32_t>(16),
                         zeros<std::uint32_t>(16)},
           .reference = ranks},
          {.name = "matches",
           .kernel = "matches",
           .launch = {.grid = {1}, .group = {128}},
           .arguments = {array(floats), zeros<std::uint32_t>(3 * 128 * items), zeros<std::uint32_t>(256),
                         zeros<std::uint32_t>(256)},
           .reference = matches},
          {.name = "shuffles",
           .kernel = "shuffles",
           .launch = {.grid = {1}, .group = {8, 6}},
           .arguments = {array(numbers), zeros<int>(6 * threads), zeros<int>(4 * count), zeros<int>(4)},
           .reference = shuffles},
          {.name = "exchanges",
           .kernel = "exchanges",
           .launch = launch,
           .arguments = {array(numbers), zeros<int>(3 * count), zeros<std::uint32_t>(count)},
           .reference = exchanges}};
}

}  // namespace lathe::conformance
