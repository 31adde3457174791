// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code objects have version 5, 6 for generic processors and where the job's parameter asks for it, as Clang writes them. The
// ELF header's ABI version is 2 less, and the metadata of both is 1.2.
//
// RUN: %compile %s -t amdgpu:gfx942 --emit hsaco -o %t.5 && llvm-readelf -h -n %t.5 | FileCheck %s --check-prefix=V5
// RUN: %compile %s -t amdgpu:gfx942 --param amdgpu.code_object=6 --emit hsaco -o %t.6 && llvm-readelf -h -n %t.6 | FileCheck %s --check-prefix=V6
// RUN: %compile %s -t amdgpu:gfx11-generic --emit hsaco -o %t.g && llvm-readelf -h -n %t.g | FileCheck %s --check-prefix=V6
// RUN: clang -x hip --offload-arch=gfx942 -nogpulib -nogpuinc --cuda-device-only --no-gpu-bundle-output -mcode-object-version=5 %S/../Inputs/empty_kernel.hip -o %t.c5 && llvm-readelf -h -n %t.c5 | FileCheck %s --check-prefix=V5
// RUN: clang -x hip --offload-arch=gfx942 -nogpulib -nogpuinc --cuda-device-only --no-gpu-bundle-output -mcode-object-version=6 %S/../Inputs/empty_kernel.hip -o %t.c6 && llvm-readelf -h -n %t.c6 | FileCheck %s --check-prefix=V6
// RUN: not %compile %s -t amdgpu:gfx942 --param amdgpu.code_object=4 -o %t.no 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not %compile %s -t amdgpu:gfx11-generic --param amdgpu.code_object=5 -o %t.no 2>&1 | FileCheck %s --check-prefix=GENERIC
// RUN: %compile %s -t cpu --param amdgpu.code_object=6 -o %t.cpu
#include <lathe/device.h>
LATHE_KERNEL void empty_kernel(int* p) { *p = 1; }

// V5: ABI Version: {{ *}}3
// V5: amdhsa.version
// V5-NEXT: - 1
// V5-NEXT: - 2
// V6: ABI Version: {{ *}}4
// V6: amdhsa.version
// V6-NEXT: - 1
// V6-NEXT: - 2
// OLD: error: parameter 'amdgpu.code_object' is '4'
// OLD: hint: code objects of version 5, the default, and 6 are made
// GENERIC: error: parameter 'amdgpu.code_object' is '5', but code for generic processors has version 6
// GENERIC: hint: leave it out, or set it to 6
