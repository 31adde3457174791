// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which threads take different numbers of turns, inside of loops that all take alike, and loops that are
// entered in the middle.

__global__ void counted(const int* in, unsigned* out) {
  const unsigned t = threadIdx.x, n = static_cast<unsigned>(in[0]);
  unsigned y = t;
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < t; ++j)
      for (unsigned k = 0; k < n; ++k) y = y * 5 + 1;
  out[t] = y;
}

/// Warps that wait in a loop that each takes as often as it likes.
__global__ void waiting(const int* in, unsigned* out) {
  const unsigned t = threadIdx.x, n = static_cast<unsigned>(in[0]);
  unsigned turns = 0, sum = 0;
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned j = 0; j <= t / 32; ++j) {
      sum += __shfl_xor_sync(0xffffffff, t + i, 1);
      ++turns;
    }
    sum += i * 100;
  }
  out[2 * t] = sum;
  out[2 * t + 1] = turns;
}

/// Threads of one warp that wait for those that are there.
__global__ void together(const int* in, unsigned* out) {
  const unsigned t = threadIdx.x, n = static_cast<unsigned>(in[0]);
  unsigned turns = 0;
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j <= t; ++j) {
      __syncwarp(__activemask());
      turns += 1 + i;
    }
  out[t] = turns;
}

/// Duff's device around a loop.
__global__ void entered(const int* in, unsigned* out) {
  const unsigned t = threadIdx.x, n = static_cast<unsigned>(in[0]);
  unsigned y = t, turns = 0;
  switch (t & 1) {
    do {
      case 0:
        for (unsigned j = 0; j < (t & 3); ++j) {
          y = y * 5 + 1;
          if (y & 2) break;
        }
      case 1:
        y ^= y >> 4;
    } while (++turns < n);
  }
  out[t] = y + turns;
}

/// Three places that lead to each other.
__global__ void jumped(const int* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x), n = in[0];
  int c = 0;
  if (t & 1) goto middle;
top:
  c += 3;
  if (c > n) goto end;
middle:
  c += 1;
  if (c & 4) goto top;
  if (c < n) goto middle;
end:
  out[t] = static_cast<unsigned>(c);
}

/// One counter that a loop without a body brings to where the next one begins.
__global__ void goneOn(const int* in, unsigned* out) {
  const unsigned n = static_cast<unsigned>(in[0]);
  unsigned i = threadIdx.x, sum = 0;
  while (i < 20 * n) i += blockDim.x;
  while (i < 100 * n) {
    unsigned y = i;
    for (unsigned a = 0; a < n; ++a) y = y * 5 + 1;
    sum ^= y;
    i += 32;
  }
  out[threadIdx.x] = sum + i;
}

/// Takes the same number of turns wherever it is entered, and is not entered by all; the counter is read behind it.
__global__ void readBehind(int n, float none, unsigned* out) {
  const unsigned t = threadIdx.x;
  float x = static_cast<float>(t), y = x, z = x, w = x, u = x, v = x, p = x;
  if (t >= 5) {
    int i = 0, last;
    do {
      for (int j = 0; j < 3; ++j) {
        x = x * none + y, y = y * none + z, z = z * none + w, w = w * none + u;
        u = u * none + v, v = v * none + p, p = p * none + x;
      }
      x += static_cast<float>(i);
      last = i;
      i += 3;
    } while (i < n);
    out[2 * t + 1] = static_cast<unsigned>(last);
  }
  out[2 * t] = static_cast<unsigned>(x + y + z + w + u + v + p);
}
