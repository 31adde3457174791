// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX whose meaning lies between statements or between threads: carries, dot products, matches, reductions, an
// elected thread, matrices of a warp. What an older NVIDIA GPU lacks is left out there: its results are computed in C++, or
// stay as they were.
#include <cuda_fp16.h>
#include <lathe/cuda/tensor/matrix_fragments.h>

#define ITEM (blockIdx.x * blockDim.x + threadIdx.x)
#define HAS(arch) (!__lathe_target_is("cuda") || __lathe_arch_at_least(arch))

/// One instruction each, as libraries for long numbers have them.
__device__ __forceinline__ unsigned add_cc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ unsigned addc_cc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ unsigned addc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ unsigned long long subtracted(unsigned long long a, unsigned long long b, unsigned& borrow) {
  unsigned low, high;
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(low) : "r"(static_cast<unsigned>(a)), "r"(static_cast<unsigned>(b)));
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(high) : "r"(static_cast<unsigned>(a >> 32)), "r"(static_cast<unsigned>(b >> 32)));
  asm volatile("subc.u32 %0, 0, 0;" : "=r"(borrow));
  return static_cast<unsigned long long>(high) << 32 | low;
}

/// Sums and differences of 128 bits, and a product of 64 by 64 bits: eight words an item.
__global__ void carries(const unsigned* in, unsigned* out) {
  const unsigned i = ITEM;
  const unsigned* const a = in + 8 * i;
  const unsigned* const b = a + 4;
  unsigned* const r = out + 12 * i;
  r[0] = add_cc(a[0], b[0]);
  for (int k = 1; k < 3; ++k) r[k] = addc_cc(a[k], b[k]);
  r[3] = addc(a[3], b[3]);
  unsigned borrow;
  const unsigned long long difference =
      subtracted(a[0] | static_cast<unsigned long long>(a[1]) << 32, b[0] | static_cast<unsigned long long>(b[1]) << 32, borrow);
  r[4] = static_cast<unsigned>(difference);
  r[5] = static_cast<unsigned>(difference >> 32);
  r[6] = borrow;
  // Two statements, the first of several instructions.
  unsigned p0, p1, p2, p3;
  asm volatile("mul.lo.u32 %0, %4, %6;\n\tmul.hi.u32 %1, %4, %6;\n\tmul.lo.u32 %2, %5, %7;\n\tmul.hi.u32 %3, %5, %7;\n\t"
               "mad.lo.cc.u32 %1, %4, %7, %1;\n\tmadc.hi.cc.u32 %2, %4, %7, %2;"
               : "=&r"(p0), "=&r"(p1), "=&r"(p2), "=&r"(p3) : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
  asm volatile("addc.u32 %0, %0, 0;" : "+r"(p3));
  asm volatile("mad.lo.cc.u32 %0, %3, %4, %0;\n\tmadc.hi.cc.u32 %1, %3, %4, %1;\n\taddc.u32 %2, %2, 0;"
               : "+r"(p1), "+r"(p2), "+r"(p3) : "r"(a[1]), "r"(b[0]));
  r[7] = p0, r[8] = p1, r[9] = p2, r[10] = p3;
  r[11] = 0;
}

/// Sums of four products of bytes, and of two of 16 by 8 bits.
__global__ void dots(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  const unsigned i = ITEM, n = gridDim.x * blockDim.x;
  const unsigned a = x[i], b = y[i], c = z[i];
  unsigned f = 0;
#define DOT(text)                                                              \
  {                                                                            \
    unsigned d;                                                                \
    asm(text " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));          \
    out[f++ * n + i] = d;                                                      \
  }
  DOT("dp4a.s32.s32") DOT("dp4a.u32.u32") DOT("dp4a.s32.u32") DOT("dp4a.u32.s32")
  DOT("dp2a.lo.s32.s32") DOT("dp2a.hi.u32.u32") DOT("dp2a.lo.u32.s32") DOT("dp2a.hi.s32.u32")
  out[f++ * n + i] = static_cast<unsigned>(__dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
  out[f++ * n + i] = __dp4a(a, b, c);
  out[f++ * n + i] = static_cast<unsigned>(__dp2a_lo(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
  out[f++ * n + i] = __dp2a_hi(a, b, c);
}

/// Who has the same, what all have, and who goes first; ten words a thread. `in` has few values.
__global__ void agreements(const unsigned* in, unsigned* out) {
  const unsigned i = ITEM, value = in[i], lane = threadIdx.x % 32;
  unsigned* const r = out + 10 * i;
  for (int k = 0; k < 10; ++k) r[k] = 0;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r[0]) : "r"(value));
  const unsigned long long wide = static_cast<unsigned long long>(value % 3) << 40;
  asm volatile("match.any.sync.b64 %0, %1, 0xffffffff;" : "=r"(r[1]) : "l"(wide));
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p; }"
               : "=r"(r[2]), "=r"(r[3]) : "r"(in[i - lane] == value ? 5U : value >> 30));
  if (HAS(80)) {
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r[4]) : "r"(value));
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(r[5]) : "r"(value));
    asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(r[6]) : "r"(value));
    asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(r[7]) : "r"(value));
  } else {
    r[4] = value, r[5] = value, r[6] = value, r[7] = value;
    for (int by = 16; by != 0; by /= 2) {
      r[4] += __shfl_xor_sync(~0U, r[4], by);
      r[5] = static_cast<unsigned>(min(static_cast<int>(r[5]), static_cast<int>(__shfl_xor_sync(~0U, r[5], by))));
      r[6] = max(r[6], __shfl_xor_sync(~0U, r[6], by));
      r[7] ^= __shfl_xor_sync(~0U, r[7], by);
    }
  }
  r[8] = r[9] = 1;
  if (HAS(90)) {
    // Which thread is chosen is the machine's matter, but it is one, and all learn of it.
    unsigned leader, chosen;
    asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(leader), "=r"(chosen));
    r[8] = __popc(__ballot_sync(~0U, chosen != 0));
    r[9] = __shfl_sync(~0U, chosen, leader) == 1 && leader < 32;
  }
}

