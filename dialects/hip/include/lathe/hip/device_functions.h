// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's names in device code that CUDA has not: coordinates as macros, lanes, bit fields, clocks, dynamic shared
// memory.
#ifndef LATHE_HIP_DEVICE_FUNCTIONS_H
#define LATHE_HIP_DEVICE_FUNCTIONS_H

#include <lathe/cuda/builtins.h>
#include <lathe/cuda/subgroup.h>

// Beside the names of C libraries, those that HIP's device headers give to every program.
typedef unsigned char uchar;
typedef unsigned long long ullong;

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

// What every target here can do, which older sources ask for.
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ 1
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ 1
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ 1
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ 1
#define __HIP_ARCH_HAS_DOUBLES__ 1
#define __HIP_ARCH_HAS_WARP_VOTE__ 1
#define __HIP_ARCH_HAS_WARP_BALLOT__ 1
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ 1
#define __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ 0
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ 1
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ 0
#define __HIP_ARCH_HAS_SURFACE_FUNCS__ 0
#define __HIP_ARCH_HAS_3DGRID__ 1
#define __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ 0

// The C++ library has a template of that name in std.
LATHE_INLINE int __lathe_hip_all(int predicate) {
  return __all(predicate);
}
#define __all(predicate) __lathe_hip_all(predicate)

LATHE_INLINE unsigned __lane_id() {
  return __lathe_subgroup_item_id();
}
LATHE_INLINE unsigned long long __ballot64(int predicate) {
  return __ballot(predicate);
}
LATHE_INLINE unsigned long long __lanemask_lt() {
  return (1ull << __lane_id()) - 1;
}
LATHE_INLINE unsigned long long __lanemask_eq() {
  return 1ull << __lane_id();
}
LATHE_INLINE unsigned long long __lanemask_gt() {
  return __activemask() & ~(__lanemask_lt() | __lanemask_eq());
}
/// As far as threads are active, like __lanemask_gt().
LATHE_INLINE unsigned long long __lanemask_ge() {
  return __activemask() & ~__lanemask_lt();
}

LATHE_INLINE long long wall_clock64() {
  return clock64();
}
LATHE_INLINE long long __clock64() {
  return clock64();
}
LATHE_INLINE clock_t __clock() {
  return clock();
}

/// `width` bits from bit `offset` on.
LATHE_INLINE unsigned __bitextract_u32(unsigned bits, unsigned offset, unsigned width) {
  offset &= 31, width &= 31;
  return width == 0 ? 0 : bits << (32 - offset - width) >> (32 - width);
}
LATHE_INLINE unsigned long long __bitextract_u64(unsigned long long bits, unsigned offset, unsigned width) {
  offset &= 63, width &= 63;
  return width == 0 ? 0 : bits << (64 - offset - width) >> (64 - width);
}
LATHE_INLINE unsigned __bitinsert_u32(unsigned bits, unsigned field, unsigned offset, unsigned width) {
  offset &= 31, width &= 31;
  const unsigned mask = (1u << width) - 1;
  return (bits & ~(mask << offset)) | (field & mask) << offset;
}
LATHE_INLINE unsigned long long __bitinsert_u64(unsigned long long bits, unsigned long long field, unsigned offset,
                                                unsigned width) {
  offset &= 63, width &= 63;
  const unsigned long long mask = (1ull << width) - 1;
  return (bits & ~(mask << offset)) | (field & mask) << offset;
}

/// The threads here whose value equals the caller's, and all of them if every one's does, else none.
template <class T>
LATHE_INLINE unsigned long long __match_any(T value) {
  return __match_any_sync(__activemask(), value);
}
template <class T>
LATHE_INLINE unsigned long long __match_all(T value, int* all) {
  return __match_all_sync(__activemask(), value, all);
}

#endif
