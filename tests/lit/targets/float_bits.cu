// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas 13.0 makes a conversion of a narrow store of a register that an instruction for floats wrote.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK-LABEL: .entry low
// CHECK: sqrt.rn.f32 [[X:%r[0-9]+]]
// CHECK: mov.b32 [[KEPT:%r[0-9]+]], [[X]];
// CHECK-NOT: st.global.b16 {{.*}}, [[X]];
// CHECK: st.global.b16 {{.*}}, [[KEPT]];
extern "C" __global__ void low(const float* x, unsigned short* out) {
  out[threadIdx.x] = static_cast<unsigned short>(__float_as_uint(sqrtf(x[threadIdx.x])));
}
