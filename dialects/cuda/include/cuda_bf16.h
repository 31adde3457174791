// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16: the upper half of a float.
#ifndef LATHE_CUDA_BF16_H
#define LATHE_CUDA_BF16_H

#include <lathe/cuda/prelude.h>

#define LATHE_SMALL __nv_bfloat16
#define LATHE_SMALL2 __nv_bfloat162
#define LATHE_SMALL_NATIVE __bf16
#define LATHE_SMALL_NAME bfloat16
#define LATHE_SMALL_NAME2 bfloat162
#include <lathe/cuda/small_float.inc>

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#endif
