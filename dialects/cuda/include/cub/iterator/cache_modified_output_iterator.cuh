// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iterator whose stores carry a hint for the caches.
#ifndef LATHE_CUB_CACHE_MODIFIED_OUTPUT_ITERATOR_H
#define LATHE_CUB_CACHE_MODIFIED_OUTPUT_ITERATOR_H

#include <cub/detail/iterator.cuh>
#include <cub/thread/thread_store.cuh>

namespace LATHE_CUB {

template <CacheStoreModifier Modifier, class T, class Offset = ptrdiff_t>
class CacheModifiedOutputIterator {
  struct Item {
    T* to;
    LATHE_INLINE T operator=(T value) const {
      ThreadStore<Modifier>(to, value);
      return value;
    }
  };

 public:
  LATHE_CUB_ITERATOR(CacheModifiedOutputIterator, T, Item, Offset)
  template <class To>
  LATHE_CUDA_BOTH CacheModifiedOutputIterator(To* to) : at_(to) {}
  LATHE_INLINE Item operator*() const { return {at_}; }

 private:
  T* at_;
};

}  // namespace LATHE_CUB

#endif
