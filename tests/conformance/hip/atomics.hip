// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __hip_atomic_… with orders and scopes, atomics of floating-point numbers, and dynamic shared memory by its macro.
#include <hip/hip_runtime.h>

__global__ void scoped(const int* in, int* out, unsigned long long* wide) {
  HIP_DYNAMIC_SHARED(int, group)
  const unsigned i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (hipThreadIdx_x == 0) group[0] = 0, group[1] = 1 << 30;
  __syncthreads();
  __hip_atomic_fetch_add(&group[0], in[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_min(&group[1], in[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  if (hipThreadIdx_x == 0) {
    __hip_atomic_fetch_add(&out[0], __hip_atomic_load(&group[0], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP),
                           __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
    int seen = __hip_atomic_load(&out[1], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (group[1] < seen && !__hip_atomic_compare_exchange_strong(&out[1], &seen, group[1], __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                                                    __HIP_MEMORY_SCOPE_AGENT)) {
    }
  }
  __hip_atomic_fetch_or(&wide[0], 1ull << i % 64, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_fetch_xor(&wide[1], static_cast<unsigned long long>(in[i]), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__global__ void floats(const float* in, float* out, double* wide) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsafeAtomicAdd(&out[0], in[i]);
  atomicMax(&out[1], in[i]);
  atomicMin(&out[2], in[i]);
  atomicSub(&out[3], in[i]);
  __hip_atomic_fetch_add(&wide[0], in[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  atomicMax(&wide[1], static_cast<double>(in[i]));
}
