// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a CUDA source finds without including anything, on top of the portable device ABI: nothing here belongs to one
// vendor, so the same file lowers to every target. Each compile parses it where the precompiled form does not fit:
// overloads come from macros, templates are few.
#ifndef LATHE_CUDA_PRELUDE_H
#define LATHE_CUDA_PRELUDE_H

#include <assert.h>
#include <lathe/cuda/atomics.h>
#include <lathe/cuda/builtins.h>
#include <lathe/cuda/conversions.h>
#include <lathe/cuda/intrinsics.h>
#include <lathe/cuda/math_functions.h>
#include <lathe/cuda/runtime_api.h>
#include <lathe/cuda/subgroup.h>
#include <lathe/cuda/textures.h>
#include <lathe/cuda/vector_types.h>

// CUDA's own runtime header brings these parts of the C library along, and sources count on it.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cstddef>
#if __has_include(<__utility/forward.h>)
#pragma clang force_cuda_host_device begin
#include <__utility/forward.h>
#include <__utility/move.h>
#pragma clang force_cuda_host_device end
#endif

#endif
