// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's function, variable and layout qualifiers as Clang's attributes. `__restrict__` and `__noinline__` are keywords
// of the compiler in this mode.
#ifndef LATHE_CUDA_QUALIFIERS_H
#define LATHE_CUDA_QUALIFIERS_H

#include <lathe/device/abi.h>

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
// Their constructors are not called (dialects/cuda/shared_variables.h), but by a compiler without that attribute.
#if __has_attribute(lathe_shared_variable)
#define __shared__ __attribute__((shared, lathe_shared_variable))
#else
#define __shared__ __attribute__((shared))
#endif
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// Declarations have sections and no annotations: toRole() in dialects/cuda/cuda.cpp takes this one off.
#define __managed__ __attribute__((device, section("lathe.managed")))
#define __cluster_dims__(...) LATHE_CLUSTER(__VA_ARGS__)
#define __maxnreg__(registers) LATHE_MAX_REGISTERS(registers)
// ((x, y, z)) or ((x, y, z), (x, y, z)): the group's extents, and the cluster's; grids are counted in clusters then.
#define __block_size__(...) LATHE_CUDA_BLOCK_SIZE(__VA_ARGS__, (1, 1, 1))
#define LATHE_CUDA_BLOCK_SIZE(group, cluster, ...) \
  LATHE_GROUP_SIZE group LATHE_CLUSTER cluster __attribute__((annotate("lathe.counts-clusters")))
#define __nv_pure__ __attribute__((pure))
#define CUDART_DEVICE __device__
// Marks of CUDA's own declarations, with which sources declare these functions and types anew. They say nothing here.
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#define __export__
#define __import__
#define __inline_hint__
#define __local_maxnreg__(registers)
#define __no_return__ __attribute__((noreturn))
#define __specialization_static
#define __thread__ __thread

// Asks for an architecture's own instructions, as __CUDA_ARCH_HAS_FEATURE__(SM90_ALL).
#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
// A by-value parameter that is only read and has one address for the whole grid.
#define __grid_constant__ __attribute__((grid_constant))

// What CUDA offers to host functions as well. Those are parsed but never emitted.
#define LATHE_CUDA_BOTH __host__ LATHE_INLINE

// For the functions that CUDA defines as approximate (__sinf, rsqrtf). Import marks their operations, and no others, as
// free to become the target's fast instructions (LLVM's `afn`); other targets compute in full.
#define LATHE_CUDA_APPROXIMATE __attribute__((annotate("lathe.approximate"))) LATHE_CUDA_BOTH

#endif
