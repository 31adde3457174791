// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of <cuda_bf16.h>.
#include <cuda_bf16.h>
