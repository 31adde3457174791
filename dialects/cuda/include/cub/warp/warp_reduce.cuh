// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of a logical warp; the result is its first lane's, or each segment's first lane's.
#ifndef LATHE_CUB_WARP_REDUCE_H
#define LATHE_CUB_WARP_REDUCE_H

#include <cub/detail/lanes.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/thread/thread_reduce.cuh>

namespace LATHE_CUB {

template <class T, int Width = LATHE_CUB_WARP, int = 0>
class WarpReduce {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(WarpReduce)
  LATHE_INLINE detail::Lanes<Width> lanes() const { return {thread_, detail::threadsOfBlock()}; }

 public:
  /// Of the first `valid` lanes.
  template <class Op>
  LATHE_INLINE T Reduce(T value, Op op, int valid) {
    const detail::Lanes<Width> group = lanes();
    return group.reduce(value, valid < group.count ? valid : group.count, op);
  }
  template <class Op>
  LATHE_INLINE T Reduce(T value, Op op) {
    return Reduce(value, op, Width);
  }
  template <class Input, class Op>
    requires detail::SeveralOf<Input, T>
  LATHE_INLINE T Reduce(const Input& values, Op op) {
    return Reduce(static_cast<T>(ThreadReduce(values, op)), op);
  }
#define LATHE_CUB_REDUCTION(name)                                                             \
  LATHE_INLINE T name(T value) { return Reduce(value, LATHE_CUB::name()); }                   \
  LATHE_INLINE T name(T value, int valid) { return Reduce(value, LATHE_CUB::name(), valid); } \
  template <class Input>                                                                      \
    requires detail::SeveralOf<Input, T>                                                      \
  LATHE_INLINE T name(const Input& values) {                                                  \
    return Reduce(values, LATHE_CUB::name());                                                 \
  }
  LATHE_CUB_REDUCTION(Sum)
  LATHE_CUB_REDUCTION(Max)
  LATHE_CUB_REDUCTION(Min)
#undef LATHE_CUB_REDUCTION

  /// Segments begin at lanes whose flag is set, and at the first.
  template <class Op, class Flag>
  LATHE_INLINE T HeadSegmentedReduce(T value, Flag head, Op op) {
    const detail::Lanes<Width> group = lanes();
    return group.reduce(value, group.endOfSegment(group.ballot(static_cast<bool>(head)) >> 1), op);
  }
  /// Segments end at lanes whose flag is set, and at the last.
  template <class Op, class Flag>
  LATHE_INLINE T TailSegmentedReduce(T value, Flag tail, Op op) {
    const detail::Lanes<Width> group = lanes();
    return group.reduce(value, group.endOfSegment(group.ballot(static_cast<bool>(tail))), op);
  }
  template <class Flag>
  LATHE_INLINE T HeadSegmentedSum(T value, Flag head) {
    return HeadSegmentedReduce(value, head, LATHE_CUB::Sum());
  }
  template <class Flag>
  LATHE_INLINE T TailSegmentedSum(T value, Flag tail) {
    return TailSegmentedReduce(value, tail, LATHE_CUB::Sum());
  }
};

}  // namespace LATHE_CUB

#endif
