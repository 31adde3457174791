// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's library of device functions by the names of its bitcode (__ockl_get_local_id), which sources call with or
// without a declaration of their own: coordinates, lanes, bits, reductions of waves. On every target.
#ifndef LATHE_HIP_OCKL_H
#define LATHE_HIP_OCKL_H

#include <lathe/cuda/prelude.h>

#include <lathe/hip/amd_builtins.h>
#include <lathe/hip/device_functions.h>

#define LATHE_OCKL extern "C" inline __attribute__((always_inline)) __device__

// Of axes beyond the third, what one item alone would see.
#define LATHE_OCKL_COORDINATE(name, expression, none)                                                         \
  LATHE_OCKL size_t __ockl_get_##name(unsigned axis) {                                                        \
    const auto of = [](auto xyz, unsigned which) { return which == 0 ? xyz.x : which == 1 ? xyz.y : xyz.z; }; \
    return axis < 3 ? static_cast<size_t>(expression) : none;                                                 \
  }
LATHE_OCKL_COORDINATE(local_id, of(uint3(threadIdx), axis), 0)
LATHE_OCKL_COORDINATE(group_id, of(uint3(blockIdx), axis), 0)
LATHE_OCKL_COORDINATE(local_size, of(dim3(blockDim), axis), 1)
LATHE_OCKL_COORDINATE(num_groups, of(dim3(gridDim), axis), 1)
LATHE_OCKL_COORDINATE(global_id,
                      size_t{of(uint3(blockIdx), axis)} * of(dim3(blockDim), axis) + of(uint3(threadIdx), axis), 0)
LATHE_OCKL_COORDINATE(global_size, size_t{of(dim3(gridDim), axis)} * of(dim3(blockDim), axis), 1)
#undef LATHE_OCKL_COORDINATE

LATHE_OCKL unsigned __ockl_lane_u32() {
  return __lane_id();
}
/// How many of the lanes below the caller's are here.
LATHE_OCKL unsigned __ockl_activelane_u32() {
  return static_cast<unsigned>(__popcll(__activemask() & __lanemask_lt()));
}
LATHE_OCKL unsigned long __ockl_steadyctr_u64() {
  return static_cast<unsigned long>(wall_clock64());
}
LATHE_OCKL unsigned long __ockl_cyclectr_u64() {
  return static_cast<unsigned long>(clock64());
}

LATHE_OCKL int __ockl_mul24_i32(int x, int y) {
  return __mul24(x, y);
}
LATHE_OCKL unsigned __ockl_mul24_u32(unsigned x, unsigned y) {
  return __umul24(x, y);
}
LATHE_OCKL int __ockl_mul_hi_i32(int x, int y) {
  return __mulhi(x, y);
}
LATHE_OCKL unsigned __ockl_mul_hi_u32(unsigned x, unsigned y) {
  return __umulhi(x, y);
}
LATHE_OCKL long __ockl_mul_hi_i64(long x, long y) {
  return static_cast<long>(__mul64hi(x, y));
}
LATHE_OCKL unsigned long __ockl_mul_hi_u64(unsigned long x, unsigned long y) {
  return static_cast<unsigned long>(__umul64hi(x, y));
}
LATHE_OCKL unsigned __ockl_sadd_u32(unsigned x, unsigned y, unsigned sum) {
  return __usad(x, y, sum);
}

