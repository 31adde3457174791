// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbouring elements of a variable of the group are read and written together, as in the code of nvcc's assembler. A variable
// is aligned for it as far as its size allows, unless the gaps might not fit.
// RUN: %compile %s -t cuda:sm_90 -k exchange --emit ptx -o - | FileCheck %s
// CHECK: .shared .align 16 .b8 {{.*}}keys[1024]
// CHECK: ld.shared.v2.b32
// CHECK: st.shared.v2.b32
// RUN: %compile %s -t cuda:sm_90 -k odd --emit ptx -o - | FileCheck %s --check-prefix=ODD
// ODD: .shared .align 8 .b8 {{.*}}few[1016]
// RUN: %compile %s -t cuda:sm_90 -k full --emit ptx -o - | FileCheck %s --check-prefix=FULL
// FULL: .shared .align 4 .b8 {{.*}}all[49152]
// RUN: %compile %s -t cuda:sm_90 -k exchange -O0 --emit ptx -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN: .shared .align 4 .b8 {{.*}}keys[1024]
extern "C" __global__ void exchange(int* data) {
  __shared__ int keys[256];
  const unsigned t = threadIdx.x;
  keys[t] = data[t];
  __syncthreads();
  if (t < 128 && keys[2 * t] > keys[2 * t + 1]) {
    const int kept = keys[2 * t];
    keys[2 * t] = keys[2 * t + 1];
    keys[2 * t + 1] = kept;
  }
  __syncthreads();
  data[t] = keys[t];
}
extern "C" __global__ void odd(int* data) {
  __shared__ int few[254];
  few[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = few[threadIdx.x ^ 1];
}
extern "C" __global__ void full(int* data) {
  __shared__ int all[12288];
  all[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = all[threadIdx.x ^ 1];
}
