// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of a block's values; the result is thread 0's.
#ifndef LATHE_ROCPRIM_BLOCK_REDUCE_H
#define LATHE_ROCPRIM_BLOCK_REDUCE_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

enum class block_reduce_algorithm {
  using_warp_reduce,
  raking_reduce,
  raking_reduce_commutative_only,
  default_algorithm = using_warp_reduce
};

template <class T, unsigned X, block_reduce_algorithm = block_reduce_algorithm::default_algorithm, unsigned Y = 1,
          unsigned Z = 1>
class block_reduce {
  LATHE_ROCPRIM_COLLECTIVE(BlockReduce<T, X, hipcub::BLOCK_REDUCE_WARP_REDUCTIONS, Y, Z>)
  // Of one value or of several a thread.
  template <class In, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(In&& in, T& out, storage_type& storage, Op op = Op()) {
    out = Collective(storage).Reduce(in, op);
  }
  template <class In, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(In&& in, T& out, Op op = Op()) {
    reduce(in, out, own(), op);
  }
  // Of the first threads' values.
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, unsigned valid, storage_type& storage, Op op = Op()) {
    out = Collective(storage).Reduce(in, op, static_cast<int>(valid));
  }
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, unsigned valid, Op op = Op()) {
    reduce(in, out, valid, own(), op);
  }
};

}  // namespace rocprim

#endif
