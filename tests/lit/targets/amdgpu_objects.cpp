// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code objects for both wave sizes: LLVM's tools read their headers, metadata and machine code.
//
// RUN: %compile %s -t amdgpu:gfx1100 --emit hsaco -o %t.1100 && llvm-readobj --file-headers --notes %t.1100 | FileCheck %s -DMACH=GFX1100 -DWAVE=32
// RUN: %compile %s -t amdgpu:gfx942 --emit hsaco -o %t.942 && llvm-readobj --file-headers --notes %t.942 | FileCheck %s -DMACH=GFX942 -DWAVE=64
// RUN: llvm-objdump -d %t.1100 | FileCheck %s --check-prefix=CODE
// RUN: llvm-objdump -d %t.942 | FileCheck %s --check-prefix=CODE
#include <lathe/device.h>

struct Limits {
  char kind;
  double low, high;
};

// CHECK: OS/ABI: AMDGPU_HSA
// CHECK: EF_AMDGPU_MACH_AMDGCN_[[MACH]]
// CHECK: amdhsa.kernels:
// The struct is passed in the argument segment as it is laid out, 24 bytes at offset 0.
// CHECK: .offset: 0
// CHECK-NEXT: .size: 24
// CHECK-NEXT: .value_kind: by_value
// CHECK: .offset: 24
// CHECK-NEXT: .size: 8
// CHECK-NEXT: .value_kind: global_buffer
// CHECK: .group_segment_fixed_size: 256
// CHECK: .wavefront_size: [[WAVE]]
// CODE: <_Z5clamp6LimitsPd>:
// CODE: s_barrier
// CODE: s_endpgm
LATHE_KERNEL void clamp(Limits limits, double* data) {
  LATHE_SHARED float part[64];
  const unsigned i = lathe::item_id().x & 63;
  part[i] = float(data[i]);
  lathe::barrier();
  const double x = part[63 - i];
  data[i] = x < limits.low ? limits.low : x > limits.high ? limits.high : x;
}
