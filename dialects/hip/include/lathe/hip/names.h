// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's names on top of CUDA's.
#ifndef LATHE_HIP_NAMES_H
#define LATHE_HIP_NAMES_H

#include <lathe/cuda/prelude.h>

#include <lathe/hip/amd_builtins.h>
#include <lathe/hip/atomics.h>
#include <lathe/hip/device_functions.h>
#include <lathe/hip/runtime_api.h>

#endif
