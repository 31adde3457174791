// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items of other threads of a block, by a distance. Threads without such a neighbour keep what they have.
#ifndef LATHE_CUB_BLOCK_SHUFFLE_H
#define LATHE_CUB_BLOCK_SHUFFLE_H

#include <cub/detail/storage.cuh>

namespace LATHE_CUB {

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockShuffle {
  static constexpr int threads = X * Y * Z;
  struct Storage {
    detail::Room<T, threads> items;
  };
  LATHE_CUB_STORAGE(BlockShuffle)
  LATHE_INLINE void share(const T& item) {
    storage_.items[thread_] = item;
    __syncthreads();
  }

 public:
  LATHE_INLINE void Offset(T in, T& out, int distance = 1) {
    share(in);
    const int from = thread_ + distance;
    if (from >= 0 && from < threads) out = storage_.items[from];
  }
  LATHE_INLINE void Rotate(T in, T& out, unsigned distance = 1) {
    share(in);
    out = storage_.items[static_cast<int>((static_cast<unsigned>(thread_) + distance) % threads)];
  }
  /// Each item's predecessor in the block, blocked; the last thread's last item besides. The arrays may be the same.
  template <int Items>
  LATHE_INLINE void Up(T (&in)[Items], T (&out)[Items]) {
    share(in[Items - 1]);
    for (int i = Items - 1; i > 0; --i) out[i] = in[i - 1];
    if (thread_ > 0) out[0] = storage_.items[thread_ - 1];
  }
  template <int Items>
  LATHE_INLINE void Up(T (&in)[Items], T (&out)[Items], T& last) {
    Up(in, out);
    last = storage_.items[threads - 1];
  }
  /// Each item's successor; the first thread's first item besides.
  template <int Items>
  LATHE_INLINE void Down(T (&in)[Items], T (&out)[Items]) {
    share(in[0]);
    for (int i = 0; i < Items - 1; ++i) out[i] = in[i + 1];
    if (thread_ < threads - 1) out[Items - 1] = storage_.items[thread_ + 1];
  }
  template <int Items>
  LATHE_INLINE void Down(T (&in)[Items], T (&out)[Items], T& first) {
    Down(in, out);
    first = storage_.items[0];
  }
};

}  // namespace LATHE_CUB

#endif
