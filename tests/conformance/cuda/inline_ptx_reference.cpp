// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of inline_ptx.cu: each instruction as the PTX ISA describes it, bit by bit where it speaks of bits.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

using Word = std::uint32_t;
constexpr std::size_t words = 192;

std::int64_t asSigned(Word x) {
  return static_cast<std::int32_t>(x);
}
Word funnel(Word low, Word high, Word amount, bool left) {
  const std::uint64_t both = std::uint64_t{high} << 32 | low;
  return static_cast<Word>(left ? both << amount >> 32 : both >> amount);
}
Word byteAt(Word a, Word b, Word selector) {
  return (selector & 4 ? b : a) >> 8 * (selector & 3) & 0xff;
}
Word permuted(Word a, Word b, const Word (&selectors)[4]) {
  Word out = 0;
  for (Word i = 0; i < 4; ++i) {
    const Word byte = byteAt(a, b, selectors[i] & 7);
    out |= (selectors[i] & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << 8 * i;
  }
  return out;
}
Word field(Word a, Word place, Word length, bool hasSign) {
  place &= 0xff, length &= 0xff;
  const Word top = std::min(place + length - 1, 31U);
  const bool sign = hasSign && length != 0 && (a >> top & 1) != 0;
  Word out = 0;
  for (Word i = 0; i < 32; ++i) {
    const bool bit = i < length && place + i <= 31 ? (a >> (place + i) & 1) != 0 : sign;
    out |= Word{bit} << i;
  }
  return out;
}
Word inserted(Word a, Word b, Word place, Word length) {
  place &= 0xff, length &= 0xff;
  for (Word i = 0; i < length && place + i <= 31; ++i) b = (b & ~(1U << (place + i))) | (a >> i & 1) << (place + i);
  return b;
}
Word highest(Word x) {
  return x == 0 ? ~0U : static_cast<Word>(31 - std::countl_zero(x));
}
Word ofTable(Word a, Word b, Word c, Word table) {
  Word out = 0;
  for (Word i = 0; i < 32; ++i) out |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
  return out;
}
Word reversed(Word x) {
  Word out = 0;
  for (Word i = 0; i < 32; ++i) out |= (x >> i & 1) << (31 - i);
  return out;
}
std::int64_t low24(Word x, bool hasSign) {
  const std::int64_t out = x & 0xffffff;
  return hasSign && out >= 0x800000 ? out - 0x1000000 : out;
}
Word high48(std::int64_t product) {
  return static_cast<Word>(static_cast<std::uint64_t>(product) >> 16);
}
Word clampedSum(Word a, Word b) {
  return static_cast<Word>(std::clamp<std::int64_t>(asSigned(a) + asSigned(b), INT32_MIN, INT32_MAX));
}

using Of = Word (*)(Word a, Word b, Word c);
constexpr Of functions[] = {
    [](Word a, Word b, Word c) { return funnel(a, b, c & 31, true); },
    [](Word a, Word b, Word c) { return funnel(a, b, c & 31, false); },
    [](Word a, Word b, Word c) { return c >= 32 ? a : funnel(a, b, c, true); },
    [](Word a, Word b, Word c) { return c >= 32 ? b : funnel(a, b, c, false); },
    [](Word a, Word b, Word c) { return permuted(a, b, {c & 15, c >> 4 & 15, c >> 8 & 15, c >> 12 & 15}); },
    [](Word a, Word b, Word c) { return c &= 3, permuted(a, b, {c, c + 1, c + 2, c + 3}); },
    [](Word a, Word b, Word c) { return c &= 3, permuted(a, b, {c, (c - 1) & 7, (c - 2) & 7, (c - 3) & 7}); },
    [](Word a, Word b, Word c) { return c &= 3, permuted(a, b, {c, c, c, c}); },
    [](Word a, Word b, Word c) { return c &= 3, permuted(a, b, {c, std::max(c, 1U), std::max(c, 2U), 3}); },
    [](Word a, Word b, Word c) { return c &= 3, permuted(a, b, {0, std::min(c, 1U), std::min(c, 2U), c}); },
    [](Word a, Word b, Word c) { return c = (c & 1) * 2, permuted(a, b, {c, c + 1, c, c + 1}); },
    [](Word a, Word b, Word c) { return field(a, b, c, false); },
    [](Word a, Word b, Word c) { return field(a, b, c, true); },
    [](Word a, Word b, Word c) { return inserted(a, b, c, 7); },
    [](Word a, Word b, Word c) { return inserted(a, b, 5, c); },
    [](Word a, Word, Word) { return highest(a); },
    [](Word a, Word, Word) { return highest(a >> 31 ? ~a : a); },
    [](Word a, Word, Word) { return a == 0 ? ~0U : 31 - highest(a); },
    [](Word a, Word, Word) { return reversed(a); },
    [](Word a, Word, Word) { return static_cast<Word>(std::countl_zero(a)); },
    [](Word a, Word, Word) { return static_cast<Word>(std::popcount(a)); },
    [](Word a, Word b, Word c) { return ofTable(a, b, c, 0xe8); },
    [](Word a, Word b, Word c) { return ofTable(a, b, c, 0x96); },
    [](Word a, Word b, Word c) { return ofTable(a, b, c, 0x1b); },
    [](Word a, Word b, Word c) { return a * b + c; },
    [](Word a, Word b, Word c) { return static_cast<Word>(asSigned(a) * asSigned(b) >> 32) + c; },
    [](Word a, Word b, Word) { return static_cast<Word>(std::uint64_t{a} * b >> 32); },
    [](Word a, Word b, Word) { return static_cast<Word>(low24(a, false) * low24(b, false)); },
    [](Word a, Word b, Word) { return high48(low24(a, true) * low24(b, true)); },
    [](Word a, Word b, Word c) { return static_cast<Word>(std::abs(asSigned(a) - asSigned(b))) + c; },
    [](Word a, Word b, Word) { return clampedSum(a, b); },
    [](Word a, Word b, Word) { return asSigned(a) < asSigned(b) ? a : b; },
    [](Word a, Word b, Word) { return std::max(a, b); },
    [](Word a, Word b, Word) { return b > 31 ? 0 : a << b; },
    [](Word a, Word b, Word) { return static_cast<Word>(asSigned(a) >> std::min(b, 31U)); },
    [](Word a, Word, Word) { return Word{a == 0}; },
    [](Word a, Word b, Word c) { return asSigned(a) < asSigned(b) ? a : ~c; },
    [](Word a, Word b, Word c) { return ~(a & b) | c; },
    [](Word a, Word, Word) {
      Word sum = a;
      while (a != 0 && sum < 2048) sum += a;
      return sum;
    },
};

Word integerOf(float x, bool hasSign) {
  const double least = hasSign ? INT32_MIN : 0, most = hasSign ? INT32_MAX : UINT32_MAX;
  return static_cast<Word>(static_cast<std::int64_t>(std::clamp<double>(x, least, most)));
}

void integers(Arguments& arguments, const DeviceInfo&) {
  Word* const out = arguments[4].as<Word>();
  for (std::size_t i = 0; i < words; ++i) {
    const Word a = arguments[1].as<Word>()[i], b = arguments[2].as<Word>()[i], c = arguments[3].as<Word>()[i];
    std::size_t f = 0;
    const auto put = [&](Word x) { out[f++ * words + i] = x; };
    for (const Of function : functions) put(function(a, b, c));
    std::uint64_t wide = static_cast<std::uint64_t>(asSigned(a) * asSigned(b));
    put(static_cast<Word>(wide >> 32));
    wide += std::uint64_t{b} * c;
    put(static_cast<Word>(wide >> 32) ^ static_cast<Word>(wide));
    using Wide = unsigned __int128;
    const auto joined = [](Word x, Word y, Word z) { return Wide{z} << 64 | Wide{y} << 32 | x; };
    const auto folded = [](Wide x) {
      return static_cast<Word>(x) ^ static_cast<Word>(x >> 32) ^ static_cast<Word>(x >> 64);
    };
    Wide sum = joined(a, b, c) + joined(b, c, a);
    put(folded(sum));
    sum -= joined(c, a, b);
    put(folded(sum));
    std::uint64_t two = static_cast<std::uint64_t>(sum) + std::uint64_t{a} * c;
    put(static_cast<Word>(two) ^ static_cast<Word>(two >> 32));
    put(static_cast<Word>(wide) - static_cast<Word>(wide >> 32));
    const float p = static_cast<float>(asSigned(a)) * 0x1p-20f, q = static_cast<float>(asSigned(b)) * 0x1p-24f;
    put(integerOf(std::nearbyint(p), true));
    put(integerOf(std::trunc(p), false));
    put(static_cast<Word>(std::clamp<std::int64_t>(asSigned(a), -128, 127)));
    put(std::bit_cast<Word>(std::fma(p, q, 1.0f)));
    put(std::bit_cast<Word>(std::max(p * q, -0.5f)));
  }
}

constexpr std::size_t threads = 64;

void warps(Arguments& arguments, const DeviceInfo&) {
  const Word* const in = arguments[0].as<Word>();
  Word* const out = arguments[1].as<Word>();
  for (Word thread = 0; thread < threads; ++thread) {
    std::size_t f = 0;
    const auto put = [&](Word x) { out[f++ * threads + thread] = x; };
    const Word lane = thread % 32, first = thread - lane;
    const auto shuffle = [&](char mode, int by, Word clamp) {
      const Word segment = clamp >> 8 & 31;
      const int border = static_cast<int>((lane & segment) | (clamp & 31 & ~segment));
      const int own = static_cast<int>(lane);
      const int from = mode == 'u'   ? own - by
                       : mode == 'd' ? own + by
                       : mode == 'b' ? own ^ by
                                     : static_cast<int>((lane & segment) | (static_cast<Word>(by) & ~segment));
      const bool inside = mode == 'u' ? from >= border : from <= border;
      put(in[first + (inside ? static_cast<Word>(from) : lane)]);
      put(inside);
    };
    shuffle('u', 3, 0);
    shuffle('u', 5, 0x1800);
    shuffle('d', 2, 0x1f);
    shuffle('d', 9, 0x101f);
    shuffle('b', 5, 0x1f);
    shuffle('b', 6, 0x1c1f);
    shuffle('i', 7, 0x1f);
    shuffle('i', 21, 0x181f);
    shuffle('d', 4, 0x13);
    Word ballot = 0;
    bool all = true;
    for (Word i = 0; i < 32; ++i) {
      ballot |= Word{in[first + i] > 99} << i;
      all = all && in[first + i] < 400;
    }
    put(ballot);
    put(all);
    put(~0U);
    put(lane);
    const Word below = (1U << lane) - 1;
    put(below * 3 + ~below);
    put(thread);
  }
}

void memory(Arguments& arguments, const DeviceInfo&) {
  const Word* const in = arguments[0].as<Word>();
  Word* const out = arguments[1].as<Word>();
  Word* const counters = arguments[2].as<Word>();
  std::vector<Word> tile(256);
  for (Word i = 0; i < 128; ++i) {
    tile[i * 2] = in[i * 4 + 2];
    tile[i * 2 + 1] = in[i * 4 + 3];
  }
  for (Word i = 0; i < 128; ++i) {
    const Word* const four = &tile[i % 32 * 4];
    out[i] = four[0] ^ four[1] << 1 ^ four[2] << 2 ^ four[3] << 3;
    const Word byte = std::to_integer<Word>(arguments[0].bytes[i * 3]);
    out[128 + i] = byte;
    if (i % 2 == 1) counters[0] += byte;
    if (asSigned(in[i]) > asSigned(counters[1])) counters[1] = in[i];
    counters[2] += 2;
    out[256 + i] = in[255 - i * 2];
  }
}

/// Numbers, among them small ones, which are amounts and places, and the ends of the range.
std::vector<Word> amounts(std::uint64_t seed) {
  std::vector<Word> out = scrambled<Word>(words, seed);
  for (std::size_t i = 0; i < words; ++i) {
    if (i % 3 == 1) out[i] %= 72;
    if (i % 16 == 5) out[i] = i % 32 == 5 ? 0x7fffffff : 0x80000000;
    if (i % 16 == 7) out[i] = 0;
  }
  return out;
}

void carries(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[0].as<Word>();
  for (std::size_t i = 0; i < threads; ++i) {
    const Word carry = in[2 * i + 1] >> 31;
    const Word row[] = {in[2 * i] + in[2 * i + 1], 2 * in[2 * i + 1], carry, carry, in[2 * i] + carry};
    std::ranges::copy(row, a[1].as<Word>() + 5 * i);
  }
}

}  // namespace

