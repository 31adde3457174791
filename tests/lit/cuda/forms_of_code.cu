// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms out of which NVIDIA's assembler makes better code: fields by shift and mask, one branch for two exits of a loop,
// and addresses that branches beside each other share.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_60 --emit ptx -o - | FileCheck %s --check-prefix=PASCAL

// CHECK-LABEL: .entry fields(
// CHECK-NOT: bfe
// CHECK: shr.u32 [[S:%r[0-9]+]], {{%r[0-9]+}}, 4;
// CHECK: and.b32 {{.*}}[[S]], 15;
// CHECK: shl.b32 [[L:%r[0-9]+]], {{%r[0-9]+}}, 20;
// CHECK: shr.s32 {{.*}}[[L]], 28;
// CHECK-NOT: bfe
// PASCAL-LABEL: .entry fields(
// PASCAL: bfe.u32
extern "C" __global__ void fields(const unsigned* in, int* out) {
  const unsigned x = in[threadIdx.x];
  out[2 * threadIdx.x] = (x >> 4) & 15;
  out[2 * threadIdx.x + 1] = static_cast<int>(x << 20) >> 28;
}

// CHECK-LABEL: .entry escape(
// CHECK: [[LOOP:\$L__BB[0-9_]+]]:
// CHECK-NOT: bra
// CHECK: and.pred [[BOTH:%p[0-9]+]],
// CHECK-NOT: bra
// CHECK: @[[BOTH]] bra [[LOOP]];
// CHECK-NOT: bra
// CHECK: st.global
extern "C" __global__ void escape(const float* seeds, int* out, int limit) {
  const float seed = seeds[threadIdx.x];
  float x = 0;
  int steps = 0;
  while (steps < limit && x * x <= 4) {
    x = x * x + seed;
    ++steps;
  }
  out[threadIdx.x] = steps;
}

// A condition that reads memory may not be asked before the other one holds.
// CHECK-LABEL: .entry find(
// CHECK: setp
// CHECK: ld.global{{.*}}.b32
// CHECK-NOT: and.pred
// CHECK: st.global
extern "C" __global__ void find(const int* in, int* out, int n) {
  int at = 0;
  while (at < n && in[at] != 7) at += 3;
  out[0] = at;
}

// CHECK-LABEL: .entry guarded(
// CHECK: mul.wide.s32
// CHECK: add.s64 [[AT:%rd[0-9]+]],
// CHECK: ld.global.b32 {{.*}}[[[AT]]]
// CHECK: ld.global.b32 {{.*}}[[[AT]]+1024]
// CHECK: ld.global.b32 {{.*}}[[[AT]]+2048]
// CHECK: ld.global.b32 {{.*}}[[[AT]]+3072]
extern "C" __global__ void guarded(const unsigned* keys, unsigned* counts, int n) {
  __shared__ unsigned local[16];
  const int base = blockIdx.x * 1024;
  for (int k = 0; k < 4; k++) {
    const int i = base + k * 256 + threadIdx.x;
    if (i < n) atomicAdd(&local[keys[i] & 15], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}
