// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of a block, by warps; the result is thread 0's. Only the first `valid` threads' values count.
#ifndef LATHE_CUB_BLOCK_REDUCE_H
#define LATHE_CUB_BLOCK_REDUCE_H

#include <cub/detail/lanes.cuh>
#include <cub/detail/storage.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/thread/thread_reduce.cuh>

namespace LATHE_CUB {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;
  struct Storage {
    detail::Room<T, warps> ofWarp;
  };
  LATHE_CUB_STORAGE(BlockReduce)

 public:
  template <class Op>
  LATHE_INLINE T Reduce(T value, Op op, int valid) {
    const detail::Lanes<32> group(thread_, threads);
    value = group.reduce(value, valid - (thread_ - group.lane), op);
    if constexpr (warps > 1) {
      if (group.lane == 0) storage_.ofWarp[thread_ / 32] = value;
      __syncthreads();
      if (thread_ == 0) {
        for (int warp = 1; warp < warps && warp * 32 < valid; ++warp) value = op(value, storage_.ofWarp[warp]);
      }
    }
    return value;
  }
  template <class Op>
  LATHE_INLINE T Reduce(T value, Op op) {
    return Reduce(value, op, threads);
  }
  template <class Input, class Op>
    requires detail::SeveralOf<Input, T>
  LATHE_INLINE T Reduce(const Input& values, Op op) {
    return Reduce(static_cast<T>(ThreadReduce(values, op)), op);
  }
  LATHE_INLINE T Sum(T value) { return Reduce(value, LATHE_CUB::Sum()); }
  LATHE_INLINE T Sum(T value, int valid) { return Reduce(value, LATHE_CUB::Sum(), valid); }
  template <class Input>
    requires detail::SeveralOf<Input, T>
  LATHE_INLINE T Sum(const Input& values) {
    return Reduce(values, LATHE_CUB::Sum());
  }
};

}  // namespace LATHE_CUB

#endif
