// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iterator over the results of a functor for the items of another.
#ifndef LATHE_CUB_TRANSFORM_INPUT_ITERATOR_H
#define LATHE_CUB_TRANSFORM_INPUT_ITERATOR_H

#include <cub/detail/iterator.cuh>

namespace LATHE_CUB {

template <class T, class Op, class It, class Offset = ptrdiff_t>
class TransformInputIterator {
 public:
  LATHE_CUB_ITERATOR(TransformInputIterator, T, T, Offset)
  LATHE_CUDA_BOTH TransformInputIterator(It items, Op op) : op_(op), at_(items) {}
  LATHE_CUDA_BOTH T operator*() const {
    Op op = op_;
    return op(*at_);
  }

 private:
  Op op_;
  It at_;
};

}  // namespace LATHE_CUB

#endif
