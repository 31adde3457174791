// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops on a target whose descriptor has limits for their unrolling, beside nvcc 13.0's numbers for the same kernels.
// RUN: %compile %s -t cuda:sm_90 -k whole --emit ptx -o - | grep -c ld.global | FileCheck %s --check-prefix=WHOLE
// WHOLE: {{^}}25{{$}}
// RUN: %compile %s -t cuda:sm_90 -k divisor --emit ptx -o - | grep -c ld.global | FileCheck %s --check-prefix=DIVISOR
// DIVISOR: {{^}}3{{$}}
// Four iterations and one of the rest.
// RUN: %compile %s -t cuda:sm_90 -k rest --emit ptx -o - | grep -c ld.global | FileCheck %s --check-prefix=REST
// REST: {{^}}6{{$}}
// A value of a switch that names all of them is its default, or the loop has a second way out.
// RUN: %compile %s -t cuda:sm_90 -k walk --emit ptx -o - | FileCheck %s --check-prefix=WALK
// WALK-COUNT-5: mad.lo.s64
// WALK-NOT: brx.idx
// All items of a group leave the first loop together, and not the second, in which they vote.
// RUN: %compile %s -t cuda:sm_90 -k together --emit ptx -o - | grep -c bar.sync | FileCheck %s --check-prefix=TOGETHER
// TOGETHER: {{^}}5{{$}}
// RUN: %compile %s -t cuda:sm_90 -k apart --emit ptx -o - | grep -c activemask | FileCheck %s --check-prefix=APART
// APART: {{^}}1{{$}}
// A shuffle that names every item of the subgroup is made by all of them together, whatever the loop's end depends on.
// RUN: %compile %s -t cuda:sm_90 -k allShuffle --emit ptx -o - | grep -c shfl.sync | FileCheck %s --check-prefix=ALL
// ALL: {{^}}5{{$}}
// RUN: %compile %s -t cuda:sm_90 -k someShuffle --emit ptx -o - | grep -c shfl.sync | FileCheck %s --check-prefix=SOME
// SOME: {{^}}1{{$}}
// What the source says counts.
// RUN: %compile %s -t cuda:sm_90 -k asked --emit ptx -o - | grep -c fma | FileCheck %s --check-prefix=ASKED
// ASKED: {{^}}2{{$}}
// Without limits LLVM decides.
// RUN: env LATHE_TARGET_PATH=%S/../Inputs/targets %compile %s -t cuda-plain-loops:sm_90 -k walk --emit ptx -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN: brx.idx
extern "C" __global__ void whole(float* p, const float* q, float x) {
  float v = p[threadIdx.x];
  for (int i = 0; i < 24; i++) v = ((v * x + 1) * x + 2) * x + q[i];
  p[threadIdx.x] = v;
}
extern "C" __global__ void divisor(float* p, const float* q, float x) {
  float v = p[threadIdx.x];
  for (int i = 0; i < 256; i++) {
#pragma unroll
    for (int j = 0; j < 31; j++) v = v * x + j;
    v = v * x + q[i];
  }
  p[threadIdx.x] = v;
}
extern "C" __global__ void rest(float* p, const float* q, int n, float x) {
  float v = p[threadIdx.x];
  for (int i = 0; i < n; i++) v = ((v * x + 1) * x + 2) * x + q[i];
  p[threadIdx.x] = v;
}
extern "C" __global__ void walk(const unsigned long* seeds, int2* places, int steps) {
  unsigned long state = seeds[threadIdx.x];
  int x = 0, y = 0;
  for (int s = 0; s < steps; s++) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    switch (state >> 62) {
      case 0:
        x++;
        break;
      case 1:
        x--;
        break;
      case 2:
        y++;
        break;
      default:
        y--;
        break;
    }
  }
  places[threadIdx.x] = make_int2(x, y);
}
extern "C" __global__ void together(float* p, int n, float x) {
  __shared__ float s[256];
  float v = p[threadIdx.x];
  for (int i = 0; i < n; i++) {
    __syncthreads();
    s[threadIdx.x] = v;
    v = v * x + s[255 - threadIdx.x];
  }
  p[threadIdx.x] = v;
}
extern "C" __global__ void apart(unsigned* p, const unsigned* n) {
  unsigned v = 0;
  for (unsigned i = 0; i < n[threadIdx.x]; i++) v += __popc(__activemask());
  p[threadIdx.x] = v;
}
extern "C" __global__ void asked(float* p, const float* q, int n, float x) {
  float v = p[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < n; i++) v = (v * x + 1) * x + q[i];
  p[threadIdx.x] = v;
}
extern "C" __global__ void allShuffle(float* p, const float* q) {
  float v = p[threadIdx.x];
  for (int i = 0; i <= threadIdx.x / 32; i++) v += __shfl_xor_sync(0xffffffff, v, 1) * q[i];
  p[threadIdx.x] = v;
}
extern "C" __global__ void someShuffle(float* p, const float* q) {
  float v = p[threadIdx.x];
  for (int i = 0; i <= threadIdx.x / 2; i++) v += __shfl_xor_sync(3u << (threadIdx.x & 30), v, 1) * q[i];
  p[threadIdx.x] = v;
}
