// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fourier transforms and their kin: a complex one in shared memory, the exact one of integers modulo a prime, Walsh and
// Hadamard's by shuffles, cosines of 8 x 8 blocks.
#include <cuComplex.h>
#include <cuda_runtime.h>

// Stockham's order: no bit reversal, a barrier between reading and writing.
template <int N>
__global__ void fourier(const cuFloatComplex* in, cuFloatComplex* out) {
  __shared__ cuFloatComplex data[N];
  const int t = threadIdx.x;
  data[t] = in[blockIdx.x * N + t];
  data[t + N / 2] = in[blockIdx.x * N + t + N / 2];
  for (int half = N / 2, stride = 1; half > 0; half /= 2, stride *= 2) {
    __syncthreads();
    const int p = t / stride, q = t % stride;
    const cuFloatComplex a = data[q + stride * p], b = data[q + stride * (p + half)];
    float s, c;
    sincospif(static_cast<float>(p) / static_cast<float>(half), &s, &c);
    __syncthreads();
    data[q + stride * 2 * p] = cuCaddf(a, b);
    data[q + stride * (2 * p + 1)] = cuCmulf(cuCsubf(a, b), make_cuFloatComplex(c, -s));
  }
  __syncthreads();
  out[blockIdx.x * N + t] = data[t];
  out[blockIdx.x * N + t + N / 2] = data[t + N / 2];
}

// Modulo 998244353, whose units have order 2^23 * 119. In place, input in bit-reversed order.
typedef unsigned long long u64;
__device__ unsigned raised(unsigned base, unsigned exponent) {
  u64 out = 1;
  for (u64 square = base; exponent; exponent >>= 1, square = square * square % 998244353)
    if (exponent & 1) out = out * square % 998244353;
  return static_cast<unsigned>(out);
}
__global__ void numberTheoretic(unsigned* data, int bits) {
  extern __shared__ unsigned v[];
  const int n = 1 << bits;
  for (int i = threadIdx.x; i < n; i += blockDim.x) v[__brev(static_cast<unsigned>(i)) >> (32 - bits)] = data[i];
  for (int length = 2; length <= n; length *= 2) {
    const unsigned root = raised(3, (998244353 - 1) / length);
    __syncthreads();
    for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
      const int k = i % (length / 2), low = i / (length / 2) * length + k, high = low + length / 2;
      const unsigned b = static_cast<unsigned>(static_cast<u64>(v[high]) * raised(root, k) % 998244353), a = v[low];
      v[low] = a + b >= 998244353 ? a + b - 998244353 : a + b;
      v[high] = a >= b ? a - b : a + 998244353 - b;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = v[i];
}

// 128 numbers a warp: within a thread, then across lanes.
__global__ void hadamard(int* data) {
  int* const mine = data + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 128 + threadIdx.x % 32 * 4;
  int4 v = *reinterpret_cast<int4*>(mine);
  v = make_int4(v.x + v.y, v.x - v.y, v.z + v.w, v.z - v.w);
  v = make_int4(v.x + v.z, v.y + v.w, v.x - v.z, v.y - v.w);
  for (int d = 1; d < 32; d *= 2) {
    const bool upper = threadIdx.x & d;
    int* const part = reinterpret_cast<int*>(&v);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int other = __shfl_xor_sync(0xffffffff, part[i], d);
      part[i] = upper ? other - part[i] : part[i] + other;
    }
  }
  *reinterpret_cast<int4*>(mine) = v;
}

__global__ void cosines(const float* in, float* out, int width) {
  __shared__ float block[8][8], basis[8][8], half[8][8];
  const int u = threadIdx.y, x = threadIdx.x, at = (blockIdx.y * 8 + u) * width + blockIdx.x * 8 + x;
  block[u][x] = in[at];
  basis[u][x] = (u ? 0.5f : 0.35355339f) * cospif(static_cast<float>((2 * x + 1) * u) / 16.0f);
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += basis[u][k] * block[k][x];
  half[u][x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += half[u][k] * basis[x][k];
  out[at] = sum;
}

int main() {
  fourier<256><<<4, 128>>>(nullptr, nullptr);
}
