// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences of each item of a block, blocked, and its neighbour: `op(item, neighbour)`. The first item, or the last,
// is its own difference unless the tile's neighbour is given, and so are items outside a partial tile.
#ifndef LATHE_CUB_BLOCK_ADJACENT_DIFFERENCE_H
#define LATHE_CUB_BLOCK_ADJACENT_DIFFERENCE_H

#include <cub/detail/storage.cuh>
#include <cub/thread/thread_operators.cuh>

namespace LATHE_CUB {

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockAdjacentDifference {
  static constexpr int threads = X * Y * Z;
  struct Storage {
    detail::Room<T, threads> edge;
  };
  LATHE_CUB_STORAGE(BlockAdjacentDifference)

  /// Operators may take references to variables.
  template <class Op>
  LATHE_INLINE static auto joined(Op& op, T& item, T neighbour) {
    return op(item, neighbour);
  }
  template <int Items, class Out, class Op>
  LATHE_INLINE void left(T (&in)[Items], Out (&out)[Items], Op op, int valid, const T* predecessor) {
    storage_.edge[thread_] = in[Items - 1];
    __syncthreads();
    const int own = thread_ * Items;
    for (int i = Items - 1; i > 0; --i) out[i] = own + i < valid ? static_cast<Out>(op(in[i], in[i - 1])) : in[i];
    if (own >= valid || (thread_ == 0 && !predecessor))
      out[0] = in[0];
    else
      out[0] = joined(op, in[0], thread_ == 0 ? *predecessor : storage_.edge[thread_ - 1]);
  }
  template <int Items, class Out, class Op>
  LATHE_INLINE void right(T (&in)[Items], Out (&out)[Items], Op op, int valid, const T* successor) {
    storage_.edge[thread_] = in[0];
    __syncthreads();
    const int own = thread_ * Items, last = own + Items - 1;
    for (int i = 0; i < Items - 1; ++i) out[i] = own + i + 1 < valid ? static_cast<Out>(op(in[i], in[i + 1])) : in[i];
    if (thread_ + 1 == threads && successor)
      out[Items - 1] = joined(op, in[Items - 1], *successor);
    else if (last + 1 < valid)
      out[Items - 1] = op(in[Items - 1], storage_.edge[thread_ + 1]);
    else
      out[Items - 1] = in[Items - 1];
  }

 public:
  template <int Items, class Out, class Op>
  LATHE_INLINE void SubtractLeft(T (&in)[Items], Out (&out)[Items], Op op) {
    left(in, out, op, threads * Items, nullptr);
  }
  template <int Items, class Out, class Op>
  LATHE_INLINE void SubtractLeft(T (&in)[Items], Out (&out)[Items], Op op, T predecessor) {
    left(in, out, op, threads * Items, &predecessor);
  }
  template <int Items, class Out, class Op>
  LATHE_INLINE void SubtractLeftPartialTile(T (&in)[Items], Out (&out)[Items], Op op, int valid) {
    left(in, out, op, valid, nullptr);
  }
  template <int Items, class Out, class Op>
  LATHE_INLINE void SubtractLeftPartialTile(T (&in)[Items], Out (&out)[Items], Op op, int valid, T predecessor) {
    left(in, out, op, valid, &predecessor);
  }
  template <int Items, class Out, class Op>
  LATHE_INLINE void SubtractRight(T (&in)[Items], Out (&out)[Items], Op op) {
    right(in, out, op, threads * Items, nullptr);
  }
  template <int Items, class Out, class Op>
  LATHE_INLINE void SubtractRight(T (&in)[Items], Out (&out)[Items], Op op, T successor) {
    right(in, out, op, threads * Items, &successor);
  }
  template <int Items, class Out, class Op>
  LATHE_INLINE void SubtractRightPartialTile(T (&in)[Items], Out (&out)[Items], Op op, int valid) {
    right(in, out, op, valid, nullptr);
  }
};

}  // namespace LATHE_CUB

#endif
