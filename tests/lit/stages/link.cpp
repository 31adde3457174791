// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking makes a loadable file where the target needs one: an AMD code object is a shared ELF object whose symbol
// table has the kernel and its descriptor, and it takes no external linker.
//
// RUN: env PATH= %compile %s -t amdgpu:gfx1100 --emit hsaco -o %t.hsaco
// RUN: llvm-readelf -h --dyn-symbols --notes %t.hsaco | FileCheck %s
// RUN: %compile %s -t amdgpu:gfx1100 --emit object -o %t.o && llvm-readelf -h %t.o | FileCheck %s --check-prefix=OBJECT
#include <lathe/device.h>

// CHECK: Type: DYN (Shared object file)
// CHECK: Machine: EM_AMDGPU
// CHECK: gfx1100
// CHECK-DAG: FUNC GLOBAL PROTECTED {{.*}} _Z5scalePfi
// CHECK-DAG: OBJECT GLOBAL {{[A-Z]+}} {{.*}} _Z5scalePfi.kd
// CHECK: amdhsa.kernels:
// CHECK: .value_kind: global_buffer
// CHECK: .max_flat_workgroup_size: 64
// OBJECT: Type: REL (Relocatable file)
LATHE_BOUNDS(64) LATHE_KERNEL void scale(float* data, int n) {
  const int i = int(lathe::global_id().x);
  if (i < n) data[i] *= 2;
}
