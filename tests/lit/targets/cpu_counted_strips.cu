// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that all items take as often, whose iterations are long or carry much, are taken by strips of items without a
// mask: what the loop's counter addresses is one place, what the item addresses are neighbours, and nothing is gathered.
// Arrays of an item's own become registers. Where the machine has vectors of 512 bits, so has mathematics.
//
// RUN: %compile --target cpu:znver4 --emit asm -o - %s | FileCheck %s

// CHECK-LABEL: {{^}}weights.group:
// CHECK-NOT: vgather
// CHECK: vbroadcastss
// CHECK-NOT: vgather
// CHECK: vscalefps{{.*}}zmm
extern "C" __global__ void weights(unsigned n, const float* __restrict__ keys, const float* __restrict__ in,
                                   float* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = in[i];
  float sum = 0, first = 0, second = 0, third = 0, fourth = 0;
  for (unsigned k = 0; k < 64; ++k) {
    const float weight = expf(-mine * keys[5 * k]);
    sum += weight;
    first = first * weight + keys[5 * k + 1];
    second = second * weight + keys[5 * k + 2];
    third = third * weight + keys[5 * k + 3];
    fourth = fourth * weight + keys[5 * k + 4];
  }
  out[i] = (first * second + third * fourth) / sum;
}

// CHECK-LABEL: {{^}}solve.group:
// CHECK-NOT: scatter
// CHECK: vdivps{{.*}}zmm
extern "C" __global__ void solve(unsigned n, const float* __restrict__ lower, float* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float kept[12];
  kept[0] = 0.25f;
  for (unsigned k = 1; k < 12; ++k) kept[k] = 1.0f / (4.0f - lower[k * n + i] * kept[k - 1]);
  for (unsigned k = 12; k > 0; --k) out[(k - 1) * n + i] = kept[k - 1];
}
