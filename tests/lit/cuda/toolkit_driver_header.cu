// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A toolkit's cuda.h comes before Lathe's, found beside the toolkit's libraries or in a folder of the source's.
// REQUIRES: cccl
// RUN: env LATHE_CCCL=%cccl %lathe compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %lathe compile %s -t cuda:sm_90 -I %cccl/.. --emit ptx -o - | FileCheck %s
// RUN: not %lathe compile %s -t cuda:sm_90 -o %t.limg 2>&1 | FileCheck %s --check-prefix=OWN
#include <cuda.h>
// CHECK: .entry {{.*}}kept
// OWN: error: unknown type name 'CUmemPoolProps'
__global__ void kept(CUdeviceptr p, CUmemPoolProps* properties, CUlibrary library) {
  *reinterpret_cast<int*>(p) = properties->maxSize == 0;
}
