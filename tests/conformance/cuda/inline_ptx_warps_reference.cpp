// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of inline_ptx_warps.cu, by the PTX ISA. Matrices hold whole numbers so small that every order of sums is exact.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>

#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/small_float.h"

namespace lathe::conformance {
namespace {

using Word = std::uint32_t;
using Wide = std::uint64_t;
constexpr unsigned warp = 32;

/// Whether the machine has what came with `ordinal`; what is no NVIDIA GPU has it all.
bool has(const Environment& where, int ordinal) {
  return where.target != "cuda" || std::atoi(where.arch.c_str() + 3) >= ordinal;
}

void carries(Arguments& arguments, const Environment&) {
  const Word* in = arguments[0].as<Word>();
  Word* out = arguments[1].as<Word>();
  for (std::size_t i = 0; i < arguments[0].count() / 8; ++i, in += 8, out += 12) {
    unsigned __int128 a = 0, b = 0;
    for (int k = 3; k >= 0; --k) a = a << 32 | in[k], b = b << 32 | in[4 + k];
    for (int k = 0; k < 4; ++k) out[k] = static_cast<Word>((a + b) >> 32 * k);
    const Wide x = static_cast<Wide>(a), y = static_cast<Wide>(b);
    out[4] = static_cast<Word>(x - y);
    out[5] = static_cast<Word>((x - y) >> 32);
    out[6] = x < y ? ~Word{0} : 0;
    const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
    for (int k = 0; k < 4; ++k) out[7 + k] = static_cast<Word>(product >> 32 * k);
    out[11] = 0;
  }
}

std::int64_t part(Word x, unsigned bits, unsigned at, bool isSigned) {
  const Word raw = x >> bits * at & ((1U << bits) - 1);
  return isSigned && raw >> (bits - 1) ? static_cast<std::int64_t>(raw) - (1 << bits) : raw;
}
Word dot4(Word a, Word b, Word c, bool aSigned, bool bSigned) {
  std::int64_t sum = c;
  for (unsigned k = 0; k < 4; ++k) sum += part(a, 8, k, aSigned) * part(b, 8, k, bSigned);
  return static_cast<Word>(sum);
}
Word dot2(Word a, Word b, Word c, bool aSigned, bool bSigned, unsigned from) {
  std::int64_t sum = c;
  for (unsigned k = 0; k < 2; ++k) sum += part(a, 16, k, aSigned) * part(b, 8, from + k, bSigned);
  return static_cast<Word>(sum);
}

void dots(Arguments& arguments, const Environment&) {
  const std::size_t n = arguments[0].count();
  for (std::size_t i = 0; i < n; ++i) {
    const Word a = arguments[0].as<Word>()[i], b = arguments[1].as<Word>()[i], c = arguments[2].as<Word>()[i];
    const Word all[] = {dot4(a, b, c, true, true),      dot4(a, b, c, false, false),    dot4(a, b, c, true, false),
                        dot4(a, b, c, false, true),     dot2(a, b, c, true, true, 0),   dot2(a, b, c, false, false, 2),
                        dot2(a, b, c, false, true, 0),  dot2(a, b, c, true, false, 2),  dot4(a, b, c, true, true),
                        dot4(a, b, c, false, false),    dot2(a, b, c, true, true, 0),   dot2(a, b, c, false, false, 2)};
    for (std::size_t f = 0; f < std::size(all); ++f) arguments[3].as<Word>()[f * n + i] = all[f];
  }
}

void agreements(Arguments& arguments, const Environment&) {
  const std::size_t n = arguments[0].count();
  for (std::size_t i = 0; i < n; ++i) {
    const Word* const in = arguments[0].as<Word>() + i / warp * warp;
    const Word value = in[i % warp];
    Word* const out = arguments[1].as<Word>() + 10 * i;
    const auto all = [&](std::size_t k) { return in[k] == in[0] ? 5U : in[k] >> 30; };
    std::fill_n(out, 4, 0U);
    bool same = true;
    out[4] = out[7] = 0;
    out[5] = out[6] = value;
    for (std::size_t k = 0; k < warp; ++k) {
      out[0] |= Word{in[k] == value} << k;
      out[1] |= Word{in[k] % 3 == value % 3} << k;
      same &= all(k) == all(0);
      out[4] += in[k];
      out[5] = static_cast<Word>(std::min(static_cast<std::int32_t>(out[5]), static_cast<std::int32_t>(in[k])));
      out[6] = std::max(out[6], in[k]);
      out[7] ^= in[k];
    }
    out[2] = same ? ~0U : 0;
    out[3] = same;
    out[8] = out[9] = 1;
  }
}

void halves(Arguments& arguments, const Environment&) {
  const std::size_t n = arguments[0].count();
  for (std::size_t i = 0; i < n; ++i) {
    const Word a = arguments[0].as<Word>()[i], b = arguments[1].as<Word>()[i], c = arguments[2].as<Word>()[i];
    const auto one = [&](unsigned at, const std::function<double(double, double, double)>& function) {
      const auto number = [at](Word x) { return half.value(x >> 16 * at & 0xffff); };
      return static_cast<Word>(half.bits(function(number(a), number(b), number(c))));
    };
    const auto both = [&](const std::function<double(double, double, double)>& function) {
      return one(0, function) | one(1, function) << 16;
    };
    const auto sum = [](double x, double y, double) { return x + y; };
    const auto fused = [](double x, double y, double z) { return x * y + z; };
    const double low = half.value(a & 0xffff);
    const float single = static_cast<float>(low);
    Word bits = 0;
    std::memcpy(&bits, &single, sizeof(bits));
    const Word all[] = {both(sum),
                        both([](double x, double y, double) { return x - y; }),
                        both([](double x, double y, double) { return x * y; }),
                        both(fused),
                        a ^ 0x80008000,
                        one(0, fused),
                        one(0, sum),
                        Word{low < half.value(b & 0xffff)},
                        bits};
    for (std::size_t f = 0; f < std::size(all); ++f) arguments[3].as<Word>()[f * n + i] = all[f];
  }
}

void movedMatrices(Arguments& arguments, const Environment&) {
  const auto* const in = arguments[0].as<std::uint16_t>();
  auto* const out = arguments[2].as<std::uint16_t>();
  const auto at = [](unsigned matrix, unsigned row, unsigned column) {
    return (matrix / 2 * 8 + row) * 16 + matrix % 2 * 8 + column;
  };
  for (unsigned lane = 0; lane < warp; ++lane) {
    const unsigned row = lane / 4, column = lane % 4 * 2;
    for (unsigned k = 0; k < 4; ++k) {
      Word* const parts = arguments[1].as<Word>() + lane * 8;
      parts[k] = in[at(k, row, column)] | Word{in[at(k, row, column + 1)]} << 16;
      parts[4 + k] = in[at(k, column, row)] | Word{in[at(k, column + 1, row)]} << 16;
      for (unsigned e = 0; e < 2; ++e) out[at(k, row, column + e)] = in[at(k, column + e, row)];
    }
  }
}

/// Where a product's elements are: thread and register of a row and a column, with `each` elements in a register.
struct Fragments {
  unsigned rows, inner, each;
  [[nodiscard]] unsigned halves() const { return rows / 8; }
  /// Of the left factor: the register, counted through all threads, and the element in it.
  [[nodiscard]] unsigned left(unsigned row, unsigned k, unsigned registers) const {
    const unsigned thread = row % 8 * 4 + k / each % 4;
    return thread * registers + row / 8 + k / (4 * each) * halves();
  }
  [[nodiscard]] unsigned right(unsigned k, unsigned column, unsigned registers) const {
    return (column * 4 + k / each % 4) * registers + k / (4 * each);
  }
  [[nodiscard]] static unsigned sum(unsigned row, unsigned column, unsigned registers) {
    return (row % 8 * 4 + column / 2) * registers + row / 8 * 2 + column % 2;
  }
};

/// Adds a product to `sums`; left(register, element) and right() give numbers.
template <class Sum, class Left, class Right>
void multiply(const Fragments& form, unsigned leftRegisters, unsigned rightRegisters, Sum* sums, unsigned sumRegisters,
              const Left& left, const Right& right) {
  for (unsigned row = 0; row < form.rows; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      for (unsigned k = 0; k < form.inner; ++k)
        sums[Fragments::sum(row, column, sumRegisters)] +=
            static_cast<Sum>(left(form.left(row, k, leftRegisters), k % form.each)) *
            static_cast<Sum>(right(form.right(k, column, rightRegisters), k % form.each));
    }
  }
}

void productsOfHalves(Arguments& arguments, const Environment& where) {
  if (!has(where, 80)) return;
  const auto numbers = [&](std::size_t which) {
    return [words = arguments[which].as<Word>()](unsigned at, unsigned element) {
      return half.value(words[at] >> 16 * element & 0xffff);
    };
  };
  auto* const sums = arguments[2].as<float>();
  multiply({16, 16, 2}, 4, 2, sums, 4, numbers(0), numbers(1));
  std::fill_n(sums + 128, 128, 0.0F);
  multiply({16, 8, 2}, 4, 2, sums + 128, 4, numbers(0), numbers(1));
}

void productsOfBytes(Arguments& arguments, const Environment& where) {
  if (!has(where, 80)) return;
  const auto numbers = [&](std::size_t which, unsigned from, bool isSigned) {
    return [words = arguments[which].as<Word>() + from, isSigned](unsigned at, unsigned element) {
      return part(words[at], 8, element, isSigned);
    };
  };
  auto* const sums = arguments[2].as<std::int32_t>();
  multiply({16, 32, 4}, 4, 2, sums, 4, numbers(0, 0, true), numbers(1, 0, true));
  for (unsigned i = 0; i < 64; ++i) sums[128 + i] = sums[i / 2 * 4 + i % 2];
  multiply({8, 16, 4}, 4, 2, sums + 128, 2, numbers(0, 1, false), numbers(1, 1, true));
}

void productsOfFloats(Arguments& arguments, const Environment& where) {
  if (!has(where, 80)) return;
  const auto numbers = [&](std::size_t which) {
    return [values = arguments[which].as<float>()](unsigned at, unsigned) { return values[at]; };
  };
  multiply({16, 8, 1}, 4, 2, arguments[2].as<float>(), 4, numbers(0), numbers(1));
  multiply({8, 4, 1}, 1, 1, arguments[3].as<double>(), 2, numbers(0), numbers(1));
}

/// Halves between 1/64 and 64 in both halves of a word.
Argument moderateHalves(std::size_t n, std::uint64_t seed) {
  std::vector<Word> out = scrambled<Word>(n, seed);
  for (Word& pair : out) {
    const auto moderate = [](Word x) { return (x & 0x83ff) | (9 + (x >> 10) % 12) << 10; };
    pair = moderate(pair & 0xffff) | moderate(pair >> 16) << 16;
  }
  return array(out);
}

/// Whole numbers from -8 to 7 as pairs of halves.
Argument smallHalves(std::size_t n, std::uint64_t seed) {
  std::vector<Word> out = scrambled<Word>(n, seed);
  for (Word& pair : out) {
    const auto number = [](Word x) { return static_cast<Word>(half.bits(static_cast<double>(x % 16) - 8)); };
    pair = number(pair) | number(pair >> 16) << 16;
  }
  return array(out);
}

Argument smallFloats(std::size_t n, std::uint64_t seed) {
  const std::vector<Word> bits = scrambled<Word>(n, seed);
  std::vector<float> out;
  for (const Word x : bits) out.push_back(static_cast<float>(x % 32) - 16);
  return array(out);
}

/// Long numbers with words of ones, in which carries travel far.
Argument longNumbers(std::size_t n, std::uint64_t seed) {
  std::vector<Word> out = scrambled<Word>(n, seed);
  for (std::size_t i = 0; i < n; ++i) {
    if (i / 8 % 3 == 1 && i % 8 < 4) out[i] = ~0U;
    if (i / 8 % 3 == 1 && i % 8 == 4) out[i] = 1;
    if (i / 8 % 5 == 2) out[i] = i % 4 == 0 ? 0 : out[i - i % 4 == 0 ? i : i - 1];
  }
  return array(out);
}

Argument fewValues(std::size_t n) {
  std::vector<Word> out = scrambled<Word>(n, 21);
  for (std::size_t i = 0; i < n; ++i) out[i] = i < 2 * warp ? out[i] % 5 : i < 3 * warp ? 9 : out[i] % 7 - 3;
  return array(out);
}

}  // namespace

