// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where items are loops, `#pragma unroll` is followed as far as it pays: an outer loop over an unrolled one stays a loop, but
// not if an array of the item's own is indexed by its counter. On a GPU the source has its will.
// RUN: %compile %s -t cpu -k nest -o %t.limg --dump-after work_groups 2> %t.nest
// RUN: grep -c fdiv %t.nest | FileCheck %s --check-prefix=FEW
// RUN: %compile %s -t cpu -k registers -o %t.limg --dump-after work_groups 2> %t.registers
// RUN: FileCheck %s --check-prefix=REGISTERS < %t.registers
// RUN: %compile %s -t cuda:sm_80 -k nest --emit ptx -o %t.ptx
// RUN: grep -c div.rn %t.ptx | FileCheck %s --check-prefix=ALL
// FEW: {{^[1-9][0-9]?[0-9]?$}}
// ALL: {{^[1-9][0-9][0-9][0-9]$}}
// REGISTERS-NOT: alloca [64 x float]
__global__ void nest(const float* in, float* out) {
  float sum = in[threadIdx.x];
#pragma unroll
  for (int i = 0; i < 48; ++i) {
#pragma unroll
    for (int j = 0; j < 64; ++j) sum = sum / (sum + in[i * 64 + j]);
  }
  out[threadIdx.x] = sum;
}

__global__ void registers(const float* in, float* out) {
  float kept[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) kept[i] = in[i * blockDim.x + threadIdx.x];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) kept[i] = kept[i] * kept[(i + 1) % 64] + in[j * blockDim.x + threadIdx.x];
  }
#pragma unroll
  for (int i = 0; i < 64; ++i) out[i * blockDim.x + threadIdx.x] = kept[i];
}
