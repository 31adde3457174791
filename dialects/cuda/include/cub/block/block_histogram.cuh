// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of a block's items, which are numbers of bins, added to counters of the caller's. Bins are counted in shared
// memory first, so that counters may be of any type and anywhere.
#ifndef LATHE_CUB_BLOCK_HISTOGRAM_H
#define LATHE_CUB_BLOCK_HISTOGRAM_H

#include <cub/detail/storage.cuh>

namespace LATHE_CUB {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int X, int Items, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1,
          int = 0>
class BlockHistogram {
  static constexpr int threads = X * Y * Z;
  struct Storage {
    unsigned counts[Bins];
  };
  LATHE_CUB_STORAGE(BlockHistogram)

 public:
  template <class Counter>
  LATHE_INLINE void InitHistogram(Counter* histogram) {
    for (int bin = thread_; bin < Bins; bin += threads) histogram[bin] = 0;
  }
  template <class Counter>
  LATHE_INLINE void Composite(T (&items)[Items], Counter* histogram) {
    InitHistogram(storage_.counts);
    __syncthreads();
    for (int i = 0; i < Items; ++i) atomicAdd(&storage_.counts[static_cast<int>(items[i])], 1u);
    __syncthreads();
    for (int bin = thread_; bin < Bins; bin += threads)
      histogram[bin] = static_cast<Counter>(histogram[bin] + static_cast<Counter>(storage_.counts[bin]));
  }
  template <class Counter>
  LATHE_INLINE void Histogram(T (&items)[Items], Counter* histogram) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};

}  // namespace LATHE_CUB

#endif
