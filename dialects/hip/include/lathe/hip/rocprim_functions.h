// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What <rocprim/rocprim.hpp> has beside collectives: function objects, places of threads, values of other lanes.
#ifndef LATHE_HIP_ROCPRIM_FUNCTIONS_H
#define LATHE_HIP_ROCPRIM_FUNCTIONS_H

#include <hipcub/hipcub.hpp>

namespace rocprim {

// Function objects for one type, or by `name<>` for whatever two are given.
#define LATHE_ROCPRIM_FUNCTION(name, result, ...)                                                     \
  template <class T = void>                                                                           \
  struct name {                                                                                       \
    LATHE_CUDA_BOTH constexpr result operator()(const T& a, const T& b) const { return __VA_ARGS__; } \
  };                                                                                                  \
  template <>                                                                                         \
  struct name<void> {                                                                                 \
    template <class T, class U>                                                                       \
    LATHE_CUDA_BOTH constexpr auto operator()(const T& a, const U& b) const {                         \
      return __VA_ARGS__;                                                                             \
    }                                                                                                 \
  };
LATHE_ROCPRIM_FUNCTION(plus, T, a + b)
LATHE_ROCPRIM_FUNCTION(minus, T, a - b)
LATHE_ROCPRIM_FUNCTION(multiplies, T, a* b)
LATHE_ROCPRIM_FUNCTION(minimum, T, b < a ? b : a)
LATHE_ROCPRIM_FUNCTION(maximum, T, a < b ? b : a)
LATHE_ROCPRIM_FUNCTION(equal_to, bool, a == b)
LATHE_ROCPRIM_FUNCTION(not_equal_to, bool, a != b)
LATHE_ROCPRIM_FUNCTION(less, bool, a < b)
LATHE_ROCPRIM_FUNCTION(less_equal, bool, a <= b)
LATHE_ROCPRIM_FUNCTION(greater, bool, a > b)
LATHE_ROCPRIM_FUNCTION(greater_equal, bool, a >= b)
#undef LATHE_ROCPRIM_FUNCTION
template <class T = void>
struct identity {
  LATHE_CUDA_BOTH constexpr T operator()(const T& a) const { return a; }
};
template <>
struct identity<void> {
  template <class T>
  LATHE_CUDA_BOTH constexpr T operator()(const T& a) const {
    return a;
  }
};
/// The type of values where there are none.
struct empty_type {};
template <class K, class V>
using key_value_pair = hipcub::KeyValuePair<K, V>;

LATHE_INLINE unsigned flat_block_thread_id() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
template <unsigned X, unsigned Y, unsigned Z>
LATHE_INLINE unsigned flat_block_thread_id() {
  return (threadIdx.z * Y + threadIdx.y) * X + threadIdx.x;
}
LATHE_INLINE unsigned flat_block_size() {
  return blockDim.x * blockDim.y * blockDim.z;
}
LATHE_INLINE unsigned flat_block_id() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
LATHE_INLINE unsigned lane_id() {
  return __lathe_subgroup_item_id();
}
LATHE_CUDA_BOTH constexpr unsigned device_warp_size() {
  return HIPCUB_WARP_THREADS;
}
LATHE_INLINE void syncthreads() {
  __lathe_group_barrier();
}
LATHE_INLINE void wave_barrier() {
  __syncwarp();
}

// Values of other lanes of the warp, and votes of all that are here.
template <class T>
LATHE_INLINE T warp_shuffle(const T& x, int lane, int width = HIPCUB_WARP_THREADS) {
  return __shfl(x, lane, width);
}
template <class T>
LATHE_INLINE T warp_shuffle_up(const T& x, unsigned delta, int width = HIPCUB_WARP_THREADS) {
  return __shfl_up(x, delta, width);
}
template <class T>
LATHE_INLINE T warp_shuffle_down(const T& x, unsigned delta, int width = HIPCUB_WARP_THREADS) {
  return __shfl_down(x, delta, width);
}
template <class T>
LATHE_INLINE T warp_shuffle_xor(const T& x, int mask, int width = HIPCUB_WARP_THREADS) {
  return __shfl_xor(x, mask, width);
}
LATHE_INLINE unsigned long long ballot(int predicate) {
  return __ballot(predicate);
}
LATHE_INLINE unsigned bit_count(unsigned long long bits) {
  return static_cast<unsigned>(__popcll(bits));
}
LATHE_INLINE unsigned warp_id() {
  return flat_block_thread_id() / device_warp_size();
}
LATHE_INLINE unsigned warp_id(unsigned thread) {
  return thread / device_warp_size();
}
using lane_mask_type = lathe::detail::WarpMask;

// The warp's size by its newer names: a constant, as kernels are compiled for one.
namespace arch::wavefront {
LATHE_CUDA_BOTH constexpr unsigned size() {
  return device_warp_size();
}
LATHE_CUDA_BOTH constexpr unsigned min_size() {
  return device_warp_size();
}
LATHE_CUDA_BOTH constexpr unsigned max_size() {
  return device_warp_size();
}
}  // namespace arch::wavefront

}  // namespace rocprim

#endif
