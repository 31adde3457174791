// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a HIP source has without including anything: CUDA's, of which the vectors are HIP's own and a warp is a
// whole subgroup, and HIP's on top.
#ifndef LATHE_HIP_PRELUDE_H
#define LATHE_HIP_PRELUDE_H

#define LATHE_WARP_IS_SUBGROUP
#include <lathe/hip/vector_types.h>

#include <lathe/hip/names.h>

#endif
