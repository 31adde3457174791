// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image lists the entry points with their layouts, what they use, the globals and where all of it came from.
//
// RUN: %compile %s -t cuda:sm_90 -k 'scale<double>' -k fill -o %t.limg
// RUN: %lathe inspect %t.limg --json | FileCheck %s
#include <lathe/device.h>

struct Pair {
  char tag;
  double value;
};

LATHE_CONSTANT float weights[9] = {1};

// CHECK-DAG: "target": "cuda"
// CHECK-DAG: "arch": "sm_90"
// CHECK-DAG: "name": "scale<double>"
template <class T>
LATHE_KERNEL void scale(T factor, T* data) { data[lathe::global_id().x] *= factor; }

// CHECK-DAG: "name": "fill"
// CHECK-DAG: "name": "pair"
// CHECK-DAG: "name": "tag"
// CHECK-DAG: "name": "weights"
// CHECK-DAG: "space": "constant"
// CHECK-DAG: "producer": "lathe
LATHE_KERNEL void fill(Pair pair, double* out) {
  LATHE_SHARED double part[8];
  part[lathe::item_id().x & 7] = pair.value * weights[2];
  lathe::barrier();
  *out = part[0];
}
// An image of the same job is the same file.
// RUN: %compile %s -t cuda:sm_90 -k 'scale<double>' -k fill -o %t.again.limg && cmp %t.limg %t.again.limg
