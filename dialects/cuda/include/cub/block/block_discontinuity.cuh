// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of items of a block, blocked, that differ from the one before (heads) or behind (tails). The block's first and
// last item count as such unless the tile's neighbours are given. The predicate takes two neighbours and, if it wants,
// the second one's place.
#ifndef LATHE_CUB_BLOCK_DISCONTINUITY_H
#define LATHE_CUB_BLOCK_DISCONTINUITY_H

#include <cub/detail/storage.cuh>
#include <cub/thread/thread_operators.cuh>

namespace LATHE_CUB {

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockDiscontinuity {
  static constexpr int threads = X * Y * Z;
  struct Storage {
    detail::Room<T, threads> first, last;
  };
  LATHE_CUB_STORAGE(BlockDiscontinuity)

  template <class Op>
  LATHE_INLINE static bool differ(Op& op, const T& a, const T& b, int place) {
    if constexpr (requires { op(a, b, place); })
      return op(a, b, place);
    else
      return op(a, b);
  }
  template <int Items>
  LATHE_INLINE void share(const T (&in)[Items]) {
    storage_.first[thread_] = in[0];
    storage_.last[thread_] = in[Items - 1];
    __syncthreads();
  }
  template <int Items, class Flag, class Op>
  LATHE_INLINE void heads(Flag (&flags)[Items], const T (&in)[Items], T (&preds)[Items], Op op, const T* predecessor) {
    const int own = thread_ * Items;
    for (int i = 1; i < Items; ++i) {
      preds[i] = in[i - 1];
      flags[i] = differ(op, preds[i], in[i], own + i);
    }
    if (thread_ == 0 && !predecessor) {
      flags[0] = 1;
      return;
    }
    preds[0] = thread_ == 0 ? *predecessor : storage_.last[thread_ - 1];
    flags[0] = differ(op, preds[0], in[0], own);
  }
  template <int Items, class Flag, class Op>
  LATHE_INLINE void tails(Flag (&flags)[Items], const T (&in)[Items], Op op, const T* successor) {
    const int own = thread_ * Items;
    for (int i = 0; i < Items - 1; ++i) flags[i] = differ(op, in[i], in[i + 1], own + i + 1);
    if (thread_ + 1 == threads && !successor)
      flags[Items - 1] = 1;
    else
      flags[Items - 1] =
          differ(op, in[Items - 1], thread_ + 1 == threads ? *successor : storage_.first[thread_ + 1], own + Items);
  }

 public:
  // `preds` are the items' predecessors, which come out too.
  template <int Items, class Flag, class Op>
  LATHE_INLINE void FlagHeads(Flag (&flags)[Items], T (&in)[Items], T (&preds)[Items], Op op) {
    share(in);
    heads(flags, in, preds, op, nullptr);
  }
  template <int Items, class Flag, class Op>
  LATHE_INLINE void FlagHeads(Flag (&flags)[Items], T (&in)[Items], T (&preds)[Items], Op op, T predecessor) {
    share(in);
    heads(flags, in, preds, op, &predecessor);
  }
  template <int Items, class Flag, class Op>
  LATHE_INLINE void FlagHeads(Flag (&flags)[Items], T (&in)[Items], Op op) {
    T preds[Items];
    FlagHeads(flags, in, preds, op);
  }
  template <int Items, class Flag, class Op>
    requires(!__is_array(Op))
  LATHE_INLINE void FlagHeads(Flag (&flags)[Items], T (&in)[Items], Op op, T predecessor) {
    T preds[Items];
    FlagHeads(flags, in, preds, op, predecessor);
  }
  template <int Items, class Flag, class Op>
  LATHE_INLINE void FlagTails(Flag (&flags)[Items], T (&in)[Items], Op op) {
    share(in);
    tails(flags, in, op, nullptr);
  }
  template <int Items, class Flag, class Op>
  LATHE_INLINE void FlagTails(Flag (&flags)[Items], T (&in)[Items], Op op, T successor) {
    share(in);
    tails(flags, in, op, &successor);
  }
  // Each neighbour stands behind the flags that it is for.
  template <int Items, class Flag, class Op>
  LATHE_INLINE void FlagHeadsAndTails(Flag (&headFlags)[Items], Flag (&tailFlags)[Items], T (&in)[Items], Op op) {
    both(headFlags, nullptr, tailFlags, nullptr, in, op);
  }
  template <int Items, class Flag, class Op>
  LATHE_INLINE void FlagHeadsAndTails(Flag (&headFlags)[Items], Flag (&tailFlags)[Items], T successor, T (&in)[Items],
                                      Op op) {
    both(headFlags, nullptr, tailFlags, &successor, in, op);
  }
  template <int Items, class Flag, class Op>
  LATHE_INLINE void FlagHeadsAndTails(Flag (&headFlags)[Items], T predecessor, Flag (&tailFlags)[Items], T (&in)[Items],
                                      Op op) {
    both(headFlags, &predecessor, tailFlags, nullptr, in, op);
  }
  template <int Items, class Flag, class Op>
  LATHE_INLINE void FlagHeadsAndTails(Flag (&headFlags)[Items], T predecessor, Flag (&tailFlags)[Items], T successor,
                                      T (&in)[Items], Op op) {
    both(headFlags, &predecessor, tailFlags, &successor, in, op);
  }

 private:
  template <int Items, class Flag, class Op>
  LATHE_INLINE void both(Flag (&headFlags)[Items], const T* predecessor, Flag (&tailFlags)[Items], const T* successor,
                         const T (&in)[Items], Op op) {
    T preds[Items];
    share(in);
    heads(headFlags, in, preds, op, predecessor);
    tails(tailFlags, in, op, successor);
  }
};

}  // namespace LATHE_CUB

#endif
