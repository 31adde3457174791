// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface of pipelines: copies to shared memory that go on beside the thread where the hardware can. A copy
// that fills with zeros is complete when the call returns.
#ifndef LATHE_CUDA_PIPELINE_PRIMITIVES
#define LATHE_CUDA_PIPELINE_PRIMITIVES

#include <cuda_awbarrier_primitives.h>
#include <lathe/cuda/async_copy.h>

LATHE_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  if (zeros == 0 && bytes == 4) return __lathe_async_copy_i32(to, const_cast<void*>(from));
  if (zeros == 0 && bytes == 8) return __lathe_async_copy_i64(to, const_cast<void*>(from));
  if (zeros == 0 && bytes == 16) return __lathe_async_copy_i128(to, const_cast<void*>(from));
  __builtin_memcpy(to, from, bytes - zeros);
  __builtin_memset(static_cast<char*>(to) + bytes - zeros, 0, zeros);
}
LATHE_INLINE void __pipeline_commit() {
  __lathe_async_commit();
}
LATHE_INLINE void __pipeline_wait_prior(size_t batches) {
  lathe::detail::waitForBatches(batches);
}
/// The barrier's phase does not end before the thread's copies up to here have.
LATHE_INLINE void __pipeline_arrive_on(__mbarrier_t* barrier) {
  if (lathe::detail::isBarrierHardware()) lathe::detail::hardwareBarrier(barrier).awaitCopies();
}

#endif
