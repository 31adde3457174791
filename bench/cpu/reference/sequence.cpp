// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes and dynamic programming by hand. What a group does in shared memory is done in a block of the same size that
// stays in the first-level cache.
#include "reference.h"

namespace lathe::bench {
namespace {

void hashWords(unsigned n, float* const* memory) {
  const float* __restrict__ const in = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for simd schedule(static)
  for (unsigned i = 0; i < n; ++i) {
    unsigned hash = i;
    for (unsigned k = 0; k < 16; ++k) {
      unsigned word = __builtin_bit_cast(unsigned, in[k * n + i]) * 0xcc9e2d51u;
      word = (word << 15 | word >> 17) * 0x1b873593u;
      hash ^= word;
      hash = (hash << 13 | hash >> 19) * 5u + 0xe6546b64u;
    }
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    out[i] = float((hash ^ hash >> 16) >> 8);
  }
}

/// Diagonals, whose cells depend on no other cell of theirs; the second word lies reversed, so that a diagonal reads
/// both forwards.
void editDistance(unsigned n, float* const* memory) {
  constexpr int length = 64;
#pragma omp parallel for schedule(static)
  for (unsigned pair = 0; pair < n; ++pair) {
    const float* __restrict__ const a = memory[0] + pair * length;
    const float* __restrict__ const b = memory[1] + pair * length;
    int first[length], second[length], lines[3][length + 1];
    for (int i = 0; i < length; ++i) {
      first[length - 1 - i] = int(a[i] * 2.5f);
      second[i] = int(b[i] * 2.5f);
    }
    lines[0][0] = 0;
    lines[1][0] = lines[1][1] = 1;
    // Of the diagonal x + y = sum, place x: the least edits between x letters of one and y of the other.
    for (int sum = 2; sum <= 2 * length; ++sum) {
      const int* const before = lines[(sum + 1) % 3];
      const int* const last = lines[(sum + 2) % 3];
      int* const now = lines[sum % 3];
      const int begin = sum > length ? sum - length : 1, end = sum > length ? length : sum - 1;
      if (sum <= length) now[0] = now[sum] = sum;
#pragma omp simd
      for (int x = begin; x <= end; ++x) {
        const int change = before[x - 1] + (first[length - sum + x] == second[x - 1] ? 0 : 1);
        const int gap = (last[x - 1] < last[x] ? last[x - 1] : last[x]) + 1;
        now[x] = change < gap ? change : gap;
      }
    }
    memory[2][pair] = float(lines[2 * length % 3][length]);
  }
}

}  // namespace

LATHE_BENCH_KERNELS(sequence) = {{"hashWords", hashWords}, {"editDistance", editDistance}, {}};

}  // namespace lathe::bench
