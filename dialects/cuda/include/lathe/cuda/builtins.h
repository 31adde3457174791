// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim, gridDim and warpSize; barriers of a group, fences, clocks, trap and printf.
//
// The variables are empty objects. Their members are properties with static getters, so that `threadIdx.x` is a plain
// call; only a use as a whole (`dim3 block = blockDim`) names the object in the IR, until its conversion is inlined.
#ifndef LATHE_CUDA_BUILTINS_H
#define LATHE_CUDA_BUILTINS_H

#include <lathe/cuda/vector_types.h>

namespace lathe::detail {

template <unsigned (*X)(), unsigned (*Y)(), unsigned (*Z)()>
struct BuiltinVector {
  __declspec(property(get = getX)) unsigned x;
  __declspec(property(get = getY)) unsigned y;
  __declspec(property(get = getZ)) unsigned z;
  LATHE_CUDA_BOTH static unsigned getX() { return X(); }
  LATHE_CUDA_BOTH static unsigned getY() { return Y(); }
  LATHE_CUDA_BOTH static unsigned getZ() { return Z(); }
  LATHE_CUDA_BOTH operator uint3() const { return {X(), Y(), Z()}; }
};

/// A set of a warp's threads. CUDA's have 32 bits, so a subgroup of 64 items is two warps; where a dialect on top of
/// this one says so, a warp is a whole subgroup.
#ifdef LATHE_WARP_IS_SUBGROUP
typedef unsigned long long WarpMask;
#else
typedef unsigned WarpMask;
#endif
constexpr WarpMask wholeWarp = ~WarpMask{};

#ifdef LATHE_WARP_IS_SUBGROUP
/// The size where a constant is asked for. The target's lines behind the prelude define it.
LATHE_CUDA_BOTH constexpr int constantWarpSize();
#define LATHE_IF_CONSTANT constexpr
#else
#define LATHE_IF_CONSTANT
#endif
/// The items that a mask can name: 32 of CUDA's, or all of a narrower subgroup.
struct BuiltinWarpSize {
  LATHE_CUDA_BOTH LATHE_IF_CONSTANT operator int() const {
#ifdef LATHE_WARP_IS_SUBGROUP
    if (__builtin_is_constant_evaluated()) return constantWarpSize();
#endif
    constexpr unsigned most = 8 * sizeof(WarpMask);
    const unsigned items = __lathe_subgroup_size();
    return static_cast<int>(items < most ? items : most);
  }
};

#undef LATHE_IF_CONSTANT

}  // namespace lathe::detail

#define LATHE_CUDA_BUILTIN(name, entry)                                                                               \
  static const __device__ lathe::detail::BuiltinVector<__lathe_##entry##_x, __lathe_##entry##_y, __lathe_##entry##_z> \
      name;
LATHE_CUDA_BUILTIN(threadIdx, item_id)
LATHE_CUDA_BUILTIN(blockIdx, group_id)
LATHE_CUDA_BUILTIN(blockDim, group_size)
LATHE_CUDA_BUILTIN(gridDim, group_count)
#undef LATHE_CUDA_BUILTIN
static const __device__ lathe::detail::BuiltinWarpSize warpSize;

// A macro, because Clang knows the name as a builtin of one vendor and lets nobody define it. `(void)` is for sources
// that declare it anew.
#define __syncthreads(...) __lathe_group_barrier(__VA_ARGS__)
/// __syncthreads that returns for how many threads, whether for all, or for any, `predicate` is not zero.
LATHE_INLINE int __syncthreads_count(int predicate) {
  return static_cast<int>(__lathe_group_barrier_count(predicate != 0));
}
LATHE_INLINE int __syncthreads_and(int predicate) {
  return static_cast<int>(__lathe_group_barrier_and(predicate != 0));
}
LATHE_INLINE int __syncthreads_or(int predicate) {
  return static_cast<int>(__lathe_group_barrier_or(predicate != 0));
}

// Sequentially consistent (4) for observers in the block (2), on the device (3), everywhere (4).
extern "C" {
LATHE_INLINE void __threadfence_block() {
  __lathe_fence(4, 2);
}
LATHE_INLINE void __threadfence_cluster() {
  __lathe_fence(4, 3);
}
LATHE_INLINE void __threadfence() {
  __lathe_fence(4, 3);
}
LATHE_INLINE void __threadfence_system() {
  __lathe_fence(4, 4);
}
}

typedef long clock_t;
extern "C" LATHE_CUDA_BOTH clock_t clock() noexcept {
  return static_cast<clock_t>(__lathe_clock());
}
LATHE_INLINE long long clock64() {
  return static_cast<long long>(__lathe_clock());
}
/// A request to let others run for about that many nanoseconds, which hardware may answer with none.
LATHE_INLINE void __nanosleep(unsigned nanoseconds) {
  __lathe_sleep(nanoseconds);
}
[[noreturn]] LATHE_INLINE void __trap() {
  __lathe_trap();
  __builtin_unreachable();
}
/// Counts one of the profiler's 16 events on NVIDIA GPUs, nothing elsewhere. A macro, as the number is part of the
/// instruction.
#define __prof_trigger(counter) lathe::detail::countEvent<counter>()
namespace lathe::detail {
template <int counter>
LATHE_INLINE void countEvent() {
  static_assert(counter >= 0 && counter < 16, "__prof_trigger: counters are numbered from 0 to 15");
  if (__lathe_target_is("cuda")) asm volatile("pmevent %0;" ::"n"(counter));
}
}  // namespace lathe::detail
/// Where a debugger stops. On machines without such an instruction it ends the kernel, as CUDA's does without a
/// debugger.
LATHE_INLINE void __brkpt() {
  if (__lathe_target_is("cuda"))
    asm volatile("brkpt;" ::: "memory");
  else
    __lathe_trap();
}

#endif
