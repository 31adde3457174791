// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every CUDA source has read the prelude already. This file stands in for all of the toolkit's headers that it covers,
// under each of their names, so that naming them works.
#ifndef LATHE_CUDA_RUNTIME_H
#define LATHE_CUDA_RUNTIME_H

#include <lathe/cuda/prelude.h>

#endif
