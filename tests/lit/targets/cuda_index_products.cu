// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points of an unrolled loop, each of which may be left out, have one address, multiplied once; what differs are
// offsets of the loads.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK: ld.global.b32 {{%r[0-9]+}}, {{\[}}[[AT:%rd[0-9]+]]];
// CHECK: ld.global.b32 {{%r[0-9]+}}, {{\[}}[[AT]]+12];
// CHECK: ld.global.b32 {{%r[0-9]+}}, {{\[}}[[AT]]+24];
// CHECK: ld.global.b32 {{%r[0-9]+}}, {{\[}}[[AT]]+36];
__global__ void nearest(const int* points, int n, int* out) {
  const int item = static_cast<int>(threadIdx.x);
  int least = 1 << 30, found = item;
  for (int j = 0; j < n; ++j) {
    if (j == item) continue;
    const int x = points[3 * j] - item, y = points[3 * j + 1], z = points[3 * j + 2];
    const int distance = x * x + y * y + z * z;
    if (distance < least) {
      least = distance;
      found = j;
      out[item] = j;
    }
  }
  out[item] = found;
}
