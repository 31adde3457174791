// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels/hash.cu.
#include <algorithm>
#include <array>
#include <numeric>

#include "cases.h"

namespace lathe::bench::gpu {
namespace {

auto words(std::uint32_t seed) {
  return [=](std::size_t i) { return scramble(i, seed); };
}
std::uint64_t longWord(std::size_t i, std::uint32_t seed) {
  return std::uint64_t{scramble(i, seed)} << 32 | scramble(i, seed + 1);
}

Case murmurHash(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 3000, 1 << 23);
  return {.kernel = "murmurHash",
          .arrays = {input<unsigned>(8 * n, words(1)), output<unsigned>(n)},
          .arguments = {At{0}, At{1}, 42u, int(n)},
          .grid = groupsFor(n),
          .work = 36.0 * double(n),
          .reference = each(n, [=](Host& h, std::size_t i) {
            std::uint32_t hash = 42;
            for (std::size_t w = 0; w < 8; ++w) {
              hash ^= std::rotl(h.at<unsigned>(0)[w * n + i] * 0xcc9e2d51u, 15) * 0x1b873593u;
              hash = std::rotl(hash, 13) * 5 + 0xe6546b64u;
            }
            hash ^= 32;
            hash = (hash ^ hash >> 16) * 0x85ebca6bu;
            hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
            h.at<unsigned>(1)[i] = hash ^ hash >> 16;
          })};
}

/// The reflected CRC-32 of one byte after `crc`, bit by bit.
std::uint32_t crcStep(std::uint32_t crc, std::uint32_t byte) {
  crc ^= byte;
  for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc % 2 != 0 ? 0xedb88320u : 0);
  return crc;
}

Case crcTable(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 1000, 1 << 20), length = 16;
  return {
      .kernel = "crcTable",
      .arrays = {input<unsigned>(length * n, words(1)),
                 input<unsigned>(256, [](std::size_t i) { return crcStep(0, std::uint32_t(i)); }), output<unsigned>(n)},
      .arguments = {At{0}, At{1}, At{2}, int(length), int(n)},
      .grid = groupsFor(n),
      .work = 4.0 * double(length * n),
      .reference = each(n, [=](Host& h, std::size_t i) {
        std::uint32_t crc = ~0u;
        for (std::size_t b = 0; b < 4 * length; ++b)
          crc = crcStep(crc, h.at<unsigned>(0)[b / 4 * n + i] >> (b % 4 * 8) & 255);
        h.at<unsigned>(2)[i] = ~crc;
      })};
}

Case crcBits(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 1000, 1 << 20), length = 32;
  return {.kernel = "crcBits",
          .arrays = {input<std::uint8_t>(length * n, below(256)), output<unsigned>(n)},
          .arguments = {At{0}, At{1}, int(length), int(n)},
          .grid = groupsFor(n),
          .work = double(length * n),
          .reference = each(n, [](Host& h, std::size_t i) {
            std::uint32_t crc = ~0u;
            for (std::size_t b = 0; b < length; ++b) crc = crcStep(crc, h.at<std::uint8_t>(0)[i * length + b]);
            h.at<unsigned>(1)[i] = ~crc;
          })};
}

/// FIPS 180-4: 32 bits of the fraction of a root of each of the first primes.
std::vector<std::uint32_t> rootsOfPrimes(std::size_t count, double power) {
  std::vector<std::uint32_t> out;
  for (int candidate = 2; out.size() < count; ++candidate) {
    bool prime = true;
    for (int divisor = 2; divisor * divisor <= candidate; ++divisor) prime = prime && candidate % divisor != 0;
    if (!prime) continue;
    const double root = power == 2 ? std::sqrt(double(candidate)) : std::cbrt(double(candidate));
    out.push_back(std::uint32_t((root - std::floor(root)) * 0x1p32));
  }
  return out;
}

