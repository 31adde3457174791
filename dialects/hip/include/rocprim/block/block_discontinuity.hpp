// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of a block's items, blocked, that differ from the one before (heads) or behind (tails). The block's first and
// last item count as such unless the tile's neighbours are given. The predicate takes two neighbours and, if it wants,
// the second one's place.
#ifndef LATHE_ROCPRIM_BLOCK_DISCONTINUITY_H
#define LATHE_ROCPRIM_BLOCK_DISCONTINUITY_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

template <class T, unsigned X, unsigned Y = 1, unsigned Z = 1>
class block_discontinuity {
  LATHE_ROCPRIM_COLLECTIVE(BlockDiscontinuity<T, X, Y, Z>)
  // Each neighbour stands behind the flags that it is for; storage stands last, or the collective has its own.
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads(Flag (&flags)[Items], const T (&in)[Items], Op op, storage_type& storage) {
    Collective(storage).FlagHeads(flags, detail::Copied(in).items(), op);
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads(Flag (&flags)[Items], T predecessor, const T (&in)[Items], Op op,
                               storage_type& storage) {
    Collective(storage).FlagHeads(flags, detail::Copied(in).items(), op, predecessor);
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_tails(Flag (&flags)[Items], const T (&in)[Items], Op op, storage_type& storage) {
    Collective(storage).FlagTails(flags, detail::Copied(in).items(), op);
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_tails(Flag (&flags)[Items], T successor, const T (&in)[Items], Op op, storage_type& storage) {
    Collective(storage).FlagTails(flags, detail::Copied(in).items(), op, successor);
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads_and_tails(Flag (&heads)[Items], Flag (&tails)[Items], const T (&in)[Items], Op op,
                                         storage_type& storage) {
    Collective(storage).FlagHeadsAndTails(heads, tails, detail::Copied(in).items(), op);
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads_and_tails(Flag (&heads)[Items], Flag (&tails)[Items], T successor, const T (&in)[Items],
                                         Op op, storage_type& storage) {
    Collective(storage).FlagHeadsAndTails(heads, tails, successor, detail::Copied(in).items(), op);
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads_and_tails(Flag (&heads)[Items], T predecessor, Flag (&tails)[Items],
                                         const T (&in)[Items], Op op, storage_type& storage) {
    Collective(storage).FlagHeadsAndTails(heads, predecessor, tails, detail::Copied(in).items(), op);
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads_and_tails(Flag (&heads)[Items], T predecessor, Flag (&tails)[Items], T successor,
                                         const T (&in)[Items], Op op, storage_type& storage) {
    Collective(storage).FlagHeadsAndTails(heads, predecessor, tails, successor, detail::Copied(in).items(), op);
  }

  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads(Flag (&flags)[Items], const T (&in)[Items], Op op) {
    flag_heads(flags, in, op, own());
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads(Flag (&flags)[Items], T predecessor, const T (&in)[Items], Op op) {
    flag_heads(flags, predecessor, in, op, own());
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_tails(Flag (&flags)[Items], const T (&in)[Items], Op op) {
    flag_tails(flags, in, op, own());
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_tails(Flag (&flags)[Items], T successor, const T (&in)[Items], Op op) {
    flag_tails(flags, successor, in, op, own());
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads_and_tails(Flag (&heads)[Items], Flag (&tails)[Items], const T (&in)[Items], Op op) {
    flag_heads_and_tails(heads, tails, in, op, own());
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads_and_tails(Flag (&heads)[Items], Flag (&tails)[Items], T successor, const T (&in)[Items],
                                         Op op) {
    flag_heads_and_tails(heads, tails, successor, in, op, own());
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads_and_tails(Flag (&heads)[Items], T predecessor, Flag (&tails)[Items],
                                         const T (&in)[Items], Op op) {
    flag_heads_and_tails(heads, predecessor, tails, in, op, own());
  }
  template <unsigned Items, class Flag, class Op>
  LATHE_INLINE void flag_heads_and_tails(Flag (&heads)[Items], T predecessor, Flag (&tails)[Items], T successor,
                                         const T (&in)[Items], Op op) {
    flag_heads_and_tails(heads, predecessor, tails, successor, in, op, own());
  }
};

}  // namespace rocprim

#endif
