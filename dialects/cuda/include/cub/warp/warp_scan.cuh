// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans of a logical warp. Aggregates never contain the initial value. Without one the first lane's exclusive result is
// undefined. Partial scans leave results of lanes from `valid` on as they were, and never pass their values to the
// operator.
#ifndef LATHE_CUB_WARP_SCAN_H
#define LATHE_CUB_WARP_SCAN_H

#include <cub/detail/lanes.cuh>
#include <cub/thread/thread_operators.cuh>

namespace LATHE_CUB {

template <class T, int Width = LATHE_CUB_WARP, int = 0>
class WarpScan {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(WarpScan)

  /// Any of the results may be null, and the initial value.
  template <class Op>
  LATHE_INLINE void scan(T in, T* inclusive, T* exclusive, const T* initial, Op op, int valid, T* aggregate) {
    const detail::Lanes<Width> group(thread_, detail::threadsOfBlock());
    valid = valid < group.count ? valid : group.count;
    const T with = group.scan(in, op, valid);
    if (aggregate) *aggregate = group.fromLane(with, valid > 0 ? valid - 1 : 0);
    if (exclusive) {
      const T before = group.fromBelow(with, 1);
      if (group.lane < valid) {
        *exclusive = before;
        if (initial) *exclusive = group.lane == 0 ? *initial : static_cast<T>(op(*initial, before));
      }
    }
    if (inclusive && group.lane < valid) *inclusive = initial ? static_cast<T>(op(*initial, with)) : with;
  }

 public:
  // Each of the three with an initial value or without, an aggregate or without, and its partial form.
#define LATHE_CUB_SCANS(name, partial, inclusive, exclusive, ...)                           \
  template <detail::BinaryOf<T> Op>                                                         \
  LATHE_INLINE void name(T in, __VA_ARGS__, Op op) {                                        \
    scan(in, inclusive, exclusive, nullptr, op, Width, nullptr);                            \
  }                                                                                         \
  template <detail::BinaryOf<T> Op>                                                         \
  LATHE_INLINE void name(T in, __VA_ARGS__, T initial, Op op) {                             \
    scan(in, inclusive, exclusive, &initial, op, Width, nullptr);                           \
  }                                                                                         \
  template <detail::BinaryOf<T> Op>                                                         \
  LATHE_INLINE void name(T in, __VA_ARGS__, Op op, T& aggregate) {                          \
    scan(in, inclusive, exclusive, nullptr, op, Width, &aggregate);                         \
  }                                                                                         \
  template <detail::BinaryOf<T> Op>                                                         \
  LATHE_INLINE void name(T in, __VA_ARGS__, T initial, Op op, T& aggregate) {               \
    scan(in, inclusive, exclusive, &initial, op, Width, &aggregate);                        \
  }                                                                                         \
  template <detail::BinaryOf<T> Op>                                                         \
  LATHE_INLINE void partial(T in, __VA_ARGS__, Op op, int valid) {                          \
    scan(in, inclusive, exclusive, nullptr, op, valid, nullptr);                            \
  }                                                                                         \
  template <detail::BinaryOf<T> Op>                                                         \
  LATHE_INLINE void partial(T in, __VA_ARGS__, T initial, Op op, int valid) {               \
    scan(in, inclusive, exclusive, &initial, op, valid, nullptr);                           \
  }                                                                                         \
  template <detail::BinaryOf<T> Op>                                                         \
  LATHE_INLINE void partial(T in, __VA_ARGS__, Op op, int valid, T& aggregate) {            \
    scan(in, inclusive, exclusive, nullptr, op, valid, &aggregate);                         \
  }                                                                                         \
  template <detail::BinaryOf<T> Op>                                                         \
  LATHE_INLINE void partial(T in, __VA_ARGS__, T initial, Op op, int valid, T& aggregate) { \
    scan(in, inclusive, exclusive, &initial, op, valid, &aggregate);                        \
  }
  LATHE_CUB_SCANS(InclusiveScan, InclusiveScanPartial, &out, nullptr, T& out)
  LATHE_CUB_SCANS(ExclusiveScan, ExclusiveScanPartial, nullptr, &out, T& out)
  LATHE_CUB_SCANS(Scan, ScanPartial, &inclusive, &exclusive, T& inclusive, T& exclusive)
#undef LATHE_CUB_SCANS

  LATHE_INLINE void InclusiveSum(T in, T& out) { InclusiveScan(in, out, LATHE_CUB::Sum()); }
  LATHE_INLINE void InclusiveSum(T in, T& out, T& aggregate) { InclusiveScan(in, out, LATHE_CUB::Sum(), aggregate); }
  LATHE_INLINE void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T{}, LATHE_CUB::Sum()); }
  LATHE_INLINE void ExclusiveSum(T in, T& out, T& aggregate) {
    ExclusiveScan(in, out, T{}, LATHE_CUB::Sum(), aggregate);
  }
  LATHE_INLINE void Sum(T in, T& inclusive, T& exclusive) { Scan(in, inclusive, exclusive, T{}, LATHE_CUB::Sum()); }
  LATHE_INLINE T Broadcast(T in, unsigned lane) {
    return detail::Lanes<Width>(thread_, detail::threadsOfBlock()).fromLane(in, static_cast<int>(lane));
  }
};

}  // namespace LATHE_CUB

#endif