/// Arithmetic of halves, in one and in two: nine words an item.
__global__ void halves(const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  const unsigned i = ITEM, n = gridDim.x * blockDim.x;
  const unsigned a = x[i], b = y[i], c = z[i];
  unsigned d, f = 0;
  const auto put = [&](unsigned value) { out[f++ * n + i] = value; };
  asm("add.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  put(d);
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  put(d);
  asm("mul.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  put(d);
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  put(d);
  asm("neg.f16x2 %0, %1;" : "=r"(d) : "r"(a));
  put(d);
  const auto low = [](unsigned pair) { return static_cast<unsigned short>(pair); };
  unsigned short h;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(h) : "h"(low(a)), "h"(low(b)), "h"(low(c)));
  put(h);
  asm("add.f16 %0, %1, %2;" : "=h"(h) : "h"(low(a)), "h"(low(b)));
  put(h);
  asm("{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "h"(low(a)), "h"(low(b)));
  put(d);
  asm("{ .reg .f32 s; cvt.f32.f16 s, %1; mov.b32 %0, s; }" : "=r"(d) : "h"(low(a)));
  put(d);
}

/// Four matrices of 8 × 8 as they lie and transposed, and stored again in the other order: 8 words and a tile of 256.
__global__ void moved_matrices(const unsigned short* in, unsigned* parts, unsigned short* out) {
  __shared__ __align__(16) unsigned short tile[512];
  const unsigned lane = threadIdx.x;
  for (unsigned k = lane; k < 512; k += 32) tile[k] = in[k];
  __syncthreads();
  // Rows are 16 elements long: matrices lie beside and below each other.
  const unsigned short* const row = tile + (lane % 8 + lane / 16 * 8) * 16 + lane / 8 % 2 * 8;
  unsigned plain[4], turned[4];
  lathe::cuda::load_matrices(plain, row);
  lathe::cuda::load_matrices<true>(turned, row);
  for (int k = 0; k < 4; ++k) parts[lane * 8 + k] = plain[k], parts[lane * 8 + 4 + k] = turned[k];
  __syncthreads();
  if (HAS(90)) {
    lathe::cuda::store_matrices(tile + 256 + (lane % 8 + lane / 16 * 8) * 16 + lane / 8 % 2 * 8, turned);
  } else {
    for (unsigned k = 0; k < 4; ++k)
      for (unsigned e = 0; e < 2; ++e)
        tile[256 + (lane / 4 + k / 2 * 8) * 16 + k % 2 * 8 + lane % 4 * 2 + e] =
            static_cast<unsigned short>(turned[k] >> 16 * e);
  }
  __syncthreads();
  for (unsigned k = lane; k < 256; k += 32) out[k] = tile[256 + k];
}

/// Products of fragments: `a`, `b` and `c` are registers as they are, thread after thread.
__global__ void products_of_halves(const unsigned* a, const unsigned* b, float* c) {
  if (!HAS(80)) return;
  const unsigned lane = threadIdx.x;
  unsigned left[4], right[2];
  float sums[4];
  for (int k = 0; k < 4; ++k) left[k] = a[4 * lane + k], sums[k] = c[4 * lane + k];
  for (int k = 0; k < 2; ++k) right[k] = b[2 * lane + k];
  lathe::cuda::mma_f16(sums, left, right);
  for (int k = 0; k < 4; ++k) c[4 * lane + k] = sums[k];
  // Half as long, the sums halves.
  unsigned low[2] = {0, 0};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
               : "+r"(low[0]), "+r"(low[1]) : "r"(left[0]), "r"(left[1]), "r"(right[0]));
  for (int k = 0; k < 4; ++k) c[128 + 4 * lane + k] = __half2float(__ushort_as_half(static_cast<unsigned short>(low[k / 2] >> 16 * (k % 2))));
}
__global__ void products_of_bytes(const unsigned* a, const unsigned* b, int* c) {
  if (!HAS(80)) return;
  const unsigned lane = threadIdx.x;
  unsigned left[4], right[2];
  int sums[4];
  for (int k = 0; k < 4; ++k) left[k] = a[4 * lane + k], sums[k] = c[4 * lane + k];
  for (int k = 0; k < 2; ++k) right[k] = b[2 * lane + k];
  lathe::cuda::mma_s8(sums, left, right);
  for (int k = 0; k < 4; ++k) c[4 * lane + k] = sums[k];
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+r"(sums[0]), "+r"(sums[1]) : "r"(left[1]), "r"(right[1]));
  c[128 + 2 * lane] = sums[0];
  c[129 + 2 * lane] = sums[1];
}
__global__ void products_of_floats(const float* a, const float* b, float* c, double* d) {
  if (!HAS(80)) return;
  const unsigned lane = threadIdx.x;
  unsigned left[4], right[2];
  float sums[4];
  for (int k = 0; k < 4; ++k) left[k] = __float_as_uint(a[4 * lane + k]), sums[k] = c[4 * lane + k];
  for (int k = 0; k < 2; ++k) right[k] = __float_as_uint(b[2 * lane + k]);
  lathe::cuda::mma_tf32(sums, left, right);
  for (int k = 0; k < 4; ++k) c[4 * lane + k] = sums[k];
  double e0 = d[2 * lane], e1 = d[2 * lane + 1];
  const double x = a[lane], y = b[lane];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(e0), "+d"(e1) : "d"(x), "d"(y));
  d[2 * lane] = e0, d[2 * lane + 1] = e1;
}
