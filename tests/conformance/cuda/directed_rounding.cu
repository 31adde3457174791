// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic in the four rounding modes, one output a function, as bits: signs of zeros count. What is not a number is
// written as one pattern.
template <class Real, class Bits>
struct Store {
  Bits* out;
  int n;
  __device__ void operator()(Real x) {
    Bits bits;
    memcpy(&bits, &x, sizeof(bits));
    *out = x == x ? bits : ~Bits(0);
    out += n;
  }
};

#define MODES(name, ...) put(name##_rn(__VA_ARGS__)), put(name##_rz(__VA_ARGS__)), put(name##_ru(__VA_ARGS__)), put(name##_rd(__VA_ARGS__));

__global__ void floats(const float* a, const float* b, const float* c, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i], y = b[i], z = c[i];
  Store<float, unsigned> put{out + i, n};
  MODES(__fadd, x, y)
  MODES(__fsub, x, y)
  MODES(__fmul, x, y)
  MODES(__fdiv, x, y)
  MODES(__fmaf, x, y, z)
  MODES(__frcp, x)
  MODES(__fsqrt, x)
  put(__frsqrt_rn(x));
}

#define PAIRED(name, mode, member, ...) put(name##_##mode(__VA_ARGS__).member);
#define PAIRED_MODES(name, member, ...)                                                   \
  PAIRED(name, rn, member, __VA_ARGS__) PAIRED(name, rz, member, __VA_ARGS__)             \
  PAIRED(name, ru, member, __VA_ARGS__) PAIRED(name, rd, member, __VA_ARGS__)
/// Two floats at once, and without flushing.
__global__ void pairs(const float* a, const float* b, const float* c, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i], y = b[i], z = c[i];
  const float2 first{x, z}, second{y, x}, third{z, y};
  Store<float, unsigned> put{out + i, n};
  PAIRED_MODES(__fadd2, x, first, second)
  PAIRED_MODES(__fadd2, y, first, second)
  PAIRED_MODES(__fmul2, x, first, second)
  PAIRED_MODES(__fmul2, y, first, second)
  PAIRED_MODES(__ffma2, x, first, second, third)
  PAIRED_MODES(__ffma2, y, first, second, third)
  MODES(__fmaf_ieee, x, y, z)
}

__global__ void doubles(const double* a, const double* b, const double* c, unsigned long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = a[i], y = b[i], z = c[i];
  Store<double, unsigned long long> put{out + i, n};
  MODES(__dadd, x, y)
  MODES(__dsub, x, y)
  MODES(__dmul, x, y)
  MODES(__ddiv, x, y)
  MODES(__fma, x, y, z)
  MODES(__drcp, x)
  MODES(__dsqrt, x)
}
