// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of text_and_hashing.cu.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string_view>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

/// Where a key ends up in the table depends on the order; how often it was inserted does not.
void counts(Arguments& a, const Environment&) {
  const int n = *a[1].as<int>();
  const std::uint32_t* const keys = a[0].as<std::uint32_t>();
  for (int i = 0; i < n; ++i) a[5].as<int>()[i] = static_cast<int>(std::count(keys, keys + n, keys[i]));
  std::map<std::uint32_t, int> all;
  for (int i = 0; i < n; ++i) ++all[keys[i]];
  int at = 0;
  for (const auto& [key, count] : all) {
    a[2].as<std::uint32_t>()[at] = key;
    a[3].as<int>()[at++] = count;
  }
}
void sortSlots(Arguments& a) {
  std::vector<std::pair<std::uint32_t, int>> pairs;
  for (std::size_t i = 0; i < a[2].count(); ++i) pairs.emplace_back(a[2].as<std::uint32_t>()[i], a[3].as<int>()[i]);
  std::ranges::sort(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    a[2].as<std::uint32_t>()[i] = pairs[i].first;
    a[3].as<int>()[i] = pairs[i].second;
  }
}

void checksums(Arguments& a, const Environment&) {
  for (int i = 0; i < *a[3].as<int>(); ++i) {
    std::uint32_t crc = ~0u;
    for (int at = a[1].as<int>()[i]; at < a[1].as<int>()[i + 1]; ++at) {
      crc ^= a[0].as<std::uint8_t>()[at];
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    a[2].as<std::uint32_t>()[i] = ~crc;
  }
}

/// The first 32 bits of the fractions of roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3).
std::vector<std::uint32_t> roots() {
  std::vector<std::uint32_t> cubes, squares;
  for (int p = 2; cubes.size() < 64; ++p) {
    bool prime = true;
    for (int q = 2; q * q <= p; ++q) prime = prime && p % q;
    if (!prime) continue;
    const auto bits = [](long double x) { return static_cast<std::uint32_t>((x - std::floor(x)) * 4294967296.0L); };
    cubes.push_back(bits(std::cbrt(static_cast<long double>(p))));
    if (squares.size() < 8) squares.push_back(bits(std::sqrt(static_cast<long double>(p))));
  }
  cubes.insert(cubes.end(), squares.begin(), squares.end());
  return cubes;
}
void compress(Arguments& a, const Environment&) {
  const std::uint32_t* const k = a[1].as<std::uint32_t>();
  for (std::size_t block = 0; block < a[0].count() / 16; ++block) {
    std::uint32_t w[64], h[8];
    for (std::size_t i = 0; i < 16; ++i) {
      const unsigned char* const b = a[0].as<unsigned char>() + 64 * block + 4 * i;
      w[i] = static_cast<std::uint32_t>(b[0]) << 24 | static_cast<std::uint32_t>(b[1]) << 16 |
             static_cast<std::uint32_t>(b[2]) << 8 | b[3];
    }
    for (int i = 16; i < 64; ++i)
      w[i] = w[i - 16] + (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
             (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    std::copy(k + 64, k + 72, h);
    for (int i = 0; i < 64; ++i) {
      const std::uint32_t t1 = h[7] + (std::rotr(h[4], 6) ^ std::rotr(h[4], 11) ^ std::rotr(h[4], 25)) +
                               ((h[4] & h[5]) ^ (~h[4] & h[6])) + k[i] + w[i];
      const std::uint32_t t2 = (std::rotr(h[0], 2) ^ std::rotr(h[0], 13) ^ std::rotr(h[0], 22)) +
                               ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
      std::copy_backward(h, h + 7, h + 8);
      h[4] += t1;
      h[0] = t1 + t2;
    }
    for (std::size_t i = 0; i < 8; ++i) a[2].as<std::uint32_t>()[8 * block + i] = h[i] + k[64 + i];
  }
}
/// The message "abc", padded, and others of random words; its digest is FIPS 180-4's example.
Argument messages() {
  std::vector<std::uint32_t> out = scrambled<std::uint32_t>(64 * 16, 73);
  std::fill_n(out.begin(), 16, 0);
  std::memcpy(out.data(), "abc\x80", 4);
  out[15] = 0x18000000;
  return array(out);
}

void search(Arguments& a, const Environment&) {
  const std::string_view text(a[0].as<char>(), static_cast<std::size_t>(*a[1].as<int>()));
  const std::string_view pattern(a[2].as<char>(), static_cast<std::size_t>(*a[3].as<int>()));
  for (std::size_t at = text.find(pattern); at != std::string_view::npos; at = text.find(pattern, at + 1)) {
    ++*a[4].as<int>();
    *a[5].as<int>() = std::min(*a[5].as<int>(), static_cast<int>(at));
  }
}
Argument letters(std::size_t n, std::uint64_t seed) {
  std::vector<char> out = scrambled<char>(n, seed);
  for (char& x : out) x = static_cast<char>('a' + (x & 1));
  return array(out);
}

}  // namespace

std::vector<Case> cases_programs_text_and_hashing() {
  std::vector<std::uint32_t> keys = scrambled<std::uint32_t>(300, 71);
  for (std::uint32_t& key : keys) key = key % 120 * 7919;
  std::vector<int> starts(81);
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] = starts[i - 1] + static_cast<int>(i * 7 % 31);
  return {{.name = "hash_table",
           .kernel = "hashTable",
           .launch = {.grid = {1}, .group = {128}},
           .arguments = {array(keys), value(300), array(std::vector<std::uint32_t>(256, ~0u)), zeros<int>(256),
                         value(256), zeros<int>(300)},
           .reference = counts,
           .normalise = sortSlots},
          {.name = "checksums",
           .kernel = "checksums",
           .launch = {.grid = {2}, .group = {64}},
           .arguments = {array(scrambled<std::uint8_t>(2500, 72)), array(starts), zeros<std::uint32_t>(80), value(80)},
           .reference = checksums},
          {.name = "compress",
           .kernel = "compress",
           .launch = {.grid = {2}, .group = {32}},
           .arguments = {messages(), array(roots()), zeros<std::uint32_t>(512)},
           .reference = compress},
          {.name = "search",
           .kernel = "search",
           .launch = {.grid = {16}, .group = {64}, .dynamicSharedBytes = 8},
           .arguments = {letters(1000, 74), value(1000), array(std::vector<char>{'a', 'b', 'a', 'a', 'b'}), value(5),
                         zeros<int>(1), array(std::vector<int>{1 << 30})},
           .reference = search}};
}

}  // namespace lathe::conformance
