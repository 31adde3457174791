// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a HIP source has without including anything: CUDA's, of which the vectors are HIP's own and a warp is
// a whole subgroup, and HIP's on top.
#ifndef LATHE_HIP_PRELUDE_H
#define LATHE_HIP_PRELUDE_H

#define LATHE_WARP_IS_SUBGROUP
// Types that names of kernels spell.
#define cudaError hipError_t
#define cudaArray hipArray
#define cudaChannelFormatDesc hipChannelFormatDesc
#define cudaExtent hipExtent
#define cudaPitchedPtr hipPitchedPtr
#define cudaPos hipPos
#define CUstream_st ihipStream_t
#define CUevent_st ihipEvent_t
#define __nv_bfloat16 __hip_bfloat16
#define __nv_bfloat162 __hip_bfloat162
#define __nv_bfloat16_raw __hip_bfloat16_raw
#define __nv_bfloat162_raw __hip_bfloat162_raw
#include <lathe/hip/vector_types.h>

#include <lathe/hip/names.h>

#endif
