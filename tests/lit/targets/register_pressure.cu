// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose results wait in registers while other blocks run take no more of them than in nvcc's code, by the same
// assembler.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if nvcc && ptxas %{ %nvcc -ptx -arch=sm_90 %s -o %t.nvcc.ptx %}
// RUN: %if nvcc && ptxas %{ %python %S/../Inputs/compare_registers.py %ptxas sm_90 %t.ptx %t.nvcc.ptx %}

// CHECK-LABEL: .entry ranks(
// CHECK: shl.b32 [[MASK:%r[0-9]+]], {{%r[0-9]+}}, [[BELOW:%r[0-9]+]];
// CHECK: mul.wide.u32
// CHECK: atom.shared.add.u32 {{.*}}, 1;
// CHECK: and.b32 [[DIGIT:%r[0-9]+]], {{%r[0-9]+}}, [[MASK]];
// CHECK: shr.u32 {{%r[0-9]+}}, [[DIGIT]], [[BELOW]];
// CHECK: match.any.sync.b32
// CHECK: shl.b32 [[OFFSET:%r[0-9]+]], {{.*}}, 2;
// CHECK: add.s32 [[SUM:%r[0-9]+]], {{%r[0-9]+}}, [[OFFSET]];
// CHECK: cvt.u64.u32 [[PLACE:%rd[0-9]+]], [[SUM]];
// CHECK: atom.shared.add.u32 {{.*}}[[[PLACE]]]

// A value is computed from its coefficients before the next ones are loaded, and stays there.
// CHECK-LABEL: .entry waves(
// CHECK: sqrt.rn.f64
// CHECK-COUNT-6: ld.global.nc.b64
// CHECK-COUNT-5: fma.rn.f64
// CHECK: sqrt.rn.f64

// What the twelve loops of a step begin and end with is computed in the step, and not before all of them.
// CHECK-LABEL: .entry rows(
// CHECK-NOT: mul.lo.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 25;
// CHECK: st.global.b32
// CHECK: mul.lo.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 25;

// Where results go is computed as each is written, and not before the loop that all of them come from.
// CHECK-LABEL: .entry references(
// CHECK: sqrt.rn.f32
// CHECK: add.s64 [[SECOND:%rd[0-9]+]]
// CHECK-NEXT: st.global.b32 [[[SECOND]]]
// CHECK: add.s64 [[THIRD:%rd[0-9]+]]
// CHECK-NEXT: st.global.b32 [[[THIRD]]]

// Each item counts the digits of its 24 keys and later ranks the keys by the same counters: digits and counters'
// addresses are computed twice, while the keys stay.
extern "C" __global__ void ranks(unsigned* out, const unsigned* keys, int bit) {
  __shared__ unsigned counters[12][256];
  unsigned key[24], rank[24];
  unsigned(&mine)[256] = counters[threadIdx.x / 32];
  for (int k = 0; k < 24; ++k) key[k] = keys[k * 384 + threadIdx.x];
  for (int k = 0; k < 24; ++k) atomicAdd(&mine[(key[k] >> bit) & 255], 1u);
  __syncthreads();
  if (threadIdx.x < 256)
    for (int warp = 1; warp < 12; ++warp) counters[warp][threadIdx.x] += counters[warp - 1][threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 24; ++k) {
    const unsigned digit = (key[k] >> bit) & 255, peers = __match_any_sync(~0u, digit);
    const int leader = 31 - __clz(peers);
    unsigned first = 0;
    if (threadIdx.x % 32 == leader) first = atomicAdd(&mine[digit], __popc(peers));
    rank[k] = __shfl_sync(~0u, first, leader) + __popc(peers & ((2u << (threadIdx.x % 32)) - 1));
  }
  for (int k = 0; k < 24; ++k) out[rank[k]] = key[k];
}

__device__ double series(const double* table, double x) {
  if (x > 100) x = sqrt(x);
  const double* c = table + (x < 1 ? 0 : 6);
  return ((((c[0] * x + c[1]) * x + c[2]) * x + c[3]) * x + c[4]) * x + c[5];
}
extern "C" __global__ void waves(double* out, const double* __restrict__ in, const double* __restrict__ table) {
  double sum[16];
  for (int k = 0; k < 16; ++k) sum[k] = series(table, in[k * 512 + threadIdx.x]);
  for (int k = 0; k < 16; ++k) out[k * 512 + threadIdx.x] = sum[k];
}

extern "C" __global__ void rows(float* out, const float* in, int width, int steps) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < steps; ++step) {
    float sum = 0;
#define ROW(k) \
  for (int i = 0; i < width * k + 5; ++i) sum = sum * in[(x + k) * width * k + i * k] + 1.0f;
    ROW(3) ROW(5) ROW(7) ROW(9) ROW(11) ROW(13) ROW(15) ROW(17) ROW(19) ROW(21) ROW(23) ROW(25)
    out[step * width + x] = sum;
  }
}

__device__ void results(const float* __restrict__ x, int n, float& a, float& b, float& c, float& d, float& e, float& f,
                        float& g, float& h, float& i, float& j, float& k, float& l, float& m, float& o, float& p,
                        float& q) {
  float v[48], sum = 0;
  for (int s = 0; s < 48; ++s) v[s] = x[s * n];
  for (int s = 0; s < 48; ++s) sum += v[s] * v[47 - s] * sqrtf(v[(s + 7) % 48]);
  a = sum, b = sum * v[1], c = sum * v[2], d = sum * v[3], e = sum + v[4], f = sum + v[5], g = sum - v[6];
  h = sum - v[7], i = sum, j = sum * v[9], k = sum * v[8], l = sum * v[11], m = sum + v[24], o = sum + v[25];
  p = sum - v[26], q = sum - v[27];
}
extern "C" __global__ void references(float* out, const float* __restrict__ in, int pitch) {
  const int x = threadIdx.x;
#define OUT(k) out[x + k * pitch]
  results(in + x, pitch, OUT(0), OUT(1), OUT(2), OUT(3), OUT(4), OUT(5), OUT(6), OUT(7), OUT(8), OUT(9), OUT(10),
          OUT(11), OUT(12), OUT(13), OUT(14), OUT(15));
}