void shaOnHost(Host& host, std::size_t n, std::size_t i) {
  static const std::vector<std::uint32_t> start = rootsOfPrimes(8, 2), rounds = rootsOfPrimes(64, 3);
  std::vector<std::uint32_t> w(64);
  for (std::size_t t = 0; t < 64; ++t) {
    if (t < 16) {
      w[t] = host.at<unsigned>(0)[t * n + i];
      continue;
    }
    const std::uint32_t near = w[t - 2], far = w[t - 15];
    w[t] = w[t - 16] + (std::rotr(far, 7) ^ std::rotr(far, 18) ^ far >> 3) + w[t - 7] +
           (std::rotr(near, 17) ^ std::rotr(near, 19) ^ near >> 10);
  }
  std::vector<std::uint32_t> s = start;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const std::uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const std::uint32_t one =
        s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) + choice + rounds[t] + w[t];
    const std::uint32_t two = (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) + majority;
    std::rotate(s.begin(), s.end() - 1, s.end());
    s[4] += one;
    s[0] = one + two;
  }
  for (std::size_t k = 0; k < 8; ++k) host.at<unsigned>(1)[k * n + i] = start[k] + s[k];
}

Case shaBlock(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 500, 1 << 20);
  return {.kernel = "shaBlock",
          .arrays = {input<unsigned>(16 * n, words(1)), output<unsigned>(8 * n)},
          .arguments = {At{0}, At{1}, int(n)},
          .grid = groupsFor(n),
          .work = 96.0 * double(n),
          .reference = each(n, [=](Host& h, std::size_t i) { shaOnHost(h, n, i); })};
}

Case modularPower(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 1000, 1 << 20);
  const std::uint32_t modulus = 4294967291u;
  return {.kernel = "modularPower",
          .arrays = {input<unsigned>(n, words(1)), input<unsigned>(n, words(2)), output<unsigned>(n)},
          .arguments = {At{0}, At{1}, At{2}, modulus, int(n)},
          .grid = groupsFor(n),
          .work = 48.0 * double(n),
          .unit = Unit::operations,
          .reference = each(n, [=](Host& h, std::size_t i) {
            // From the exponent's highest bit down.
            std::uint64_t result = 1;
            for (int bit = 31; bit >= 0; --bit) {
              result = result * result % modulus;
              if ((h.at<unsigned>(1)[i] >> bit & 1) != 0) result = result * (h.at<unsigned>(0)[i] % modulus) % modulus;
            }
            h.at<unsigned>(2)[i] = std::uint32_t(result);
          })};
}

Case divideLong(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 3000, 1 << 23);
  return {.kernel = "divideLong",
          .arrays = {input<std::int64_t>(n, [](std::size_t i) { return longWord(i, 1) >> scramble(i, 7) % 40; }),
                     input<std::int64_t>(
                         n, [](std::size_t i) { return std::int64_t(longWord(i, 3) >> scramble(i, 9) % 56) | 1; }),
                     output<std::int64_t>(n), output<std::int64_t>(n)},
          .arguments = {At{0}, At{1}, At{2}, At{3}, int(n)},
          .grid = groupsFor(n),
          .work = 32.0 * double(n),
          .reference = each(n, [](Host& h, std::size_t i) {
            h.at<std::int64_t>(2)[i] = h.at<std::int64_t>(0)[i] / h.at<std::int64_t>(1)[i];
            h.at<std::int64_t>(3)[i] = h.at<std::int64_t>(0)[i] % h.at<std::int64_t>(1)[i];
          })};
}