std::vector<Case> cases_cuda_inline_ptx_warps() {
  const LaunchOptions two{.grid = {2}, .group = {96}}, one{.group = {warp}};
  constexpr std::size_t n = 192;
  const auto words = [](std::uint64_t seed) { return array(scrambled<Word>(n, seed)); };
  return {
      {.name = "carries", .kernel = "carries", .launch = two, .arguments = {longNumbers(8 * n, 31), zeros<Word>(12 * n)}, .reference = carries},
      {.name = "dots", .kernel = "dots", .launch = two, .arguments = {words(32), words(33), words(34), zeros<Word>(12 * n)}, .reference = dots},
      {.name = "agreements", .kernel = "agreements", .launch = two, .arguments = {fewValues(n), zeros<Word>(10 * n)}, .reference = agreements},
      {.name = "halves",
       .kernel = "halves",
       .launch = two,
       .arguments = {moderateHalves(n, 35), moderateHalves(n, 36), moderateHalves(n, 37), zeros<Word>(9 * n)},
       .reference = halves},
      {.name = "moved_matrices",
       .kernel = "moved_matrices",
       .launch = one,
       .arguments = {array(scrambled<std::uint16_t>(512, 38)), zeros<Word>(256), zeros<std::uint16_t>(256)},
       .reference = movedMatrices},
      {.name = "products_of_halves",
       .kernel = "products_of_halves",
       .launch = one,
       .arguments = {smallHalves(128, 39), smallHalves(64, 40), smallFloats(256, 41)},
       .reference = productsOfHalves},
      {.name = "products_of_bytes",
       .kernel = "products_of_bytes",
       .launch = one,
       .arguments = {array(scrambled<Word>(128, 42)), array(scrambled<Word>(64, 43)), array(scrambled<std::int32_t>(192, 44))},
       .reference = productsOfBytes},
      {.name = "products_of_floats",
       .kernel = "products_of_floats",
       .launch = one,
       .arguments = {smallFloats(128, 45), smallFloats(64, 46), smallFloats(128, 47), counting<double>(64, 0.5)},
       .reference = productsOfFloats},
  };
}

}  // namespace lathe::conformance