/// Zeros above the highest (below the lowest) set bit.
LATHE_OCKL unsigned char __ockl_clz_u8(unsigned char x) {
  return static_cast<unsigned char>(__clz(x) - 24);
}
LATHE_OCKL unsigned short __ockl_clz_u16(unsigned short x) {
  return static_cast<unsigned short>(__clz(x) - 16);
}
LATHE_OCKL unsigned __ockl_clz_u32(unsigned x) {
  return static_cast<unsigned>(__clz(static_cast<int>(x)));
}
LATHE_OCKL unsigned long __ockl_clz_u64(unsigned long x) {
  return static_cast<unsigned long>(__clzll(static_cast<long long>(x)));
}
LATHE_OCKL unsigned __ockl_ctz_u32(unsigned x) {
  return x ? static_cast<unsigned>(__builtin_ctz(x)) : 32;
}
LATHE_OCKL unsigned long __ockl_ctz_u64(unsigned long x) {
  return x ? static_cast<unsigned long>(__builtin_ctzl(x)) : 64;
}
LATHE_OCKL unsigned __ockl_popcount_u32(unsigned x) {
  return static_cast<unsigned>(__popc(x));
}
LATHE_OCKL unsigned long __ockl_popcount_u64(unsigned long x) {
  return static_cast<unsigned long>(__popcll(x));
}

LATHE_OCKL void __ockl_atomic_add_noret_f32(float* to, float what) {
  (void)atomicAdd(to, what);
}
LATHE_OCKL bool __ockl_grid_is_valid() {
  return true;
}
LATHE_OCKL void __ockl_grid_sync() {
  __lathe_grid_barrier();
}

LATHE_OCKL bool __ockl_wfany_i32(int x) {
  return __any(x);
}
LATHE_OCKL bool __ockl_wfall_i32(int x) {
  return __all(x);
}
LATHE_OCKL bool __ockl_wfsame_i32(int x) {
  return __all(x == __builtin_amdgcn_readfirstlane(x));
}
namespace lathe::detail {
/// The values of all lanes that are here, one after another.
template <class T, class Join>
LATHE_INLINE T ofAllLanes(T value, Join join) {
  unsigned long long rest = __activemask();
  T out = __shfl(value, __builtin_ctzll(rest));
  for (rest &= rest - 1; rest; rest &= rest - 1) out = join(out, __shfl(value, __builtin_ctzll(rest)));
  return out;
}
}  // namespace lathe::detail
#define LATHE_OCKL_REDUCTION(name, suffix, type, expression)                            \
  LATHE_OCKL type __ockl_wfred_##name##_##suffix(type value) {                          \
    return lathe::detail::ofAllLanes(value, [](type x, type y) { return expression; }); \
  }
#define LATHE_OCKL_REDUCTIONS(suffix, type)              \
  LATHE_OCKL_REDUCTION(add, suffix, type, x + y)         \
  LATHE_OCKL_REDUCTION(min, suffix, type, y < x ? y : x) \
  LATHE_OCKL_REDUCTION(max, suffix, type, x < y ? y : x)
#define LATHE_OCKL_WHOLE_REDUCTIONS(suffix, type) \
  LATHE_OCKL_REDUCTIONS(suffix, type)             \
  LATHE_OCKL_REDUCTION(and, suffix, type, x& y)   \
  LATHE_OCKL_REDUCTION(or, suffix, type, x | y)   \
  LATHE_OCKL_REDUCTION(xor, suffix, type, x ^ y)
LATHE_OCKL_WHOLE_REDUCTIONS(i32, int)
LATHE_OCKL_WHOLE_REDUCTIONS(u32, unsigned)
LATHE_OCKL_WHOLE_REDUCTIONS(i64, long)
LATHE_OCKL_WHOLE_REDUCTIONS(u64, unsigned long)
LATHE_OCKL_REDUCTIONS(f32, float)
LATHE_OCKL_REDUCTIONS(f64, double)
#undef LATHE_OCKL_WHOLE_REDUCTIONS
#undef LATHE_OCKL_REDUCTIONS
#undef LATHE_OCKL_REDUCTION

LATHE_OCKL float __ockl_fdot2(lathe::detail::AmdHalf2 a, lathe::detail::AmdHalf2 b, float sum, bool) {
  return static_cast<float>(a[0]) * static_cast<float>(b[0]) + (static_cast<float>(a[1]) * static_cast<float>(b[1]) + sum);
}

#undef LATHE_OCKL

#endif
