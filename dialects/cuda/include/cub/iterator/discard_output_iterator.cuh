// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iterator that takes any value and keeps none.
#ifndef LATHE_CUB_DISCARD_OUTPUT_ITERATOR_H
#define LATHE_CUB_DISCARD_OUTPUT_ITERATOR_H

#include <cub/detail/iterator.cuh>

namespace LATHE_CUB {

template <class Offset = ptrdiff_t>
class DiscardOutputIterator {
  struct Item {
    template <class T>
    LATHE_CUDA_BOTH const Item& operator=(const T&) const {
      return *this;
    }
  };

 public:
  LATHE_CUB_ITERATOR(DiscardOutputIterator, void, Item, Offset)
  LATHE_CUDA_BOTH DiscardOutputIterator(Offset first = 0) : at_(first) {}
  LATHE_CUDA_BOTH Item operator*() const { return {}; }

 private:
  Offset at_;
};

}  // namespace LATHE_CUB

#endif
