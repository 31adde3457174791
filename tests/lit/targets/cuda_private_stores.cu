// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A short array that begins with zeros and is read at a variable index: NVIDIA's assembler keeps it in registers, if the
// zeros are not one word of the width of two elements.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=STACK %}
// CHECK-LABEL: .entry sums(
// CHECK-NOT: st.local.b64
// STACK: 0 bytes stack frame
extern "C" __global__ void sums(const float* x, float* out, int rows, bool both) {
  __shared__ float parts[64];
  float sum[2] = {};
  const int item = threadIdx.x;
  for (int i = item; i < rows; i += 32) {
#pragma unroll
    for (int j = 0; j < 2; ++j) sum[j] += x[j * rows + i];
  }
#pragma unroll
  for (int j = 0; j < 2; ++j) {
    if (both) {
      parts[item] = sum[j];
      __syncthreads();
      if (item < 32) sum[j] = parts[item] + parts[item + 32];
    }
  }
  if (item < 2) out[item] = sum[item];
}
