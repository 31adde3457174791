// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A correctly rounded root stays behind the branch that guards it: it is many instructions. An approximate one is not.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK: setp.{{.*}}
// CHECK: @%p{{[0-9]+}} bra
// CHECK: sqrt.rn.f32
// RUN: %compile %s -t cuda:sm_90 --fast-math --emit ptx -o - | FileCheck %s --check-prefix=FAST --implicit-check-not="bra "
// FAST: sqrt.approx
__global__ void hit(const float* d, float* t, float b) {
  const float x = d[threadIdx.x];
  float nearest = 1e20f;
  if (x > 0) {
    const float at = b - sqrtf(x);
    if (at > 0.001f) nearest = at;
  }
  t[threadIdx.x] = nearest;
}
