// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of a block's items, which are numbers of bins, added to counters of the caller's.
#ifndef LATHE_ROCPRIM_BLOCK_HISTOGRAM_H
#define LATHE_ROCPRIM_BLOCK_HISTOGRAM_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

enum class block_histogram_algorithm { using_atomic, using_sort, default_algorithm = using_atomic };

template <class T, unsigned X, unsigned Items, unsigned Bins,
          block_histogram_algorithm = block_histogram_algorithm::default_algorithm, unsigned Y = 1, unsigned Z = 1>
class block_histogram {
  LATHE_ROCPRIM_COLLECTIVE(BlockHistogram<T, X, Items, Bins, hipcub::BLOCK_HISTO_ATOMIC, Y, Z>)
  template <class Counter>
  LATHE_INLINE void init_histogram(Counter* counters) {
    for (unsigned bin = flat_block_thread_id(); bin < Bins; bin += X * Y * Z) counters[bin] = Counter();
  }
  /// Adds to what the counters hold.
  template <class Counter>
  LATHE_INLINE void composite(T (&items)[Items], Counter* counters, storage_type& storage) {
    Collective(storage).Composite(items, counters);
  }
  template <class Counter>
  LATHE_INLINE void composite(T (&items)[Items], Counter* counters) {
    composite(items, counters, own());
  }
  template <class Counter>
  LATHE_INLINE void histogram(T (&items)[Items], Counter* counters, storage_type& storage) {
    init_histogram(counters);
    __syncthreads();
    composite(items, counters, storage);
  }
  template <class Counter>
  LATHE_INLINE void histogram(T (&items)[Items], Counter* counters) {
    histogram(items, counters, own());
  }
};

}  // namespace rocprim

#endif
