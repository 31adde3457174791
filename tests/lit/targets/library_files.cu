// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that names a file of a library which is not there is told of.
// RUN: env LATHE_OCML=%t.none %compile %s -t amdgpu -o %t.limg 2>&1 | FileCheck %s --check-prefix=OCML
// RUN: env LATHE_LIBDEVICE=%t.none %compile %s -t cuda -o %t.limg 2>&1 | FileCheck %s --check-prefix=LIBDEVICE
// RUN: env LATHE_OCML= %compile %s -t amdgpu -o %t.limg 2>&1 | FileCheck %s --allow-empty --check-prefix=NONE
// OCML: warning: LATHE_OCML: the file {{.*}}.none cannot be read
// OCML-NEXT: hint: without it another library serves as ocml
// LIBDEVICE: warning: LATHE_LIBDEVICE: the file {{.*}}.none cannot be read
// NONE-NOT: warning
__global__ void k(float* p) { p[0] = sinf(p[1]); }
