// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that return structures by several ways out: what comes of them is a choice between members. Back ends that
// number values lose the type of a structure that control flow chooses.
// RUN: %compile %s -t spirv -o %t.limg --dump-after late 2> %t.late
// RUN: FileCheck %s < %t.late
// RUN: %compile %s -t spirv -O0 -o %t.limg
// RUN: %if spirv-val %{ %lathe compile %s -t spirv --emit spv -o %t.spv && spirv-val --target-env spv1.4 %t.spv %}
// RUN: %compile %s -t opencl-c -o %t.limg
// RUN: %compile %s -t metal -o %t.limg
// CHECK-LABEL: define spir_kernel void @{{.*}}divide
// CHECK-NOT: phi {{[%]struct|[[{]}}
// CHECK: ret void
struct Interval {
  float low, high;
};

__device__ Interval byNegative(const Interval& x, const Interval& y) {
  if (x.high < 0) return {x.high / y.low, x.low / y.high};
  if (x.low < 0) return {x.high / y.high, x.low / y.high};
  return {x.high / y.high, x.low / y.low};
}

__device__ Interval byPositive(const Interval& x, const Interval& y) {
  if (x.high < 0) return {x.low / y.low, x.high / y.high};
  if (x.low < 0) return {x.low / y.low, x.high / y.low};
  return {x.low / y.high, x.high / y.low};
}

__device__ Interval quotient(const Interval& x, const Interval& y, bool& isSplit) {
  isSplit = false;
  if (y.high < 0) return byNegative(x, y);
  if (y.low > 0) return byPositive(x, y);
  isSplit = x.low != 0;
  return x.low == 0 ? x : Interval{-1e30f, x.high / y.low};
}

__global__ void divide(Interval* out, const Interval* a, const Interval* b, int count) {
  for (int i = 0; i < count; ++i) {
    bool isSplit;
    Interval value = quotient(a[i], b[i], isSplit);
    if (isSplit) value = quotient(value, {b[i].high, b[i].low}, isSplit);
    out[i] = value;
  }
}
