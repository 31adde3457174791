// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes and dynamic programming.
#include "../reference/reference.h"
#include "cases.h"

namespace lathe::bench {
namespace {

constexpr CpuCase cases[] = {
    {"hashWords",
     R"(
KERNEL hashWords(unsigned n, IN in, OUT out) {
  const unsigned i = GROUP * 256 + X;
  if (i >= n) return;
  unsigned hash = i;
  for (unsigned k = 0; k < 16; ++k) {
    unsigned word = BITS(in[k * n + i]) * 0xcc9e2d51u;
    word = (word << 15 | word >> 17) * 0x1b873593u;
    hash ^= word;
    hash = (hash << 13 | hash >> 19) * 5u + 0xe6546b64u;
  }
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  out[i] = (float)((hash ^ hash >> 16) >> 8);
}
)",
     {1u << 14, 1u << 18, 1u << 20},
     [](unsigned n, unsigned) { return lines(n, {16 * n, n}, {value(n), buffer(0), buffer(1)}, 0); }},
    {"editDistance",
     R"(
KERNEL editDistance(unsigned n, IN first, IN second, OUT out) {
  SHARED float letters[64];
  SHARED unsigned diagonals[3][64];
  const unsigned x = X;
  letters[x] = first[GROUP * 64 + x];
  const int mine = (int)(second[GROUP * 64 + x] * 2.5f);
  BARRIER;
  for (unsigned step = 0; step < 127; ++step) {
    const unsigned y = step - x;
    if (y < 64) {
      const unsigned last = (step + 2) % 3, before = (step + 1) % 3;
      const unsigned left = x == 0 ? y + 1 : diagonals[last][x - 1], above = y == 0 ? x + 1 : diagonals[last][x];
      const unsigned corner = x == 0 ? y : y == 0 ? x : diagonals[before][x - 1];
      const unsigned change = corner + ((int)(letters[y] * 2.5f) == mine ? 0u : 1u);
      const unsigned gap = (left < above ? left : above) + 1u;
      diagonals[step % 3][x] = change < gap ? change : gap;
    }
    BARRIER;
  }
  if (x == 63) out[GROUP] = (float)diagonals[126 % 3][63];
}
)",
     {64, 1024, 16384},
     [](unsigned n, unsigned) {
       return rows(n, 64, {64 * n, 64 * n, n}, {value(n), buffer(0), buffer(1), buffer(2)}, 0);
     }},
};

}  // namespace

std::span<const CpuCase> sequenceCases() {
  return cases;
}

}  // namespace lathe::bench
