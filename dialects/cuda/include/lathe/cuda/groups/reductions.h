// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of <cooperative_groups.h>: reductions and scans over tiles and coalesced threads.
#ifndef LATHE_CUDA_REDUCTIONS_H
#define LATHE_CUDA_REDUCTIONS_H

namespace cooperative_groups {
namespace __v1 {

template <class T = void>
struct plus {
  LATHE_INLINE T operator()(T a, T b) const { return a + b; }
};
template <class T = void>
struct less {
  LATHE_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void>
struct greater {
  LATHE_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T = void>
struct bit_and {
  LATHE_INLINE T operator()(T a, T b) const { return a & b; }
};
template <class T = void>
struct bit_or {
  LATHE_INLINE T operator()(T a, T b) const { return a | b; }
};
template <class T = void>
struct bit_xor {
  LATHE_INLINE T operator()(T a, T b) const { return a ^ b; }
};

namespace details {

/// Whether the hardware reduces T in a warp (redux.sync, sm_80).
template <class T>
constexpr bool isReduced = __is_integral(T) && sizeof(T) <= 4;
template <class T>
struct ReducedAs {
  using Type = unsigned;
};
template <class T>
  requires(static_cast<T>(-1) < T{})
struct ReducedAs<T> {
  using Type = int;
};
// Operators that it has no instruction for, and machines without: false.
template <class T, class Op>
LATHE_INLINE bool reduceInHardware(WarpMask, T&, const Op&) {
  return false;
}
#define LATHE_CUDA_REDUCED(Op, function)                                        \
  template <class T>                                                            \
    requires isReduced<T>                                                       \
  LATHE_INLINE bool reduceInHardware(WarpMask mask, T& value, const Op<T>&) {   \
    if (!__lathe_target_is("cuda") || !__lathe_arch_at_least(80)) return false; \
    using As = typename ReducedAs<T>::Type;                                     \
    value = static_cast<T>(function(mask, static_cast<As>(value)));             \
    return true;                                                                \
  }
LATHE_CUDA_REDUCED(plus, __reduce_add_sync)
LATHE_CUDA_REDUCED(less, __reduce_min_sync)
LATHE_CUDA_REDUCED(greater, __reduce_max_sync)
LATHE_CUDA_REDUCED(bit_and, __reduce_and_sync)
LATHE_CUDA_REDUCED(bit_or, __reduce_or_sync)
LATHE_CUDA_REDUCED(bit_xor, __reduce_xor_sync)
#undef LATHE_CUDA_REDUCED

/// Over the first `Size` threads of a tile, a power of two.
template <unsigned Size, class Group, class T, class Op>
LATHE_INLINE T reduceTile(const Group& group, T value, Op op) {
  if constexpr (Size >= 16)
    if (reduceInHardware(group.laneMask(), value, op)) return value;
#pragma unroll
  for (unsigned distance = Size / 2; distance > 0; distance /= 2) value = op(value, group.shfl_xor(value, distance));
  return value;
}
template <class Group, class T, class Op>
LATHE_INLINE T scanWarp(const Group& group, T value, Op op) {
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    const T other = group.shfl_up(value, distance);
    if (group.thread_rank() >= distance) value = op(other, value);
  }
  return value;
}

template <class Group>
constexpr bool isWide = false;
template <unsigned Size, class Parent>
constexpr bool isWide<thread_block_tile<Size, Parent>> = thread_block_tile<Size, Parent>::isWide;

}  // namespace details

template <unsigned Size, class Parent, class T, class Op>
LATHE_INLINE T reduce(const thread_block_tile<Size, Parent>& group, T value, Op op) {
  if constexpr (details::isWide<thread_block_tile<Size, Parent>>)
    return group.overWarps(details::reduceTile<details::warpItems>(details::WholeWarp(), value, op), op);
  else
    return details::reduceTile<Size>(group, value, op);
}
template <class T, class Op>
LATHE_INLINE T reduce(const coalesced_group& group, T value, Op op) {
  if (details::reduceInHardware(group.laneMask(), value, op)) return value;
  if (group.laneMask() == lathe::detail::wholeWarp)
    return details::reduceTile<details::warpItems>(details::WholeWarp(), value, op);
  T all = group.shfl(value, 0);
  for (unsigned i = 1; i < group.size(); ++i) all = op(all, group.shfl(value, static_cast<int>(i)));
  return all;
}
/// One thread stores what comes out.
template <class Group, class T, class Op>
LATHE_INLINE void reduce_store_async(const Group& group, T* to, T value, Op op) {
  const T out = reduce(group, value, op);
  if (group.thread_rank() == 0) *to = out;
}
/// The same into a cuda::atomic or cuda::atomic_ref, of which this header knows no more than its functions: it is read
/// without theirs. Their order is the strongest, because its name is not known here either.
template <class Group, class Atomic, class T, class Op>
  requires requires(Atomic&& to) { to.load(); }
LATHE_INLINE void reduce_store_async(const Group& group, Atomic&& to, T value, Op op) {
  const T out = reduce(group, value, op);
  if (group.thread_rank() == 0) to.store(out);
}
/// One thread combines what comes out with what is there.
template <class Group, class Atomic, class T, class Op>
LATHE_INLINE void reduce_update_async(const Group& group, Atomic&& to, T value, Op op) {
  const T out = reduce(group, value, op);
  if (group.thread_rank() != 0) return;
  auto old = to.load();
  while (!to.compare_exchange_weak(old, op(old, out))) {}
}

template <class Group, class T, class Op>
LATHE_INLINE T inclusive_scan(const Group& group, T value, Op op) {
  if constexpr (details::isWide<Group>) {
    const T mine = details::scanWarp(details::WholeWarp(), value, op);
    const T before = group.beforeWarp(mine, op);
    return group.thread_rank() < details::warpItems ? mine : op(before, mine);
  } else {
    return details::scanWarp(group, value, op);
  }
}
template <class Group, class T>
LATHE_INLINE T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/// The first thread's is T{}.
template <class Group, class T, class Op>
LATHE_INLINE T exclusive_scan(const Group& group, T value, Op op) {
  if constexpr (details::isWide<Group>) {
    const details::WholeWarp warp;
    const T mine = details::scanWarp(warp, value, op);
    const T before = group.beforeWarp(mine, op), left = warp.shfl_up(mine, 1);
    if (group.thread_rank() < details::warpItems) return warp.thread_rank() == 0 ? T{} : left;
    return warp.thread_rank() == 0 ? before : op(before, left);
  } else {
    const T before = group.shfl_up(details::scanWarp(group, value, op), 1);
    return group.thread_rank() == 0 ? T{} : before;
  }
}
template <class Group, class T>
LATHE_INLINE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace __v1
using namespace __v1;
}  // namespace cooperative_groups

#endif
