// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd and its kin with each suffix, type and address space in a kernel of its own.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define CALL(function, title, type, suffix, scope)                                                              \
  extern "C" __global__ void function##_##title##_##scope(type* p, type value, type* old) {                     \
    *old = function##suffix(p, value);                                                                          \
  }
#define SHARED(function, title, type, suffix, scope)                                                            \
  extern "C" __global__ void function##_##title##_##scope##_shared(type value, type* old) {                     \
    __shared__ type cell;                                                                                       \
    if (threadIdx.x == 0) cell = value;                                                                         \
    __syncthreads();                                                                                            \
    old[threadIdx.x] = function##suffix(&cell, value);                                                          \
  }
#define SCOPED(use, ...) use(__VA_ARGS__, , device) use(__VA_ARGS__, _block, block) use(__VA_ARGS__, _system, system)
#define BOTH(...) SCOPED(CALL, __VA_ARGS__) SCOPED(SHARED, __VA_ARGS__)
BOTH(atomicAdd, int, int)
BOTH(atomicAdd, unsigned, unsigned)
BOTH(atomicAdd, ulong, unsigned long long)
BOTH(atomicAdd, float, float)
BOTH(atomicAdd, double, double)
BOTH(atomicSub, int, int)
BOTH(atomicSub, unsigned, unsigned)
BOTH(atomicExch, int, int)
BOTH(atomicExch, unsigned, unsigned)
BOTH(atomicExch, ulong, unsigned long long)
BOTH(atomicExch, float, float)
BOTH(atomicMin, int, int)
BOTH(atomicMin, unsigned, unsigned)
BOTH(atomicMin, long, long long)
BOTH(atomicMin, ulong, unsigned long long)
BOTH(atomicMax, int, int)
BOTH(atomicMax, unsigned, unsigned)
BOTH(atomicMax, long, long long)
BOTH(atomicMax, ulong, unsigned long long)
BOTH(atomicAnd, int, int)
BOTH(atomicAnd, unsigned, unsigned)
BOTH(atomicAnd, ulong, unsigned long long)
BOTH(atomicOr, unsigned, unsigned)
BOTH(atomicOr, ulong, unsigned long long)
BOTH(atomicXor, unsigned, unsigned)
BOTH(atomicXor, ulong, unsigned long long)
BOTH(atomicInc, unsigned, unsigned)
BOTH(atomicDec, unsigned, unsigned)

#define COMPARE(title, type, suffix, scope)                                                                     \
  extern "C" __global__ void atomicCAS_##title##_##scope(type* p, type compare, type value, type* old) {        \
    *old = atomicCAS##suffix(p, compare, value);                                                                \
  }
SCOPED(COMPARE, int, int)
SCOPED(COMPARE, unsigned, unsigned)
SCOPED(COMPARE, ulong, unsigned long long)
COMPARE(ushort, unsigned short, , device)

CALL(atomicAdd, half, __half, , device)
CALL(atomicAdd, half2, __half2, , device)
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
CALL(atomicAdd, bfloat, __nv_bfloat16, , device)
CALL(atomicAdd, bfloat2, __nv_bfloat162, , device)
#endif

// Unused results: reductions.
extern "C" __global__ void unused_block(int* p) { atomicAdd_block(p, 2); }
extern "C" __global__ void unused_device(int* p) { atomicAdd(p, 2); }
extern "C" __global__ void unused_system(int* p) { atomicAdd_system(p, 2); }

// Sixteen bytes, from Hopper on.
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
struct alignas(16) Wide {
  long long low, high;
};
CALL(atomicExch, wide, Wide, , device)
CALL(atomicExch, wide, Wide, _block, block)
CALL(atomicExch, wide, Wide, _system, system)
SCOPED(COMPARE, wide, Wide)
#endif
