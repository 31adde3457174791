// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The item loop of a plain kernel becomes vector code; contraction and fast-math follow the job.
//
// RUN: %dump-after optimise -t cpu:x86-64-v3 2>&1 | FileCheck %s --check-prefix=V3
// RUN: %dump-after optimise -t cpu:x86-64-v4 --features +prefer-256-bit 2>&1 | FileCheck %s --check-prefix=V3
// RUN: %dump-after optimise -t cpu:x86-64-v3 -O 0 2>&1 | FileCheck %s --check-prefix=O0
// RUN: %compile %s -t cuda --emit ptx -o - | FileCheck %s --check-prefix=FUSED
// RUN: %compile %s -t cuda --emit ptx -o - --no-contract | FileCheck %s --check-prefix=APART
#include <lathe/device.h>

// V3: load <8 x float>, ptr
// V3: fmul {{.*}}<8 x float>
// V3: store <8 x float>
// O0-NOT: x float>
// O0: fmul {{.*}}float
// FUSED: fma.rn.f32
// APART-NOT: fma
// APART: mul.rn.f32
// APART: add.rn.f32
LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] = a * x[i] + y[i];
}
