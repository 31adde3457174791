// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is read through a pointer to const that is restrict takes the read-only way, as with nvcc, also where the
// pointer is compared as a number; launch-sized memory is aligned for vectors.
//
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s

// CHECK: .extern .shared .align 16 .b8 memory[];
extern __shared__ char memory[];

// CHECK-LABEL: .entry added
// CHECK: ld.global.nc.v4.b32
// CHECK: ld.global.nc.b32
// CHECK: ld.global.b32
extern "C" __global__ void added(const float* __restrict__ a, float* __restrict__ out, int n) {
  const float* const from = a + threadIdx.x * n;
  float* const shared = reinterpret_cast<float*>(memory) + 4 * threadIdx.x;
  if (reinterpret_cast<unsigned long long>(from) % 16 == 0 && reinterpret_cast<unsigned long long>(shared) % 16 == 0)
    *reinterpret_cast<float4*>(shared) = *reinterpret_cast<const float4*>(from);
  else
    for (int i = 0; i < 4; ++i) shared[i] = from[i];
  __syncthreads();
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] += shared[i] * 2;
}

// A pointer that is not restrict may be another's way to what is written.
// CHECK-LABEL: .entry plain
// CHECK-NOT: ld.global.nc
// CHECK: ret;
extern "C" __global__ void plain(const float* a, float* out) {
  if (reinterpret_cast<unsigned long long>(a) % 16 == 0) out[threadIdx.x] = a[threadIdx.x + 1];
}
