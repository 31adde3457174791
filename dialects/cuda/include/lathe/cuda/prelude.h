// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a CUDA source finds without including anything, on top of the portable device ABI: nothing here belongs to one
// vendor, so the same file lowers to every target. Each compile parses it: overloads come from macros, templates are
// few.
#ifndef LATHE_CUDA_PRELUDE_H
#define LATHE_CUDA_PRELUDE_H

#include <assert.h>
#include <lathe/cuda/atomics.h>
#include <lathe/cuda/builtins.h>
#include <lathe/cuda/conversions.h>
#include <lathe/cuda/intrinsics.h>
#include <lathe/cuda/math_functions.h>
#include <lathe/cuda/subgroup.h>
#include <lathe/cuda/vector_types.h>
#include <stdio.h>

#endif
