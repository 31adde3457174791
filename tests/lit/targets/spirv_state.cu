// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures reach the host through the kernel's state, and end the item by a return: nothing in SPIR-V does that. Behind a
// barrier the item is not taken along again. Kernels of images that use no state have none.
//
// REQUIRES: spirv-val
// RUN: %compile %s -k failing -t spirv --entry-abi state --emit ir -o - | FileCheck %s
// RUN: %compile %s -k failing -t spirv --entry-abi state --emit spv -o %t.spv && spirv-val --target-env spv1.4 %t.spv
// RUN: %compile %s -k failing -t spirv --entry-abi state -O 0 --emit spv -o %t.spv && spirv-val --target-env spv1.4 %t.spv
// RUN: %compile %s -t spirv -o %t.lathe && %lathe inspect %t.lathe | FileCheck %s --check-prefix=IMAGE
// RUN: not %compile %s -t spirv --emit spv -o %t.spv 2>&1 | FileCheck %s --check-prefix=BARE
#include <cassert>

// CHECK-NOT: __lathe_end_item
// CHECK: define spir_kernel void @{{.*}}failing{{.*}}, ptr noundef readonly byval(%lathe.state)
// CHECK: %item.ended = alloca i32
// CHECK: store volatile i32 0, ptr %item.ended
// CHECK: cmpxchg ptr addrspace(1)
// CHECK: store volatile i32 1, ptr %item.ended
// CHECK: br label %item.end
// CHECK: call {{.*}}__spirv_ControlBarrier
// CHECK-NEXT: load volatile i32, ptr %item.ended
// CHECK: br i1 {{.*}}, label %item.end
// CHECK: item.end:
// CHECK-NEXT: ret void
// BARE: spirv_state.cu:[[#@LINE+4]]:{{[0-9]+}}: error: an assertion in a kernel with the entry ABI 'bare' on spirv:spv1.4
// BARE: hint: compile with the entry ABI 'state' (--entry-abi state), which gives the kernel somewhere to report to
// IMAGE: symbol {{.*}}failing{{.*}}, state entry
__global__ void failing(int* out, int bad) {
  assert(out[threadIdx.x] != bad);
  __syncthreads();
  out[threadIdx.x] = out[threadIdx.x + 1];
}
// IMAGE: symbol {{.*}}plain{{.*}}, bare entry
__global__ void plain(int* out) {
  out[threadIdx.x] = 1;
}