Case multiplyWide(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 1000, 1 << 20);
  return {.kernel = "multiplyWide",
          .arrays = {input<unsigned>(8 * n, words(1)), input<unsigned>(8 * n, words(2)), output<unsigned>(16 * n)},
          .arguments = {At{0}, At{1}, At{2}, int(n)},
          .grid = groupsFor(n),
          .work = 128.0 * double(n),
          .reference = each(n, [=](Host& h, std::size_t i) {
            // Column by column, in 16-bit digits.
            const auto digit = [&](std::size_t array, std::size_t k) {
              return std::uint64_t{h.at<unsigned>(array)[k / 2 * n + i] >> (k % 2 * 16) & 0xffff};
            };
            std::uint64_t carry = 0;
            for (std::size_t k = 0; k < 32; ++k) {
              for (std::size_t j = k < 16 ? 0 : k - 15; j <= std::min<std::size_t>(k, 15); ++j)
                carry += digit(0, j) * digit(1, k - j);
              unsigned& word = h.at<unsigned>(2)[k / 2 * n + i];
              const auto low = std::uint32_t(carry & 0xffff);
              word = k % 2 == 0 ? low : word | low << 16;
              carry >>= 16;
            }
          })};
}

Case greatestDivisor(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 3000, 1 << 21);
  return {.kernel = "greatestDivisor",
          .arrays = {input<unsigned>(n, [](std::size_t i) { return 12 * (scramble(i, 1) >> 6); }),
                     input<unsigned>(n, [](std::size_t i) { return 18 * (scramble(i, 2) >> 6); }), output<unsigned>(n)},
          .arguments = {At{0}, At{1}, At{2}, int(n)},
          .grid = groupsFor(n),
          .work = 12.0 * double(n),
          .reference = each(n, [](Host& h, std::size_t i) {
            h.at<unsigned>(2)[i] = std::gcd(h.at<unsigned>(0)[i], h.at<unsigned>(1)[i]);
          })};
}

Case nearestFingerprint(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 1000, 1 << 20), count = pick<std::size_t>(scale, 30, 256);
  const auto bits = [](std::uint32_t seed) { return [=](std::size_t i) { return longWord(i, seed); }; };
  return {.kernel = "nearestFingerprint",
          .arrays = {input<std::uint64_t>(2 * n, bits(1)), input<std::uint64_t>(2 * count, bits(5)), output<int>(n)},
          .arguments = {At{0}, At{1}, At{2}, int(count), int(n)},
          .grid = groupsFor(n),
          .work = double(n * count),
          .unit = Unit::operations,
          .reference = each(n, [=](Host& h, std::size_t i) {
            const std::uint64_t* query = h.at<std::uint64_t>(0) + 2 * i;
            const std::uint64_t* known = h.at<std::uint64_t>(1);
            const auto distance = [&](std::size_t k) {
              return std::popcount(query[0] ^ known[2 * k]) + std::popcount(query[1] ^ known[2 * k + 1]);
            };
            std::size_t best = 0;
            for (std::size_t k = 1; k < count; ++k)
              if (distance(k) < distance(best)) best = k;
            h.at<int>(2)[i] = int(best);
          })};
}

Case findPattern(Scale scale) {
  const std::size_t n = pick<std::size_t>(scale, 1000, 1 << 20), line = 64, length = 4;
  return {.kernel = "findPattern",
          .arrays = {input<char>(n * line, [](std::size_t i) { return 'a' + scramble(i, 1) % 3; }),
                     input<char>(length, [](std::size_t i) { return "abca"[i]; }), output<int>(n)},
          .arguments = {At{0}, At{1}, At{2}, int(line), int(length), int(n)},
          .grid = groupsFor(n),
          .work = double(n * line),
          .reference = each(n, [](Host& h, std::size_t i) {
            const std::string_view text(h.at<char>(0) + i * line, line);
            const std::size_t place = text.find("abca");
            h.at<int>(2)[i] = place == std::string_view::npos ? -1 : int(place);
          })};
}

}  // namespace

std::vector<MakeCase> hashCases() {
  return {murmurHash, crcTable,     crcBits,         shaBlock,           modularPower,
          divideLong, multiplyWide, greatestDivisor, nearestFingerprint, findPattern};
}

}  // namespace lathe::bench::gpu
