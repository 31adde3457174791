// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that PTX has an instruction for are that instruction, where the architecture has it; with flushed denormal
// numbers conversions flush too.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: %compile %s -t cuda:sm_75 --emit ptx -o - | FileCheck %s --check-prefixes=CHECK,SM75
// RUN: %compile %s -t cuda:sm_90 --ftz -k conversions --emit ptx -o - | FileCheck %s --check-prefix=FLUSH
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
// CHECK-LABEL: .entry {{.*}}conversions
// CHECK: cvt.rpi.s32.f32
// CHECK: cvt.rmi.s64.f64
// CHECK: cvt.rp.f32.s64
// FLUSH: cvt.rpi.ftz.s32.f32
__global__ void conversions(const float* x, const double* y, const long long* z, int* a, long long* b, float* c) {
  *a = __float2int_ru(*x);
  *b = __double2ll_rd(*y);
  *c = __ll2float_ru(*z);
}

// CHECK-LABEL: .entry {{.*}}words
// CHECK: prmt.b32
// CHECK: dp4a.s32.s32
// CHECK: vabsdiff4.u32.u32.u32
// SM90: max.s16x2
// SM75-NOT: max.s16x2
__global__ void words(const unsigned* x, unsigned* y) {
  y[0] = __byte_perm(x[0], x[1], x[2]);
  y[1] = static_cast<unsigned>(__dp4a(static_cast<int>(x[0]), static_cast<int>(x[1]), static_cast<int>(x[2])));
  y[2] = __vabsdiffu4(x[0], x[1]);
  y[3] = __vmaxs2(x[0], x[1]);
}

// CHECK-LABEL: .entry {{.*}}small
// CHECK: rcp.approx.ftz.f32
// CHECK: rsqrt.approx.ftz.f32
// SM90: div.approx.f32
// SM90: cvt.rn.satfinite.e4m3x2.f32
// SM75-NOT: cvt.rn.satfinite.e4m3x2.f32
__global__ void small(const float* x, __half* y, __nv_bfloat16* z, __nv_fp8_storage_t* w) {
  y[0] = hrcp(__half(x[0]));
  y[1] = hrsqrt(__half(x[1]));
  z[0] = __nv_bfloat16(x[2]) / __nv_bfloat16(x[3]);
  w[0] = __nv_cvt_float_to_fp8(x[4], __NV_SATFINITE, __NV_E4M3);
}
