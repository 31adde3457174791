// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iterator over pairs of a place and the item there.
#ifndef LATHE_CUB_ARG_INDEX_INPUT_ITERATOR_H
#define LATHE_CUB_ARG_INDEX_INPUT_ITERATOR_H

#include <cub/detail/iterator.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/util_type.cuh>

namespace LATHE_CUB {

template <class It, class Offset = ptrdiff_t, class T = detail::ValueAt<It>>
class ArgIndexInputIterator {
 public:
  using Pair = KeyValuePair<Offset, T>;
  LATHE_CUB_ITERATOR(ArgIndexInputIterator, Pair, Pair, Offset)
  LATHE_CUDA_BOTH ArgIndexInputIterator(It items, Offset first = 0) : items_(items), at_(first) {}
  LATHE_CUDA_BOTH Pair operator*() const { return Pair(at_, items_[at_]); }
  LATHE_CUDA_BOTH void normalize() {
    items_ = items_ + at_;
    at_ = 0;
  }

 private:
  It items_;
  Offset at_;
};

}  // namespace LATHE_CUB

#endif
