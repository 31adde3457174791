// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of shared memory for inline PTX and back, and a literal with a macro right behind it.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// CHECK: st.shared
// CHECK: ld.shared.s32
// CHECK: ld.shared.b32
#include <cstdio>

#define UNIT "us"

__global__ void fetch(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int* const generic = &tile[63 - threadIdx.x];
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(generic));
  int value;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(place));
  out[threadIdx.x] = value + *static_cast<const int*>(__cvta_shared_to_generic(place));
}

int main() {
  std::printf("time in "UNIT"\n");
}
