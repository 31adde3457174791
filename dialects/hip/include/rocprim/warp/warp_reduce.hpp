// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of a logical warp; the result is its first lane's, or every lane's where `All` says so. Those of segments
// are their first lanes'.
#ifndef LATHE_ROCPRIM_WARP_REDUCE_H
#define LATHE_ROCPRIM_WARP_REDUCE_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

template <class T, unsigned Width = HIPCUB_WARP_THREADS, bool All = false>
class warp_reduce {
  using Collective = hipcub::WarpReduce<T, Width>;

 public:
  using storage_type = typename Collective::TempStorage;

  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, storage_type& storage, Op op = Op()) {
    finish(Collective(storage).Reduce(in, op), out);
  }
  /// Of the first `valid` lanes.
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, int valid, storage_type& storage, Op op = Op()) {
    finish(Collective(storage).Reduce(in, op, valid), out);
  }
  /// Segments begin at lanes whose flag is set, and at the first.
  template <class Flag, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void head_segmented_reduce(T in, T& out, Flag head, storage_type& storage, Op op = Op()) {
    out = Collective(storage).HeadSegmentedReduce(in, head, op);
  }
  /// Segments end at lanes whose flag is set, and at the last.
  template <class Flag, detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void tail_segmented_reduce(T in, T& out, Flag tail, storage_type& storage, Op op = Op()) {
    out = Collective(storage).TailSegmentedReduce(in, tail, op);
  }

 private:
  LATHE_INLINE static void finish(const T& result, T& out) {
    if constexpr (All)
      out = hipcub::detail::Lanes<Width>(hipcub::detail::threadOfBlock(), hipcub::detail::threadsOfBlock())
                .fromLane(result, 0);
    else
      out = result;
  }
};

}  // namespace rocprim

#endif
