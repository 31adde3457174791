// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every HIP source has read the prelude already. This file stands in for all of HIP's headers that it covers, under
// each of their names. A CUDA source that includes it gets HIP's names on top of its own, with CUDA's warps and
// vectors.
#ifndef LATHE_HIP_RUNTIME_H
#define LATHE_HIP_RUNTIME_H

#include <lathe/hip/names.h>

#endif
