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
LATHE_ROCPRIM_FUNCTION(multiplies, T, a* b)
LATHE_ROCPRIM_FUNCTION(minimum, T, b < a ? b : a)
LATHE_ROCPRIM_FUNCTION(maximum, T, a < b ? b : a)
LATHE_ROCPRIM_FUNCTION(equal_to, bool, a == b)
LATHE_ROCPRIM_FUNCTION(not_equal_to, bool, a != b)
LATHE_ROCPRIM_FUNCTION(less, bool, a < b)
LATHE_ROCPRIM_FUNCTION(greater, bool, a > b)
#undef LATHE_ROCPRIM_FUNCTION
struct empty_type {};

LATHE_INLINE unsigned flat_block_thread_id() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
LATHE_INLINE unsigned flat_block_id() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
LATHE_INLINE unsigned lane_id() {
  return __lathe_subgroup_item_id();
}
LATHE_INLINE unsigned device_warp_size() {
  return __lathe_subgroup_size();
}
LATHE_INLINE void syncthreads() {
  __lathe_group_barrier();
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

}  // namespace rocprim

#endif