std::vector<Case> cases_cuda_inline_ptx() {
  constexpr std::size_t results = std::size(functions) + 11;
  std::vector<Word> values = scrambled<Word>(threads, 3);
  for (std::size_t i = 0; i < threads; ++i) values[i] %= i < 32 ? 300 : 600;
  values[40] = 500;
  return {{.name = "integers",
           .file = "cuda/inline_ptx.cu",
           .kernel = "integers",
           .launch = {.grid = {2}, .group = {96}},
           .arguments = {value(static_cast<unsigned>(words)), array(amounts(11)), array(amounts(12)),
                         array(amounts(13)), zeros<Word>(results * words)},
           .reference = integers},
          {.name = "warps",
           .file = "cuda/inline_ptx.cu",
           .kernel = "warps",
           .launch = {.group = {threads}},
           .arguments = {array(values), zeros<Word>(24 * threads)},
           .reference = warps},
          {.name = "memory",
           .file = "cuda/inline_ptx.cu",
           .kernel = "memory",
           .launch = {.group = {128}},
           .arguments = {array(scrambled<Word>(512, 5)), zeros<Word>(384), zeros<Word>(4)},
           .reference = memory},
          {.name = "carries",
           .file = "cuda/inline_ptx.cu",
           .kernel = "carries",
           .launch = {.group = {threads}},
           .arguments = {array(scrambled<Word>(2 * threads, 8)), zeros<Word>(5 * threads)},
           .reference = carries}};
}

}  // namespace lathe::conformance
