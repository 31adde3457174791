// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half, as <cuda_fp16.h> has it.
#ifndef LATHE_HIP_FP16_H
#define LATHE_HIP_FP16_H

#include <cuda_fp16.h>

#include <lathe/hip/atomics.h>

LATHE_INLINE __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
  return atomicAdd(address, value);
}

#endif
