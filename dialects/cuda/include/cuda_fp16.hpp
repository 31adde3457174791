// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of <cuda_fp16.h>.
#include <cuda_fp16.h>
