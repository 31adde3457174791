// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences of each item of a block, blocked, and its neighbour: `op(item, neighbour)`. The first item, or the last,
// is its own difference unless the tile's neighbour is given, and so are items outside a partial tile.
#ifndef LATHE_ROCPRIM_BLOCK_ADJACENT_DIFFERENCE_H
#define LATHE_ROCPRIM_BLOCK_ADJACENT_DIFFERENCE_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

template <class T, unsigned X, unsigned Y = 1, unsigned Z = 1>
class block_adjacent_difference {
  LATHE_ROCPRIM_COLLECTIVE(BlockAdjacentDifference<T, X, Y, Z>)
  template <class Out, unsigned Items, class Op>
  LATHE_INLINE void subtract_left(const T (&in)[Items], Out (&out)[Items], Op op, storage_type& storage) {
    Collective(storage).SubtractLeft(detail::Copied(in).items(), out, op);
  }
  template <class Out, unsigned Items, class Op>
  LATHE_INLINE void subtract_left(const T (&in)[Items], Out (&out)[Items], Op op, T predecessor,
                                  storage_type& storage) {
    Collective(storage).SubtractLeft(detail::Copied(in).items(), out, op, predecessor);
  }
  template <class Out, unsigned Items, class Op>
  LATHE_INLINE void subtract_left_partial(const T (&in)[Items], Out (&out)[Items], Op op, unsigned valid,
                                          storage_type& storage) {
    Collective(storage).SubtractLeftPartialTile(detail::Copied(in).items(), out, op, static_cast<int>(valid));
  }
  template <class Out, unsigned Items, class Op>
  LATHE_INLINE void subtract_left_partial(const T (&in)[Items], Out (&out)[Items], Op op, T predecessor, unsigned valid,
                                          storage_type& storage) {
    Collective(storage).SubtractLeftPartialTile(detail::Copied(in).items(), out, op, static_cast<int>(valid),
                                                predecessor);
  }
  template <class Out, unsigned Items, class Op>
  LATHE_INLINE void subtract_right(const T (&in)[Items], Out (&out)[Items], Op op, storage_type& storage) {
    Collective(storage).SubtractRight(detail::Copied(in).items(), out, op);
  }
  template <class Out, unsigned Items, class Op>
  LATHE_INLINE void subtract_right(const T (&in)[Items], Out (&out)[Items], Op op, T successor, storage_type& storage) {
    Collective(storage).SubtractRight(detail::Copied(in).items(), out, op, successor);
  }
  template <class Out, unsigned Items, class Op>
  LATHE_INLINE void subtract_right_partial(const T (&in)[Items], Out (&out)[Items], Op op, unsigned valid,
                                           storage_type& storage) {
    Collective(storage).SubtractRightPartialTile(detail::Copied(in).items(), out, op, static_cast<int>(valid));
  }
};

}  // namespace rocprim

#endif
