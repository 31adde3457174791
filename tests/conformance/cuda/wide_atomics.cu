// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's atomic functions of 16 bytes, and those of half and bfloat16.
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct alignas(16) Wide {
  long a, b;
};

__global__ void wide(Wide* cells, Wide* old, unsigned __int128* number) {
  const long i = blockIdx.x * blockDim.x + threadIdx.x;
  old[i] = atomicExch(&cells[2 + i], Wide{i, -i});
  atomicCAS(&cells[2 + i], Wide{i, -3}, Wide{7, 8});  // of one thread only
  Wide seen = cells[0];
  for (;;) {
    const Wide before = atomicCAS(&cells[0], seen, Wide{seen.a + 1, seen.b + i});
    if (before.a == seen.a && before.b == seen.b) break;
    seen = before;
  }
#if defined(CCCL_VERSION) && CCCL_VERSION < 3001000  // CUDA 13.0's own names members that its pairs do not have
  Wide expected = cells[1];
  for (Wide found;; expected = found) {
    found = atomicCAS(&cells[1], expected, Wide{expected.a - i, expected.b ^ i});
    if (found.a == expected.a && found.b == expected.b) break;
  }
#else
  cuda::atomic_ref<Wide, cuda::thread_scope_device> sum(cells[1]);
  Wide expected = sum.load(cuda::memory_order_relaxed);
  while (!sum.compare_exchange_weak(expected, Wide{expected.a - i, expected.b ^ i}, cuda::memory_order_acq_rel)) {
  }
#endif
  atomicCAS_block(number + i, static_cast<unsigned __int128>(i % 2) << 64, static_cast<unsigned __int128>(i) << 70);
}

__global__ void small(half* h, half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2) {
  const unsigned i = threadIdx.x;
  atomicAdd(h, __float2half(1.0f));
  atomicAdd(h2, __floats2half2_rn(1.0f, 2.0f));
  atomicAdd(b, __float2bfloat16(2.0f));
  atomicAdd(b2, __floats2bfloat162_rn(2.0f, 1.0f));
  h[1 + i] = atomicAdd(&h[65 + i], h[0] < half(0.0f) ? half(0.0f) : half(3.0f));
  h2[1 + i] = atomicAdd_block(&h2[65 + i], __floats2half2_rn(1.0f, static_cast<float>(i)));
  b[1 + i] = atomicAdd_system(&b[65 + i], __float2bfloat16(3.0f));
  b2[1 + i] = atomicAdd(&b2[65 + i], __floats2bfloat162_rn(static_cast<float>(i), 1.0f));
}
