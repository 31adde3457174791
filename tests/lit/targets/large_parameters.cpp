// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aggregates for which the target's parameters have no room arrive as addresses of device memory, the largest first, and
// only as many as it takes; the image says which, and the code has pointers there.
//
// RUN: %compile %s -t amdgpu:gfx1100 --emit ir -o - | FileCheck %s --check-prefixes=AMD
// RUN: %compile %s -t amdgpu:gfx1100 -O 0 --emit ir -o - | FileCheck %s --check-prefixes=AMD
// RUN: %compile %s -t amdgpu:gfx1100 --emit hsaco -o %t.hsaco && llvm-readobj --notes %t.hsaco | FileCheck %s --check-prefix=NOTES
// RUN: %compile %s -t spirv --emit ir -o - | FileCheck %s --check-prefixes=SPIRV
// RUN: %compile %s -t spirv -O 0 --emit ir -o - | FileCheck %s --check-prefixes=SPIRV
// RUN: %compile %s -t opencl-c --emit source -o - | FileCheck %s --check-prefixes=TEXT
// RUN: %compile %s -t amdgpu:gfx1100 -o %t.img && %lathe inspect %t.img | FileCheck %s --check-prefix=IMAGE
// RUN: %lathe inspect --json %t.img | FileCheck %s --check-prefix=JSON
// RUN: not %compile %s -t cuda:sm_60 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: not %compile %s -t spirv -DMANY --emit spv -o %t.spv 2>&1 | FileCheck %s --check-prefix=MANY
#include <lathe/device.h>

struct Small {
  float values[200];
};
struct Large {
  double scale;
  int values[1000];
};

// AMD-LABEL: define amdgpu_kernel void @_Z4bothf5SmallS_5LargePf(float {{[^,]*}}, ptr addrspace(4) {{[^,]*}}byref(%struct.Small){{[^,]*}}, ptr addrspace(4) {{[^,]*}}byref(%struct.Small){{[^,]*}}, ptr addrspace(4) noalias {{.*}}readonly {{.*}}dereferenceable(4008) %large, ptr addrspace(1)
// 1024 bytes have room for one of the small ones.
// SPIRV-LABEL: define spir_kernel void @_Z4bothf5SmallS_5LargePf(float {{[^,]*}}, ptr addrspace(1) noalias {{.*}}dereferenceable(800) %first, ptr {{[^,]*}}byval(%struct.Small){{[^,]*}}, ptr addrspace(1) noalias {{.*}}dereferenceable(4008) %large, ptr addrspace(1)
// TEXT: __kernel void _Z4bothf5SmallS_5LargePf(float a0, __global uchar *a1, lathe_bytes_800_4 a2_given, __global uchar *a3, __global uchar *a4)
// NOTES: .name: _Z4bothf5SmallS_5LargePf
// IMAGE: both
// IMAGE: 1608 {{ *}}4008 {{.*}}large (by reference: the runtime passes its address)
// IMAGE-NEXT: 0 {{.*}}.scale
// JSON: "name": "second"
// JSON: "by_reference": false
// JSON: "name": "large"
// JSON: "by_reference": true
// CUDA: large_parameters.cpp:[[# @LINE + 2]]{{.*}}: error: kernel 'both' takes 5624 bytes of parameters, cuda:sm_60 passes at most 4096; 'large' (Large) is 4008 bytes
// CUDA: hint: put it into device memory and pass a pointer
LATHE_KERNEL void both(float x, Small first, Small second, Large large, float* out) {
  const unsigned i = lathe::global_id().x;
  out[i] = x * first.values[i] + second.values[i] + float(large.scale * large.values[i]);
}

#ifdef MANY
// What is no aggregate, or no larger than an address, stays where it is.
struct Eight {
  int values[2];
};
#define EIGHT(n) Eight n##0, Eight n##1, Eight n##2, Eight n##3, Eight n##4, Eight n##5, Eight n##6, Eight n##7
#define MANY_EIGHTS(n) EIGHT(n##0), EIGHT(n##1), EIGHT(n##2), EIGHT(n##3), EIGHT(n##4), EIGHT(n##5), EIGHT(n##6), EIGHT(n##7)
// MANY: error: kernel 'many' takes 1032 bytes of parameters, spirv:spv1.4 passes at most 1024
LATHE_KERNEL void many(MANY_EIGHTS(a), MANY_EIGHTS(b), int* out) {
  *out = a00.values[0] + b77.values[1];
}
#endif
