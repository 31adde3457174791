// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variant of a function the options choose: the library's precise one, its approximate one with --fast-math and
// under the name with underscores, and with --ftz the instructions that treat denormal numbers as zero. --approximate-math
// chooses the same and permits nothing else; functions that are named for their rounding stay exact in any case.
//
// REQUIRES: libdevice
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s --check-prefixes=PRECISE
// RUN: %compile %s -t cuda:sm_80 --fast-math --emit ptx -o - | FileCheck %s --check-prefixes=FAST
// RUN: %compile %s -t cuda:sm_80 --approximate-math --emit ptx -o - | FileCheck %s --check-prefixes=FAST,KEEPS
// RUN: %compile %s -t cuda:sm_80 --ftz --emit ptx -o - | FileCheck %s --check-prefixes=FLUSH
// RUN: %compile %s -t cuda:sm_80 --fast-math --ftz --emit ptx -o - | FileCheck %s --check-prefixes=BOTH

// PRECISE-LABEL: .entry logarithm
// PRECISE-NOT: lg2.approx
// FAST-LABEL: .entry logarithm
// FAST: lg2.approx.f32
// FLUSH-LABEL: .entry logarithm
// FLUSH-NOT: lg2.approx
// FLUSH: .ftz.f32
// BOTH-LABEL: .entry logarithm
// BOTH: lg2.approx.ftz.f32
extern "C" __global__ void logarithm(float* x) {
  x[threadIdx.x] = logf(x[threadIdx.x]);
}
// PRECISE-LABEL: .entry named
// PRECISE: lg2.approx.f32
// FAST-LABEL: .entry named
// FAST: lg2.approx.f32
// FLUSH-LABEL: .entry named
// FLUSH: lg2.approx.ftz.f32
// BOTH-LABEL: .entry named
// BOTH: lg2.approx.ftz.f32
extern "C" __global__ void named(float* x) {
  x[threadIdx.x] = __logf(x[threadIdx.x]);
}
// PRECISE-LABEL: .entry tangent
// PRECISE-NOT: sin.approx
// FAST-LABEL: .entry tangent
// FAST: sin.approx.f32
// FLUSH-LABEL: .entry tangent
// FLUSH-NOT: sin.approx
// BOTH-LABEL: .entry tangent
// BOTH: sin.approx.ftz.f32
extern "C" __global__ void tangent(float* x) {
  x[threadIdx.x] = tanf(x[threadIdx.x]);
}
// A double has no approximate variant.
// FAST-LABEL: .entry wide
// FAST-NOT: lg2.approx
extern "C" __global__ void wide(double* x) {
  x[threadIdx.x] = log(x[threadIdx.x]);
}
// FAST-LABEL: .entry hyperbolic
// FAST: tanh.approx.f32
extern "C" __global__ void hyperbolic(float* x) {
  x[threadIdx.x] = tanhf(x[threadIdx.x]);
}
// FAST-LABEL: .entry rounded
// FAST-DAG: div.rn.f32
// FAST-DAG: sqrt.rn.f32
// FAST-DAG: mul.rn.f32
// FAST-NOT: fma
// FAST-NOT: approx
extern "C" __global__ void rounded(float* x) {
  x[0] = __fadd_rn(__fmul_rn(x[1], x[2]), __fsqrt_rn(x[3]));
  x[1] = __fdiv_rn(x[4], x[5]);
}
// KEEPS-LABEL: .entry order
// KEEPS: add{{(.rn)?}}.f32
// KEEPS: sub{{(.rn)?}}.f32
// KEEPS: setp.nan.f32
extern "C" __global__ void order(float* x) {
  const float sum = x[1] + x[2];
  x[0] = sum - x[2];
  x[3] = isnan(x[4]) ? 1 : 0;
}
