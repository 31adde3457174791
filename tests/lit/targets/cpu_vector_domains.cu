// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library's vector functions get no operands that they would hand to the scalar ones: elements without an ordinary
// result are taken out, where a vector has one.
// RUN: %compile %s -t x86-64-v3 --emit ir -o - | FileCheck %s
// CHECK-LABEL: @logarithms.group(
// CHECK: fcmp ogt <4 x double> [[X:%.+]], zeroinitializer
// CHECK: [[ALL:%[0-9]+]] = call i1 @llvm.vector.reduce.and.v4i1(
// CHECK: br i1 [[ALL]],
// CHECK: call {{.*}}@_ZGVdN4v_log(<4 x double> [[X]])
// CHECK: [[SAFE:%[0-9]+]] = select <4 x i1> {{%.+}}, <4 x double> [[X]], <4 x double> splat (double 1.000000e+00)
// CHECK: call {{.*}}@_ZGVdN4v_log(<4 x double> [[SAFE]])
// CHECK: phi <4 x double>
extern "C" __global__ void logarithms(const double* __restrict__ x, double* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = log(x[i]);
}
