// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of cub_sorts.cu.
#include <algorithm>
#include <numeric>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int count = 144;

/// Places of the input's items in the order that `below` gives.
template <class T, class Below>
std::vector<unsigned short> order(const T* in, int n, Below below) {
  std::vector<unsigned short> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), static_cast<unsigned short>(0));
  std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return below(in[a], in[b]); });
  return places;
}

/// `bitsOf` are a key's bits in radix order.
template <class T, class BitsOf>
void byBits(Arguments& a, BitsOf bitsOf) {
  const T* const in = a[0].as<T>();
  const auto up = order(in, count, [](T x, T y) { return x < y; });
  const auto down = order(in, count, [](T x, T y) { return y < x; });
  const auto middle = order(in, count, [&](T x, T y) { return (bitsOf(x) >> 2 & 31) < (bitsOf(y) >> 2 & 31); });
  std::copy(up.begin(), up.end(), a[1].as<unsigned short>());
  std::copy(down.begin(), down.end(), a[2].as<unsigned short>());
  std::copy(middle.begin(), middle.end(), a[3].as<unsigned short>());
}
unsigned bitsOfFloat(float x) {
  unsigned bits;
  if (x == 0) x = 0;
  std::memcpy(&bits, &x, 4);
  return bits >> 31 ? ~bits : bits | 1u << 31;
}
unsigned bitsOfByte(signed char x) {
  return static_cast<unsigned char>(x) ^ 128u;
}

void merges(Arguments& a, const DeviceInfo&) {
  const int* const in = a[0].as<int>();
  const auto below = [](int x, int y) { return x < y; };
  const auto all = order(in, 192, below);
  for (std::size_t i = 0; i < 192; ++i) a[1].as<int>()[i] = in[all[i]];
  std::copy(all.begin(), all.end(), a[2].as<unsigned short>());
  const auto partial = order(in, 100, below);
  for (std::size_t i = 0; i < 100; ++i) a[3].as<int>()[i] = in[partial[i]];
  std::copy(in, in + 192, a[4].as<int>());
  for (int first = 0; first < 192; first += 48) std::sort(a[4].as<int>() + first, a[4].as<int>() + first + 48);
}

void ranks(Arguments& a, const DeviceInfo&) {
  const auto digit = [](unsigned x) { return x >> 4 & 7; };
  const unsigned* const in = a[0].as<unsigned>();
  const auto up = order(in, count, [&](unsigned x, unsigned y) { return digit(x) < digit(y); });
  const auto down = order(in, count, [&](unsigned x, unsigned y) { return digit(x) > digit(y); });
  for (int i = 0; i < count; ++i) {
    a[1].as<int>()[up[static_cast<std::size_t>(i)]] = i;
    a[2].as<int>()[down[static_cast<std::size_t>(i)]] = i;
    for (unsigned d = 0; d < 8; ++d) a[3].as<int>()[d] += digit(in[i]) > d;
  }
}

unsigned noise(unsigned i) {
  return (i * i + 17) * 2654435761u;
}

}  // namespace

std::vector<Case> cases_cuda_cub_sorts() {
  std::vector<float> floats(count);
  std::vector<signed char> bytes(count);
  std::vector<int> numbers(192);
  std::vector<unsigned> words(count);
  for (unsigned i = 0; i < 192; ++i) numbers[i] = static_cast<int>(noise(i) >> 9) % 40 - 20;
  for (unsigned i = 0; i < count; ++i) {
    floats[i] = i % 5 == 0   ? 0.0f
                : i % 5 == 1 ? -0.0f
                             : static_cast<float>(static_cast<int>(noise(i) >> 12) % 1000 - 500) / 8;
    bytes[i] = static_cast<signed char>(noise(i) >> 20);
    words[i] = noise(i) >> 11;
  }
  const auto places = zeros<unsigned short>(count);
  const LaunchOptions blocks = {.grid = {1}, .group = {48}};
  return {{.name = "floats by bits",
           .kernel = "floats",
           .launch = blocks,
           .arguments = {array(floats), places, places, places},
           .reference = [](Arguments& a, const DeviceInfo&) { byBits<float>(a, bitsOfFloat); }},
          {.name = "bytes by bits",
           .kernel = "bytes",
           .launch = blocks,
           .arguments = {array(bytes), places, places, places},
           .reference = [](Arguments& a, const DeviceInfo&) { byBits<signed char>(a, bitsOfByte); }},
          {.name = "by comparisons",
           .kernel = "merges",
           .launch = {.grid = {1}, .group = {64}},
           .arguments = {array(numbers), zeros<int>(192), zeros<unsigned short>(192), zeros<int>(192), zeros<int>(192)},
           .reference = merges},
          {.name = "ranks by a digit",
           .kernel = "ranks",
           .launch = blocks,
           .arguments = {array(words), zeros<int>(count), zeros<int>(count), zeros<int>(8)},
           .reference = ranks}};
}

}  // namespace lathe::conformance
