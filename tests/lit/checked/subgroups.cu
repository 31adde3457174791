// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode in CUDA: within a warp __syncwarp, shuffles and votes order accesses; between warps only __syncthreads.
//
// DEFINE: %{k} =
// DEFINE: %{run} = not %lathe run %s --checked -k %{k} --grid 1 --group 64 --arg iota:i32[64]

// RUN: %lathe run %s --checked -k exchange --grid 1 --group 64 --arg iota:i32[64] --print data | FileCheck %s --check-prefix=EXCHANGE
// RUN: %lathe run %s --checked -O0 -k exchange --grid 1 --group 64 --arg iota:i32[64] --print data | FileCheck %s --check-prefix=EXCHANGE
// EXCHANGE: data i32[64]: 1 0 3 2
__global__ void exchange(int *data) {
  __shared__ int part[64];
  part[threadIdx.x] = data[threadIdx.x];
  __syncwarp();
  int other = part[threadIdx.x ^ 1];
  __syncwarp();
  part[threadIdx.x] = other;
  __syncthreads();
  data[threadIdx.x] = part[threadIdx.x];
}

// REDEFINE: %{k} = forgotten
// RUN: %{run} 2>&1 | FileCheck %s --check-prefix=FORGOTTEN --implicit-check-not=error:
__global__ void forgotten(int *data) {
  __shared__ int part[64];
  // FORGOTTEN: subgroups.cu:[[# @LINE + 2]]:{{[0-9]+}}: error: kernel 'forgotten': race in shared memory: write of 4 bytes at byte 4 of 'part', which has 256 bytes; group 0,0,0, item 1,0,0 (and 63 more)
  // FORGOTTEN: [[# @LINE + 2]]:{{[0-9]+}}: note: the other is a read by item 0,0,0; nothing orders the two
  part[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = part[threadIdx.x ^ 1];
}

// The warps meet, but not each other.
// REDEFINE: %{k} = beyond
// RUN: %{run} 2>&1 | FileCheck %s --check-prefix=BEYOND
__global__ void beyond(int *data) {
  __shared__ int part[64];
  part[threadIdx.x] = data[threadIdx.x];
  __syncwarp();
  // BEYOND: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'beyond': race in shared memory: read of 4 bytes
  data[threadIdx.x] = part[threadIdx.x ^ 32];
}

// Shuffles and votes are meetings too, and halves of a warp can meet alone.
// RUN: %lathe run %s --checked -k meetings --grid 1 --group 64 --arg iota:i32[64] --print data:2 | FileCheck %s --check-prefix=MEETINGS
// MEETINGS: data i32[64]: 1 0
__global__ void meetings(int *data) {
  __shared__ int part[64];
  const int i = threadIdx.x;
  part[i] = data[i];
  int sum = __shfl_xor_sync(0xffffffff, i, 1);
  int other = part[i ^ 1];
  sum += __any_sync(0xffffffff, other > 100);
  part[i] = other;
  const unsigned half = i % 32 < 16 ? 0xffff : 0xffff0000;
  if (i % 32 < 16)
    __syncwarp(half);
  else
    __syncwarp(half);
  other = part[i ^ 2] - part[i ^ 2];
  __syncwarp();
  data[i] = other + sum;
}

// Each half met, but what it reads is the other's.
// REDEFINE: %{k} = halves
// RUN: %{run} 2>&1 | FileCheck %s --check-prefix=HALVES
__global__ void halves(int *data) {
  __shared__ int part[64];
  part[threadIdx.x] = data[threadIdx.x];
  __syncwarp(threadIdx.x % 32 < 16 ? 0xffff : 0xffff0000);
  // HALVES: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'halves': race in shared memory: read of 4 bytes
  data[threadIdx.x] = part[threadIdx.x ^ 16];
}

// RUN: %lathe run %s --checked -k dynamic --shared 256 --grid 1 --group 64 --arg iota:i32[64] --print data:2 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: data i32[64]: 63 62
extern __shared__ int buffer[];
__global__ void dynamic(int *data) {
  buffer[threadIdx.x] = data[threadIdx.x];
  if (__syncthreads_or(0)) return;
  data[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
// RUN: not %lathe run %s --checked -k dynamic --shared 252 --grid 1 --group 64 --arg iota:i32[64] 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: kernel 'dynamic': out-of-bounds write of 4 bytes at byte 252 of 'buffer', which has 252 bytes; group 0,0,0, item 63,0,0
// SHORT: error: kernel 'dynamic': out-of-bounds read of 4 bytes at byte 252 of 'buffer', which has 252 bytes; group 0,0,0, item 0,0,0
