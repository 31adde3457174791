// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Here so that `#include <cuda_runtime.h>` works; every CUDA source has read the prelude already.
#ifndef LATHE_CUDA_RUNTIME_H
#define LATHE_CUDA_RUNTIME_H

#include <lathe/cuda/prelude.h>

#endif
