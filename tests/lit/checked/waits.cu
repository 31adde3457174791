// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode: loops that wait for a group, or an item, that cannot go on before they end.
//
// DEFINE: %{k} =
// DEFINE: %{run} = env LATHE_CPU_STALL_SECONDS=0.2 not %lathe run %s --checked -k %{k} --group 4 --arg zeros:i32[64]
// DEFINE: %{quiet} = %lathe run %s --checked --group 4 --arg zeros:i32[64] --print 0:2
#include <cooperative_groups.h>

// The first group waits for the last, which its thread would run later: volatile.
// REDEFINE: %{k} = spin
// RUN: %{run} --grid 64 2>&1 | FileCheck %s --check-prefix=SPIN --implicit-check-not=error:
// RUN: %{run} --grid 64 -O0 2>&1 | FileCheck %s --check-prefix=SPIN --implicit-check-not=error:
// Where all groups run at once, there is nothing to be found.
// RUN: %{quiet} -k spin --grid 64 --cooperative | FileCheck %s --check-prefix=TOGETHER
// TOGETHER: i32[64]: 1 1
__global__ void spin(int* data) {
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x == 0) data[0] = data[1] = 1;
  } else {
    // SPIN: waits.cu:[[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'spin': loop that waits for another item to write 'data' does not end: for 0.2 s nothing else of the launch has gone on; group 0,0,0, item {{[0-3]}},0,0
    while (*static_cast<volatile int*>(data) == 0) {
    }
  }
}
// SPIN: hint: the launch was ended; groups of a plain launch run one after another on each thread: launch it cooperative, {{.*}}lathe run --cooperative

// An atomic, with a pause, and a lock that is never given back.
// REDEFINE: %{k} = lock
// RUN: %{run} --grid 1 2>&1 | FileCheck %s --check-prefix=LOCK --implicit-check-not=error:
__global__ void lock(int* data) {
  // LOCK: waits.cu:[[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'lock': loop that waits for another item to write 'data' {{.*}}; group 0,0,0, item {{[0-3]}},0,0
  while (atomicCAS(data, 0, 1) != 0) __nanosleep(20);
}

// A variable of the program, read without volatile, in a function.
// REDEFINE: %{k} = plainly
// RUN: %{run} --grid 2 2>&1 | FileCheck %s --check-prefix=PLAINLY --implicit-check-not=error:
__device__ int ready;
__device__ __noinline__ int await(int wanted) {
  int seen;
  // PLAINLY: waits.cu:[[# @LINE + 2]]:{{[0-9]+}}: error: kernel 'plainly': loop that waits for another item to write 'ready'
  do {
    seen = ready;
  } while (seen != wanted);
  return seen;
}
__global__ void plainly(int* data) {
  data[threadIdx.x] = await(7);
}

// One group waits for a flag, the others at a barrier of the grid for that group.
// REDEFINE: %{k} = halfway
// RUN: %{run} --grid 4 --cooperative 2>&1 | FileCheck %s --check-prefix=HALFWAY --implicit-check-not=error:
__global__ void halfway(int* data) {
  // HALFWAY: waits.cu:[[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'halfway': loop that waits for {{.*}}; group 2,0,0, item {{[0-3]}},0,0
  while (blockIdx.x == 2 && atomicAdd(data + 5, 0) == 0) {
  }
  cooperative_groups::this_grid().sync();
  data[5] = 1;
}

// What ends: a look-back at groups that began before, a lock that is given back, loops that count or give up.
// RUN: %{quiet} -k ends --grid 16 | FileCheck %s --check-prefix=ENDS
// ENDS: i32[64]: 64 16
__global__ void ends(int* data) {
  __shared__ int mine;
  if (threadIdx.x == 0) {
    mine = atomicAdd(&data[2], 1);
    volatile int* const done = data + 1;
    while (*done != mine) {
    }
    __threadfence();
    *done = mine + 1;
  }
  __syncthreads();
  while (atomicCAS(&data[3], 0, 1) != 0) {
  }
  __threadfence();
  data[0] += 1;
  __threadfence();
  atomicExch(&data[3], 0);
  for (int i = 0; i < 100000 && *static_cast<volatile int*>(data + 4) == 0; ++i) {
  }
}

// Neither checked mode nor code without optimisation makes items of a warp take turns where optimised code does not: a
// lock's owner goes on.
// RUN: %{quiet} -k owner --grid 16 | FileCheck %s --check-prefix=OWNER
// RUN: %lathe run %s -O0 -k owner --grid 16 --group 4 --arg zeros:i32[64] --print 0:2 --launch-timeout 60 | FileCheck %s --check-prefix=OWNER
// OWNER: i32[64]: 64 0
__global__ void owner(int* data) {
  while (atomicCAS(&data[3], 0, 1) != 0) {
  }
  volatile int* const sum = data;
  *sum = *sum + 1;
  __threadfence();
  atomicExch(&data[3], 0);
}
