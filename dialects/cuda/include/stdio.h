// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf is known before every source; this is for those that include its header.
#ifndef LATHE_CUDA_STDIO_H
#define LATHE_CUDA_STDIO_H
#include <lathe/cuda/prelude.h>
#endif
