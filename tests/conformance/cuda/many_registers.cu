// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that need many registers: loops in a loop of which each has bounds and addresses of its own, results whose
// addresses are computed long before, and structures of dozens of words between which the code chooses.
struct Key {
  unsigned word[30];
  __device__ bool operator<(const Key& other) const {
    for (int i = 0; i < 30; ++i) {
      if (word[i] < other.word[i]) return true;
      if (word[i] > other.word[i]) return false;
    }
    return false;
  }
};

__global__ void rows(unsigned* out, const unsigned* in, int width, int steps) {
  const int x = threadIdx.x;
  for (int step = 0; step < steps; ++step) {
    unsigned sum = static_cast<unsigned>(step);
#define ROW(k) \
  for (int i = 0; i < width * k + 5 - step; ++i) sum = sum * 3 + in[(x + k) * width * k + i * k];
    ROW(3) ROW(5) ROW(7) ROW(9) ROW(11) ROW(13) ROW(15) ROW(17) ROW(19) ROW(21) ROW(23) ROW(25)
    out[step * 32 + x] = sum;
  }
}

/// Merges two sorted lists of `each` keys, from as many places as there are threads.
__global__ void merge(Key* out, const Key* in, int each) {
  int a = static_cast<int>(threadIdx.x), b = each;
  Key first = in[a], second = in[b];
  Key* to = out + threadIdx.x * 2 * each;
  for (int i = 0; i < 2 * each; ++i) {
    const bool takesSecond = b < 2 * each && (a >= each || second < first);
    if (!takesSecond && a >= each) break;
    to[i] = takesSecond ? second : first;
    if (takesSecond)
      second = in[++b];
    else
      first = in[++a];
  }
}

/// Copies to and from what is chosen, also where both sides are.
__global__ void chosen(Key* out, const Key* in, int n) {
  __shared__ Key all[8];
  if (threadIdx.x < 8) all[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  Key a = in[8], b = in[9], last = in[10];
  last.word[3] = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    const unsigned bits = in[i & 7].word[i % 30] >> (threadIdx.x & 15);
    const Key next = bits & 1 ? all[i & 7] : last;
    (bits & 2 ? a : b) = next;
    if (bits & 4)
      a = in[(i + 3) & 7];
    else
      last = bits & 8 ? a : b;
    a.word[i % 3] += bits;
    switch (bits & 3) {
      case 0: a = b; break;
      case 1: b = last; break;
      default: b.word[2] ^= a.word[7];
    }
  }
  out[3 * threadIdx.x] = a;
  out[3 * threadIdx.x + 1] = b;
  out[3 * threadIdx.x + 2] = last;
}
