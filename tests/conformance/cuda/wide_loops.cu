// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of 128 bits that change in loops and at branches, compared and divided, and local arrays that bits turn.
__global__ void compared(const unsigned* in, int rounds, unsigned* out) {
  const int i = threadIdx.x;
  unsigned __int128 x = in[i];
  for (int k = 0; k < rounds; ++k) x = x * in[i] + 1;
  __int128 y = in[i] & 1 ? static_cast<__int128>(x) - in[0] : -static_cast<__int128>(x >> 3);
  unsigned steps = 0;
  while (y > 1 && steps < 200) {
    y = y & 1 ? y - 1 : y / 2;
    ++steps;
  }
  out[i] = (x != 0) + 2 * (x < in[0]) + 4 * (x == 7) + 8 * (y < 0) + 16 * (y >= in[1]) + 32 * steps +
           16384 * static_cast<unsigned>(x % 1000003u);
}

/// A word's digits to a base, by division of 128 bits, until nothing is left.
__global__ void digits(const unsigned long long* in, unsigned base, unsigned* out) {
  const int i = threadIdx.x;
  unsigned __int128 left = static_cast<unsigned __int128>(in[i]) << (i % 64) | in[63 - i];
  unsigned count = 0, sum = 0;
  do {
    sum += static_cast<unsigned>(left % base) * ++count;
    left /= base;
  } while (left != 0);
  out[i] = sum;
}

__device__ void turn(unsigned (&x)[8], unsigned by) {
#pragma unroll
  for (int distance = 4; distance > 0; distance >>= 1) {
    unsigned y[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) y[i] = x[(i + (by & distance)) % 8];
#pragma unroll
    for (int i = 0; i < 8; ++i) x[i] = y[i];
  }
}

__global__ void turned(const unsigned* in, unsigned* out) {
  unsigned x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = in[i] * threadIdx.x;
  turn(x, in[threadIdx.x]);
#pragma unroll
  for (int i = 0; i < 6; ++i)
    out[threadIdx.x * 6 + i] = x[7 - i - (in[threadIdx.x] & 8 ? 1 : 0)] + 3 * x[5 - i + (in[threadIdx.x] >> 5 & 1)];
}
