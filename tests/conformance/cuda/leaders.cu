// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that some threads alone have set: others pass them on, unset, to shuffles and functions, or keep them over a
// barrier. What guards their setting has to stay.
#include <cooperative_groups.h>

/// NVIDIA's programming guide, "Discovery Pattern": one atomic operation for all threads that are here.
__global__ void tickets(int* counter, int* out) {
  if (threadIdx.x % 3 != 1) return;
  const cooperative_groups::coalesced_group here = cooperative_groups::coalesced_threads();
  int first;
  if (here.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(here.num_threads()));
  out[here.shfl(first, 0) + static_cast<int>(here.thread_rank())] = 1;
}

/// The same with the older functions, in every warp.
__global__ void broadcasts(int* counters, int* out) {
  const unsigned lane = threadIdx.x % 32;
  int value;
  if (lane == 5) value = atomicAdd(counters + threadIdx.x / 32, 7) + 1;
  value = __shfl_sync(0xffffffff, value, 5);
  out[threadIdx.x] = value;
}

__device__ int chosen(bool has, int value, int other) {
  return has ? value : other;
}

/// A function takes what only some threads have.
__global__ void passed(int* counter, int* out) {
  const bool has = threadIdx.x % 7 == 3;
  int value;
  if (has) {
    value = 100 + threadIdx.x;
    atomicAdd(counter, 1);
  }
  out[threadIdx.x] = chosen(has, value, -1);
}

/// One thread keeps its value while all wait, more than once.
__global__ void kept(const int* in, int* out) {
  const bool has = static_cast<int>(threadIdx.x) == in[1];
  int value;
  if (has) {
    value = in[0] * 7 / in[2];
    out[2] = 5;
  }
  __syncthreads();
  if (has) out[0] = value;
  __syncthreads();
  if (has) out[1] = value + 1;
}
