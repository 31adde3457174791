// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iterator whose loads carry a hint for the caches.
#ifndef LATHE_CUB_CACHE_MODIFIED_INPUT_ITERATOR_H
#define LATHE_CUB_CACHE_MODIFIED_INPUT_ITERATOR_H

#include <cub/detail/iterator.cuh>
#include <cub/thread/thread_load.cuh>

namespace LATHE_CUB {

template <CacheLoadModifier Modifier, class T, class Offset = ptrdiff_t>
class CacheModifiedInputIterator {
 public:
  LATHE_CUB_ITERATOR(CacheModifiedInputIterator, T, T, Offset)
  template <class From>
  LATHE_CUDA_BOTH CacheModifiedInputIterator(From* from) : at_(from) {}
  LATHE_INLINE T operator*() const { return ThreadLoad<Modifier>(at_); }

 private:
  const T* at_;
};

}  // namespace LATHE_CUB

#endif
