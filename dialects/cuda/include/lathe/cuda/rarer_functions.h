// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of CUDA's headers that few kernels use: division by name, classes of numbers under the C library's names,
// arithmetic of two floats, the n-th bit, swapped bytes, which memory an address is in, atomic additions of vectors,
// barriers by number, marks for profilers.
#ifndef LATHE_CUDA_RARER_FUNCTIONS_H
#define LATHE_CUDA_RARER_FUNCTIONS_H

#include <lathe/cuda/directed_rounding.h>
#include <lathe/cuda/vector_types.h>

LATHE_CUDA_BOTH double fdivide(double x, double y) {
  return x / y;
}

// Not 0, and not always 1, for numbers of the class; signs of zeros and NaNs count.
#define LATHE_CUDA_CLASS(name, builtin)  \
  LATHE_CUDA_BOTH int name(double x) {   \
    return builtin(x);                   \
  }                                      \
  LATHE_CUDA_BOTH int name##f(float x) { \
    return builtin(x);                   \
  }
LATHE_CUDA_CLASS(__finite, __builtin_isfinite)
LATHE_CUDA_CLASS(__isinf, __builtin_isinf)
LATHE_CUDA_CLASS(__isnan, __builtin_isnan)
LATHE_CUDA_CLASS(__signbit, __builtin_signbit)
#undef LATHE_CUDA_CLASS

// Without flushing of subnormal numbers, whatever the options say, where that can be said.
#define LATHE_CUDA_MODE(mode)                                            \
  LATHE_INLINE float __fmaf_ieee_##mode(float x, float y, float z) {     \
    return __fmaf_##mode(x, y, z);                                       \
  }                                                                      \
  LATHE_INLINE float2 __fadd2_##mode(float2 x, float2 y) {               \
    return {__fadd_##mode(x.x, y.x), __fadd_##mode(x.y, y.y)};           \
  }                                                                      \
  LATHE_INLINE float2 __fmul2_##mode(float2 x, float2 y) {               \
    return {__fmul_##mode(x.x, y.x), __fmul_##mode(x.y, y.y)};           \
  }                                                                      \
  LATHE_INLINE float2 __ffma2_##mode(float2 x, float2 y, float2 z) {     \
    return {__fmaf_##mode(x.x, y.x, z.x), __fmaf_##mode(x.y, y.y, z.y)}; \
  }
LATHE_CUDA_MODE(rn)
LATHE_CUDA_MODE(rz)
LATHE_CUDA_MODE(ru)
LATHE_CUDA_MODE(rd)
#undef LATHE_CUDA_MODE

/// The position of the n-th bit of the mask that is set, counted from `base`: upwards, for negative n downwards; for 0
/// whether that at `base` is. ~0 if there is none (PTX ISA, "fns").
LATHE_INLINE unsigned __fns(unsigned mask, unsigned base, int n) {
  const int step = n < 0 ? -1 : 1;
  int left = n < 0 ? -n : n;
  if (left == 0) left = 1;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<unsigned>(at);
    if (n == 0) break;
  }
  return ~0u;
}

LATHE_INLINE unsigned short __nv_bswap16(unsigned short x) {
  return __builtin_bswap16(x);
}
LATHE_INLINE unsigned __nv_bswap32(unsigned x) {
  return __builtin_bswap32(x);
}
LATHE_INLINE unsigned long long __nv_bswap64(unsigned long long x) {
  return __builtin_bswap64(x);
}

// Atomic member by member, as CUDA has it; of global memory, and from sm_90 on by one instruction.
#define LATHE_CUDA_ATOMIC_VECTORS(suffix, scope)                                                        \
  LATHE_INLINE float2 atomicAdd##suffix(float2* address, float2 value) {                                \
    if (__lathe_target_is("cuda") && __lathe_arch_at_least(90)) {                                       \
      float2 old;                                                                                       \
      asm volatile("atom.relaxed." scope ".global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"                 \
                   : "=f"(old.x), "=f"(old.y)                                                           \
                   : "l"(address), "f"(value.x), "f"(value.y)                                           \
                   : "memory");                                                                         \
      return old;                                                                                       \
    }                                                                                                   \
    return {atomicAdd##suffix(&address->x, value.x), atomicAdd##suffix(&address->y, value.y)};          \
  }                                                                                                     \
  LATHE_INLINE float4 atomicAdd##suffix(float4* address, float4 value) {                                \
    if (__lathe_target_is("cuda") && __lathe_arch_at_least(90)) {                                       \
      float4 old;                                                                                       \
      asm volatile("atom.relaxed." scope ".global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};" \
                   : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)                                 \
                   : "l"(address), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)               \
                   : "memory");                                                                         \
      return old;                                                                                       \
    }                                                                                                   \
    return {atomicAdd##suffix(&address->x, value.x), atomicAdd##suffix(&address->y, value.y),           \
            atomicAdd##suffix(&address->z, value.z), atomicAdd##suffix(&address->w, value.w)};          \
  }
LATHE_CUDA_ATOMIC_VECTORS(_block, "cta")
LATHE_CUDA_ATOMIC_VECTORS(, "gpu")
LATHE_CUDA_ATOMIC_VECTORS(_system, "sys")
#undef LATHE_CUDA_ATOMIC_VECTORS

/// A barrier of the block by its number, for all of its threads or for a number of them that whole warps make up.
/// Others than number 0 are NVIDIA's: elsewhere they are compile errors, with the line of the call.
LATHE_INLINE void __barrier_sync(unsigned number) {
  if (number == 0)
    __lathe_group_barrier_apart();
  else
    asm volatile("barrier.sync %0;" ::"rn"(number) : "memory");
}
LATHE_INLINE void __barrier_sync_count(unsigned number, unsigned threads) {
  asm volatile("barrier.sync %0, %1;" ::"rn"(number), "rn"(threads) : "memory");
}

/// Counts an event for a profiler, where there are such counters.
#define __prof_trigger(counter)                                                \
  do {                                                                         \
    if (__lathe_target_is("cuda")) asm volatile("pmevent %0;" ::"n"(counter)); \
  } while (0)

/// Memory of the thread until its function returns.
#define alloca(bytes) __builtin_alloca(bytes)

#endif
