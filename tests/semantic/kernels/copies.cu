// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies in the background, pipelines, and barriers that count arrivals.
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#define COPIED(bytes, type)                                                                     \
  extern "C" __global__ void counted_primitives_##bytes(const type* in, type* out) {            \
    __shared__ type cells[64];                                                                  \
    __pipeline_memcpy_async(&cells[threadIdx.x], &in[threadIdx.x], bytes);                      \
    __pipeline_commit();                                                                        \
    __pipeline_wait_prior(0);                                                                   \
    __syncthreads();                                                                            \
    out[threadIdx.x] = cells[threadIdx.x ^ 1];                                                  \
  }
COPIED(4, int)
COPIED(8, double)
COPIED(16, float4)

extern "C" __global__ void own_pipeline(const int* in, int* out) {
  __shared__ int cells[64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&cells[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[threadIdx.x] = cells[threadIdx.x];
  pipe.consumer_release();
}
using Barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void split_barrier(int* p) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  p[threadIdx.x] = 1;
  auto token = barrier.arrive();
  p[threadIdx.x + 64] = 2;
  barrier.wait(static_cast<Barrier::arrival_token&&>(token));
  p[threadIdx.x + 128] = p[threadIdx.x ^ 1];
}
extern "C" __global__ void whole_barrier(int* p) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  p[threadIdx.x] = 1;
  barrier.arrive_and_wait();
  p[threadIdx.x + 128] = p[threadIdx.x ^ 1];
}

// The C interface of barriers that count arrivals.
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
extern "C" __global__ void counted_arrivals(const int* in, unsigned* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int cells[64];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, __mbarrier_maximum_count() < 64 ? 1 : 64);
  __syncthreads();
  __pipeline_memcpy_async(&cells[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_arrive_on(&barrier);
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  out[threadIdx.x] = __mbarrier_token_pending_count(token);
  out[threadIdx.x + 64] = __mbarrier_test_wait(&barrier, token);
  if (threadIdx.x > 32) (void)__mbarrier_arrive_and_drop(&barrier);
  out[threadIdx.x + 128] = static_cast<unsigned>(cells[threadIdx.x ^ 1]);
  __syncthreads();
  if (threadIdx.x == 0) __mbarrier_inval(&barrier);
}
#endif
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
extern "C" __global__ void counted_waits(unsigned* out) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, 64);
  __syncthreads();
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  out[threadIdx.x] = __mbarrier_try_wait(&barrier, token, 100);
  out[threadIdx.x + 64] = __mbarrier_try_wait_parity(&barrier, true, 100);
  out[threadIdx.x + 128] = __mbarrier_test_wait_parity(&barrier, false);
}
#endif
