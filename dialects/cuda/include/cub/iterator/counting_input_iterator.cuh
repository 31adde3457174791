// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iterator over consecutive numbers.
#ifndef LATHE_CUB_COUNTING_INPUT_ITERATOR_H
#define LATHE_CUB_COUNTING_INPUT_ITERATOR_H

#include <cub/detail/iterator.cuh>

namespace LATHE_CUB {

template <class T, class Offset = ptrdiff_t>
class CountingInputIterator {
 public:
  LATHE_CUB_ITERATOR(CountingInputIterator, T, T, Offset)
  LATHE_CUDA_BOTH CountingInputIterator(const T& first = T()) : at_(first) {}
  LATHE_CUDA_BOTH T operator*() const { return at_; }

 private:
  T at_;
};

}  // namespace LATHE_CUB

#endif
