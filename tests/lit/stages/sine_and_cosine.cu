// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sine and cosine of one argument: one call of a library that computes both, else one of each.
// REQUIRES: libdevice
// RUN: %dump-after device_abi -t cuda:sm_90 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: call void @__nv_sincosf(float
// BOTH: call void @__nv_sincospi(double
// RUN: %compile %s -t cuda:sm_90 --fast-math -k turn --emit ptx -o - | FileCheck %s --check-prefix=FAST
// FAST-DAG: sin.approx
// FAST-DAG: cos.approx
// RUN: %dump-after device_abi -t amdgpu:gfx1100 2>&1 | FileCheck %s --check-prefix=EACH
// EACH: call {{.*}}float @{{.*}}sin
// EACH: call {{.*}}float @{{.*}}cos
// EACH: call {{.*}}double @{{.*}}sinpi{{.*}}(double
// EACH: call {{.*}}double @{{.*}}cospi{{.*}}(double
// RUN: %dump-after device_abi -t cpu 2>&1 | FileCheck %s --check-prefix=CPU --implicit-check-not="call { float"
// CPU: call {{.*}}float @llvm.sin.f32
// CPU: call {{.*}}float @llvm.cos.f32
extern "C" __global__ void turn(float* p) {
  float s, c;
  sincosf(p[threadIdx.x], &s, &c);
  p[threadIdx.x] = s + c;
}
extern "C" __global__ void halfTurn(double* p) {
  double s, c;
  sincospi(p[threadIdx.x], &s, &c);
  p[threadIdx.x] = s + c;
}
