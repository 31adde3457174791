// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16, as <cuda_bf16.h> has it, under HIP's names.
#ifndef LATHE_HIP_BF16_H
#define LATHE_HIP_BF16_H

#include <cuda_bf16.h>

#ifndef LATHE_WARP_IS_SUBGROUP  // else the types have these names themselves
#define __hip_bfloat16 __nv_bfloat16
#define __hip_bfloat162 __nv_bfloat162
#endif

#include <lathe/hip/atomics.h>

LATHE_INLINE __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  return atomicAdd(address, value);
}

#endif
