// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group-shared memory is limited for each kernel: two of 40 kB in a file are none too many, one of 40 kB that calls a
// function with 16 kB of its own is.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -k first -k second && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: not %compile %s -t cuda:sm_80 -o %t.limg 2>&1 | FileCheck %s --check-prefix=OVER
// CHECK-DAG: .entry first
// CHECK-DAG: .entry second
// OVER: error: 'over': group-shared variables take 57344 bytes, cuda:sm_80 has 49152 for those of a kernel
// OVER: :[[#]]: note: {{.*}} takes {{[0-9]+}} bytes
// OVER: :[[#]]: note: {{.*}} takes {{[0-9]+}} bytes
// OVER: hint: use smaller tiles
__device__ __noinline__ int lookUp(int i) {
  __shared__ int table[4096];
  table[threadIdx.x] = i;
  __syncthreads();
  return table[i & 4095];
}
extern "C" __global__ void first(int* out) {
  __shared__ int tile[10240];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[out[threadIdx.x] % 10240];
}
extern "C" __global__ void second(int* out) {
  __shared__ int tile[10240];
  tile[threadIdx.x] = out[threadIdx.x] + 1;
  __syncthreads();
  out[threadIdx.x] = tile[out[threadIdx.x] % 10240];
}
extern "C" __global__ void over(int* out) {
  __shared__ int tile[10240];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[out[threadIdx.x] % 10240] + lookUp(out[0]);
}
