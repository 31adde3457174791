// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iterator over one value that repeats.
#ifndef LATHE_CUB_CONSTANT_INPUT_ITERATOR_H
#define LATHE_CUB_CONSTANT_INPUT_ITERATOR_H

#include <cub/detail/iterator.cuh>

namespace LATHE_CUB {

template <class T, class Offset = ptrdiff_t>
class ConstantInputIterator {
 public:
  LATHE_CUB_ITERATOR(ConstantInputIterator, T, T, Offset)
  LATHE_CUDA_BOTH ConstantInputIterator(T value, Offset first = 0) : value_(value), at_(first) {}
  LATHE_CUDA_BOTH T operator*() const { return value_; }

 private:
  T value_;
  Offset at_;
};

}  // namespace LATHE_CUB

#endif
