// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure that a kernel is passed and writes to is in registers: it has no copy in memory, of what the kernel never
// reads least of all. One that is indexed is copied once.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}

struct Share {
  int tiles, shares;
  long items, base, rest;  // used by the host
  long count;
  int groups;
  long begin, end, stride;

  __device__ void split() {
    if (groups == 0) groups = 1;
    stride = groups * 4L;
    begin = blockIdx.x * 4L;
    end = count > 40 ? count : 40;
  }
};

// CHECK-LABEL: .entry share(
// CHECK-NOT: .local
// CHECK: ret;
extern "C" __global__ void share(const int* in, int* out, Share share) {
  share.split();
  int sum = 0;
  // More than LLVM looks at in search of a load of what is stored.
#pragma unroll
  for (int i = 0; i < 200; ++i) {
    sum += in[i];
    __syncthreads();
  }
  for (long i = share.begin + threadIdx.x; i < share.end; i += share.stride) sum += in[i];
  out[threadIdx.x] = sum;
}

struct Table {
  int entries[8];
};

// CHECK-LABEL: .entry indexed(
// CHECK: .local .align {{.*}}[32];
// CHECK: ret;
extern "C" __global__ void indexed(int* out, Table table, int at) {
  table.entries[at] = 7;
  out[threadIdx.x] = table.entries[threadIdx.x & 7];
}
