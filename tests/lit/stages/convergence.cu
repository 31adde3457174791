// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of an intrinsic that all items need not make together does not keep a loop from being unrolled; a barrier does, unless all leave the
// loop together.
// RUN: %compile %s -t cuda -k roots -o %t.limg --dump-after optimise 2> %t.roots
// RUN: FileCheck %s --check-prefix=ROOTS < %t.roots
// RUN: %compile %s -t cuda -k waits -o %t.limg --dump-after optimise 2> %t.waits
// RUN: FileCheck %s --check-prefix=WAITS < %t.waits
// ROOTS-COUNT-4: call {{.*}}float @llvm.sqrt.f32(
// WAITS-COUNT-1: call {{.*}}@llvm.nvvm.barrier
// WAITS-NOT: call {{.*}}@llvm.nvvm.barrier
__global__ void roots(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += sqrtf(in[i]);
  out[threadIdx.x] = sum;
}

__global__ void waits(float* data, const int* n) {
  for (int i = 0; i < n[threadIdx.x]; ++i) {
    data[threadIdx.x] += data[threadIdx.x ^ 1];
    __syncthreads();
  }
}
