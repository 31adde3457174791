// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16, as <cuda_bf16.h> has it, under HIP's names: also in the names of kernels that take one.
#ifndef LATHE_HIP_BF16_H
#define LATHE_HIP_BF16_H

#define __nv_bfloat16 __hip_bfloat16
#define __nv_bfloat162 __hip_bfloat162
#define __nv_bfloat16_raw __hip_bfloat16_raw
#define __nv_bfloat162_raw __hip_bfloat162_raw
#include <cuda_bf16.h>

#include <lathe/hip/atomics.h>

LATHE_INLINE __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  return atomicAdd(address, value);
}

#endif
