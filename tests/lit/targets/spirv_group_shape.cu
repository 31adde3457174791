// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that use subgroups are launched with groups of one row and passed the group's extents, of which they make the
// positions of items; others, and those whose groups are one row anyway, are as they were.
//
// RUN: %compile %s -t spirv --emit ir -o - | FileCheck %s
// RUN: %compile %s -t spirv -k fixed --emit ir -o - | FileCheck %s --check-prefix=FIXED
// RUN: %compile %s -t spirv -k sum -o %t.lathe && %lathe inspect --json %t.lathe | FileCheck %s --check-prefix=IMAGE

#include <cuda_runtime.h>

// CHECK-LABEL: define spir_kernel void @_Z3sumPi(ptr addrspace(1) {{.*}}%p, i64 range(i64 1, 0) %group_shape)
// CHECK-NOT: icmp eq i64 %group_shape
// CHECK: udiv i64 {{.*}}
// CHECK: call {{.*}}@_Z17sub_group_shufflejj
__global__ void sum(int* p) {
  const int i = threadIdx.x + blockDim.x * threadIdx.y;
  p[i] = __shfl_xor_sync(~0U, i, 1);
}
// CHECK-LABEL: define spir_kernel void @_Z5plainPi(ptr addrspace(1) {{[^,]*}}%p)
// CHECK: call {{.*}}@_Z12get_local_idj(i32 {{.*}}1)
__global__ void plain(int* p) {
  p[threadIdx.x + blockDim.x * threadIdx.y] = 1;
}
// The size that the driver is told is that of the row.
// FIXED: define spir_kernel void @_Z5fixedPi({{.*}}%group_shape){{.*}}!reqd_work_group_size ![[SIZE:[0-9]+]]
// FIXED: ![[SIZE]] = !{i32 64, i32 1, i32 1}
__global__ void __block_size__((8, 8, 1)) fixed(int* p) {
  p[threadIdx.x + blockDim.x * threadIdx.y] = __shfl_xor_sync(~0U, threadIdx.y, 1);
}
// IMAGE: "group_shape"
