// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A method that is called in a loop and behind it, too large for LLVM's inliner: the object would be in memory for the
// sake of two calls, and the loop that mostly does not call would store into it each time. Its arrays stay in registers.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// CHECK-LABEL: .entry _Z8smallestPfPKfi
// CHECK-NOT: .local
// CHECK-NOT: call.uni
struct Queue {
  static constexpr int size = 12;
  float keys[size];
  int count;

  __device__ inline explicit Queue(float first) : count(0) {
#pragma unroll
    for (int i = 0; i < size; ++i) keys[i] = first;
  }
  __device__ inline void sort() {
#pragma unroll
    for (int lane = 1; lane < 32; lane *= 2) {
#pragma unroll
      for (int i = 0; i < size; ++i) {
#pragma unroll
        for (int j = 0; j < size; ++j) {
          const float other = __shfl_xor_sync(0xffffffff, keys[j], lane);
          if (i != j && other < keys[i]) keys[j] = keys[i], keys[i] = other;
        }
      }
    }
  }
  __device__ inline void add(float key) {
    if (key < keys[size - 1]) {
#pragma unroll
      for (int i = size - 1; i > 0; --i) keys[i] = keys[i - 1];
      keys[0] = key;
      ++count;
    }
    if (!__any_sync(0xffffffff, count == size)) return;
    sort();
    count = 0;
  }
};

__global__ void smallest(float* out, const float* in, int n) {
  Queue queue(1e30f);
  for (int i = threadIdx.x; i < n; i += blockDim.x) queue.add(in[i]);
  queue.sort();
#pragma unroll
  for (int i = 0; i < Queue::size; ++i) out[threadIdx.x * Queue::size + i] = queue.keys[i];
}
