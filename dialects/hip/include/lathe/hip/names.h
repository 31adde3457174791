// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's names on top of CUDA's.
#ifndef LATHE_HIP_NAMES_H
#define LATHE_HIP_NAMES_H

#include <lathe/cuda/prelude.h>

#include <lathe/hip/amd_builtins.h>
#include <lathe/hip/atomics.h>
#include <lathe/hip/device_functions.h>
#include <lathe/hip/ockl.h>
#include <lathe/hip/ocml.h>
#include <lathe/hip/runtime_api.h>

// These types have HIP's names in HIP sources (prelude.h).
#ifndef LATHE_WARP_IS_SUBGROUP
#define hipArray cudaArray
#define hipChannelFormatDesc cudaChannelFormatDesc
#define hipExtent cudaExtent
#define hipPitchedPtr cudaPitchedPtr
#define hipPos cudaPos
#endif

// The second bound is HIP's, waves that an execution unit is to have room for, but on NVIDIA's GPUs (hip.cpp).
#undef __launch_bounds__
#define __launch_bounds__(...) LATHE_HIP_BOUNDS(__VA_ARGS__, LATHE_HIP_ITEMS_AND_WAVES, LATHE_HIP_ITEMS, )(__VA_ARGS__)
#define LATHE_HIP_BOUNDS(items, waves, macro, ...) macro
#define LATHE_HIP_ITEMS(items) __attribute__((launch_bounds(items)))
#define LATHE_HIP_ITEMS_AND_WAVES(items, waves) __attribute__((launch_bounds(items), amdgpu_waves_per_eu(waves)))

#endif
