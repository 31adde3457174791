// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as OpenCL C: numbers are unsigned and wrap, pointers count bytes, loops and branches nest.
//
// RUN: %compile %s -t opencl-c --emit cl -o - | FileCheck %s
// RUN: %compile %s -t opencl-c:cl1.2 -k scale -k least --emit cl -o - | FileCheck %s --check-prefix=OLD
// RUN: %compile %s -t opencl-c -k scale --no-contract --emit cl -o - | FileCheck %s --check-prefix=APART
#include <lathe/device.h>

// CHECK: #pragma OPENCL FP_CONTRACT OFF
// CHECK: typedef float lathe_f32 __attribute__((may_alias, aligned(4)));

// CHECK-LABEL: __kernel void scale(uint a0, float a1, __global uchar *a2, __global uchar *a3) {
// CHECK: [[I:v[0-9]+]] = (ulong){{.*}}
// CHECK: __global uchar *[[P:v[0-9]+]] = a2 + (long)([[I]] * 4ul);
// CHECK-NEXT: const float [[X:v[0-9]+]] = *(__global lathe_f32 *)[[P]];
// CHECK: lathe_fma_f32(a1, [[X]], {{v[0-9]+}});
// APART-NOT: lathe_fma
// APART: const float [[PRODUCT:v[0-9]+]] = {{.*}} * {{.*}};
// APART: const float {{v[0-9]+}} = [[PRODUCT]] + {{v[0-9]+}};
extern "C" LATHE_KERNEL void scale(unsigned n, float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// Signed division casts, products of short numbers are made as unsigned, shifts stay below the width.
// CHECK-LABEL: __kernel void numbers(
// CHECK-DAG: (uint)((int){{v[0-9]+}} / (int){{v[0-9]+}});
// CHECK-DAG: {{v[0-9]+}} << ({{v[0-9]+}} & 31)
// CHECK-DAG: (uint)((int){{v[0-9]+}} >> 3);
// CHECK-DAG: (ushort)((uint){{v[0-9]+}} * (uint){{v[0-9]+}});
extern "C" LATHE_KERNEL void numbers(const int* x, unsigned short* s, int* out) {
  out[0] = x[0] / x[1];
  out[1] = x[2] << x[3];
  out[2] = x[4] >> 3;
  s[0] = static_cast<unsigned short>(s[1] * s[2]);
}

// A loop that is left in one place, and the barrier within.
// CHECK-LABEL: __kernel void sums(
// CHECK: __local uchar lathe_{{.*}}part{{.*}}[256] __attribute__((aligned(4)));
// CHECK: while (true) {
// CHECK: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// CHECK: break;
// CHECK-NEXT: }
// CHECK-NEXT: }
extern "C" LATHE_KERNEL void sums(const float* x, float* y, unsigned rounds) {
  LATHE_SHARED float part[64];
  const unsigned i = lathe::item_id().x;
  part[i] = x[i];
  for (unsigned round = 1; round < rounds; round *= 2) {
    lathe::barrier();
    if (i % (2 * round) == 0) part[i] += part[i + round];
  }
  if (i == 0) y[0] = part[0];
}

// CHECK-LABEL: __kernel void least(
// CHECK: atomic_fetch_min_explicit((volatile __global atomic_int *)a0, (int){{.*}}, memory_order_relaxed, memory_scope_device)
// OLD-LABEL: __kernel void least(
// OLD: atomic_min((volatile __global int *)a0, (int)
extern "C" LATHE_KERNEL void least(int* place, const int* x) {
  lathe::atomic_min(place, x[lathe::global_id().x]);
}

// Structures arrive as they lie in memory; tables are bytes.
// CHECK-LABEL: __kernel void structures(lathe_bytes_12_4 a0_given,
// CHECK: lathe_bytes_12_4 a0_copy = a0_given;
// CHECK: __private uchar *a0 = (__private uchar *)&a0_copy;
struct Three {
  int a, b, c;
};
extern "C" LATHE_KERNEL void structures(Three three, int* out, unsigned which) {
  static constexpr unsigned char table[5] = {1, 2, 3, 5, 8};
  out[0] = three.a + three.c * table[which % 5];
}
