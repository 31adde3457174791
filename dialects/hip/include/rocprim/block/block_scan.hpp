// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans of a block's values, one or several a thread. Reductions never contain the initial value or the prefix.
#ifndef LATHE_ROCPRIM_BLOCK_SCAN_H
#define LATHE_ROCPRIM_BLOCK_SCAN_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

enum class block_scan_algorithm { using_warp_scan, reduce_then_scan, default_algorithm = using_warp_scan };

template <class T, unsigned X, block_scan_algorithm = block_scan_algorithm::default_algorithm, unsigned Y = 1,
          unsigned Z = 1>
class block_scan {
  LATHE_ROCPRIM_COLLECTIVE(BlockScan<T, X, hipcub::BLOCK_SCAN_RAKING, Y, Z>)
  template <class In, class Out, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op);
  }
  template <class In, class Out, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, T& reduction, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op, reduction);
  }
  template <class In, class Out, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op);
  }
  template <class In, class Out, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, T& reduction, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op, reduction);
  }
  // The functor, called by the first warp with the block's reduction, says what comes before the block.
  template <class In, class Out, class Prefix, detail::BinaryOf<T> Op>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, storage_type& storage, Prefix& prefix, Op op) {
    Collective(storage).InclusiveScan(in, out, op, prefix);
  }
  template <class In, class Out, class Prefix, detail::BinaryOf<T> Op>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, storage_type& storage, Prefix& prefix, Op op) {
    Collective(storage).ExclusiveScan(in, out, op, prefix);
  }

  template <class In, class Out, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, Op op = Op()) {
    inclusive_scan(in, out, own(), op);
  }
  template <class In, class Out, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, T& reduction, Op op = Op()) {
    inclusive_scan(in, out, reduction, own(), op);
  }
  template <class In, class Out, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, Op op = Op()) {
    exclusive_scan(in, out, first, own(), op);
  }
  template <class In, class Out, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, T& reduction, Op op = Op()) {
    exclusive_scan(in, out, first, reduction, own(), op);
  }
};

}  // namespace rocprim

#endif
