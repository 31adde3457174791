// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode: items of a group that touch one place of the device's memory, and nothing orders them.
//
// DEFINE: %{k} =
// DEFINE: %{run} = not %lathe run %s --checked -k %{k} --grid 2 --group 64 --print 0
// DEFINE: %{quiet} = %lathe run %s --checked --grid 2 --group 64 --print 0
#include <cooperative_groups.h>

// A sum that counts on the warp going in step, without barriers.
// REDEFINE: %{k} = lockstep
// RUN: %{run} --arg iota:i32[128] --arg zeros:i32[2] 2>&1 | FileCheck %s --check-prefix=LOCKSTEP --implicit-check-not=error:
// RUN: %{run} -O0 --arg iota:i32[128] --arg zeros:i32[2] 2>&1 | FileCheck %s --check-prefix=LOCKSTEP --implicit-check-not=error:
__global__ void lockstep(int* data, int* sums) {
  int* const own = data + blockIdx.x * 64;
  const unsigned i = threadIdx.x;
  // LOCKSTEP: global_races.cu:[[# @LINE + 2]]:{{[0-9]+}}: error: kernel 'lockstep': race in global memory: {{read|write}} of 4 bytes at byte {{[0-9]+}} of 'data', which has 512 bytes; group 0,0,0, item {{[0-9]+}},0,0
  // LOCKSTEP: global_races.cu:[[# @LINE + 1]]:{{[0-9]+}}: note: the other is a {{read|write}} by item {{[0-9]+}},0,0; nothing orders the two
  for (unsigned half = 32; half > 0; half /= 2) if (i < half) own[i] += own[i + half];
  if (i == 0) sums[blockIdx.x] = own[0];
}

// The same with barriers, and with the warp's own.
// RUN: %{quiet} -k inStep --arg iota:i32[128] --arg zeros:i32[2] --print sums | FileCheck %s --check-prefix=INSTEP
// INSTEP: sums i32[2]: 2016 6112
__global__ void inStep(int* data, int* sums) {
  int* const own = data + blockIdx.x * 64;
  const unsigned i = threadIdx.x;
  if (i < 32) own[i] += own[i + 32];
  for (unsigned half = 16; half > 0; half /= 2) {
    __syncwarp();
    int sum = 0;
    if (i < half) sum = own[i] + own[i + half];
    __syncwarp();
    if (i < half) own[i] = sum;
  }
  __syncthreads();
  if (i == 63) sums[blockIdx.x] = own[0];
}

// A neighbour's element, written in the same interval.
// REDEFINE: %{k} = shift
// RUN: %{run} --arg iota:f64[129] 2>&1 | FileCheck %s --check-prefix=SHIFT --implicit-check-not=error:
__global__ void shift(double* data) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // SHIFT: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'shift': race in global memory: {{read|write}} of 8 bytes at byte {{[0-9]+}} of 'data', which has 1032 bytes; group 0,0,0, item {{[0-9]+}},0,0
  data[i] = data[i + 1] + 1;
}

// Bytes of one word are places of their own.
// REDEFINE: %{k} = bytes
// RUN: %{run} --arg zeros:u8[128] --arg zeros:u8[128] 2>&1 | FileCheck %s --check-prefix=BYTES --implicit-check-not=error:
__global__ void bytes(unsigned char* own, unsigned char* pairs) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  own[i] = 1;
  // BYTES: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'bytes': race in global memory: write of 1 bytes at byte {{[0-9]+}} of 'pairs', which has 128 bytes; group 0,0,0
  pairs[i / 2] = static_cast<unsigned char>(i);
}

// Variables of the program, and memory that a pointer in memory leads to.
__device__ int last;
struct Node {
  int* value;
};
// REDEFINE: %{k} = elsewhere
// RUN: %{run} --arg zeros:u8[8] --arg zeros:i32[1] 2>&1 | FileCheck %s --check-prefix=ELSEWHERE --implicit-check-not=error:
__global__ void elsewhere(Node* node, int* value) {
  if (threadIdx.x == 0) node->value = value + blockIdx.x - blockIdx.x;
  __syncthreads();
  // ELSEWHERE: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'elsewhere': race in global memory: write of 4 bytes at byte 0 of 'last', which has 4 bytes; group 0,0,0
  last = static_cast<int>(threadIdx.x);
  // ELSEWHERE: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'elsewhere': race in global memory: write of 4 bytes at byte 0 of a buffer of 4 bytes; group 0,0,0
  *node->value = static_cast<int>(threadIdx.x);
}

// What is no race: atomics, the loop around compare-and-swap that begins with a plain read, a fence and a counter, and
// items' own variables, which take turns at one place.
// RUN: %{quiet} -k counted --arg zeros:f64[1] --arg zeros:u32[2] --arg zeros:i32[128] --arg zeros:i32[2] --print sum | FileCheck %s --check-prefix=COUNTED
// COUNTED: sum f64[1]: 128
__device__ void addByLoop(double* place, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(place);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
}
__global__ void counted(double* sum, unsigned* came, int* partial, int* total) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int own[4];
  int* volatile escaped = own;
  for (int k = 0; k < 4; ++k) escaped[k] = k;
  addByLoop(sum, escaped[1]);
  partial[i] = escaped[2];
  __threadfence();
  if (atomicAdd(&came[blockIdx.x], 1) == blockDim.x - 1) {
    __threadfence();
    int all = 0;
    for (unsigned k = 0; k < blockDim.x; ++k) all += partial[blockIdx.x * blockDim.x + k];
    total[blockIdx.x] = all;
  }
}

// More memory than is remembered: what is far apart in time may be missed, nothing is invented.
// RUN: %{quiet} -k much --arg zeros:i32[262144] --arg zeros:i32[128] --print out:2 | FileCheck %s --check-prefix=MUCH
// MUCH: out i32[128]: 0 0
__global__ void much(int* data, int* out) {
  int sum = 0;
  const unsigned own = threadIdx.x + blockIdx.x * 64;
  for (unsigned k = own; k < 262144; k += 128) sum += data[k]++;
  out[own] = sum;
}

// Volatile flags are none either, nor are volatile accesses that count on the warp going in step.
// RUN: %{quiet} -k flags --arg zeros:i32[2] --arg zeros:i32[128] --arg iota:i32[128] --print seen:2 | FileCheck %s --check-prefix=FLAGS
// FLAGS: seen i32[128]: 1 1
__global__ void flags(volatile int* flag, int* seen, volatile int* data) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  flag[blockIdx.x] = 1;
  seen[i] = flag[blockIdx.x];
  if (threadIdx.x < 16) data[i] += data[i + 16];
}
