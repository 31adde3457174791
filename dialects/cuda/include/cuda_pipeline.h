// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface of pipelines, with copies that are complete when the call returns.
#ifndef LATHE_CUDA_PIPELINE_PRIMITIVES
#define LATHE_CUDA_PIPELINE_PRIMITIVES

#include <cuda/pipeline>

LATHE_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  __builtin_memcpy(to, from, bytes - zeros);
  __builtin_memset(static_cast<char*>(to) + bytes - zeros, 0, zeros);
}
LATHE_INLINE void __pipeline_commit() {}
LATHE_INLINE void __pipeline_wait_prior(size_t) {}

#endif
