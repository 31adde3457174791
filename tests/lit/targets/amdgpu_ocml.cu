// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's OCML serves where LATHE_OCML names it: its switches are constants of the job, and nothing stays undefined.
// REQUIRES: ocml
// RUN: env LATHE_OCML=%ocml %dump-after libraries -t amdgpu:gfx90a -O3 2>&1 | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: env LATHE_OCML=%ocml %dump-after libraries -t amdgpu:gfx90a -O3 --ftz 2>&1 | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: env LATHE_OCML=%ocml %compile %s -t amdgpu:gfx1100 -O0 -o %t.O0.limg
// RUN: env LATHE_OCML=%ocml %compile %s -t amdgpu:gfx1100 -O3 --emit asm -o %t.s && FileCheck %s --check-prefix=ASM < %t.s
// RUN: %dump-after libraries -t amdgpu:gfx90a -O3 2>&1 | FileCheck %s --check-prefix=WITHOUT
//
// CHECK-NOT: __oclc{{.*}} external
// CHECK-DAG: @__oclc_ISA_version = internal {{.*}}constant i32 9010
// EXACT-DAG: @__oclc_daz_opt = internal {{.*}}constant i8 0
// FAST-DAG: @__oclc_daz_opt = internal {{.*}}constant i8 1
// CHECK-DAG: define internal float @__ocml_sin_f32(
// CHECK-DAG: define internal double @__ocml_ncdfinv_f64(
// CHECK-DAG: define internal {{.*}}double @__lathe{{.*}}tgamma
// ASM-NOT: __oclc
// WITHOUT-NOT: __ocml
extern "C" __global__ void k(float* x, double* y) {
  x[0] = sinf(atan2f(x[0], x[1]));
  y[0] = normcdfinv(y[0]);
  y[1] = tgamma(y[1]);
}

// RUN: not env LATHE_OCML=%s %compile %s -t amdgpu -o %t.wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: device library {{.*}}amdgpu_ocml.cu is not readable
