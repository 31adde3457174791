// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of items, given by values and lengths or places, as the items that they stand for: a window of as many as the
// block's threads take at once, from any place on. Items behind the last run are undefined.
#ifndef LATHE_CUB_BLOCK_RUN_LENGTH_DECODE_H
#define LATHE_CUB_BLOCK_RUN_LENGTH_DECODE_H

#include <cub/block/block_scan.cuh>
#include <cub/thread/thread_search.cuh>

namespace LATHE_CUB {

template <class T, int X, int Runs, int Items, class Offset = unsigned, int Y = 1, int Z = 1>
class BlockRunLengthDecode {
  static constexpr int runs = X * Y * Z * Runs;
  using Scan = BlockScan<Offset, X, BLOCK_SCAN_RAKING_MEMOIZE, Y, Z>;
  struct Storage {
    typename Scan::TempStorage scan;
    detail::Room<T, runs> values;
    Offset places[runs];
  };
  LATHE_CUB_STORAGE(BlockRunLengthDecode)

 public:
  /// `total` becomes the sum of all lengths.
  template <class Length, class Total>
  LATHE_INLINE BlockRunLengthDecode(TempStorage& storage, T (&values)[Runs], Length (&lengths)[Runs], Total& total)
      : BlockRunLengthDecode(storage) {
    byLengths(values, lengths, total);
  }
  template <class Length, class Total>
  LATHE_INLINE BlockRunLengthDecode(T (&values)[Runs], Length (&lengths)[Runs], Total& total) {
    byLengths(values, lengths, total);
  }
  /// By the places where runs begin.
  template <class Place>
  LATHE_INLINE BlockRunLengthDecode(TempStorage& storage, T (&values)[Runs], Place (&places)[Runs])
      : BlockRunLengthDecode(storage) {
    byPlaces(values, places);
  }
  template <class Place>
  LATHE_INLINE BlockRunLengthDecode(T (&values)[Runs], Place (&places)[Runs]) {
    byPlaces(values, places);
  }

  /// `inRun` are the items' places in their runs.
  template <class Place>
  LATHE_INLINE void RunLengthDecode(T (&items)[Items], Place (&inRun)[Items], Offset first = 0) {
    Offset at = first + static_cast<Offset>(thread_ * Items);
    int run = static_cast<int>(UpperBound(storage_.places, runs, at)) - 1;
    for (int i = 0; i < Items; ++i, ++at) {
      // Runs may be empty.
      while (run + 1 < runs && storage_.places[run + 1] <= at) ++run;
      items[i] = storage_.values[run];
      inRun[i] = static_cast<Place>(at - storage_.places[run]);
    }
  }
  LATHE_INLINE void RunLengthDecode(T (&items)[Items], Offset first = 0) {
    Offset inRun[Items];
    RunLengthDecode(items, inRun, first);
  }

 private:
  template <class Place>
  LATHE_INLINE void byPlaces(T (&values)[Runs], Place (&places)[Runs]) {
    for (int i = 0; i < Runs; ++i) {
      storage_.values[thread_ * Runs + i] = values[i];
      storage_.places[thread_ * Runs + i] = static_cast<Offset>(places[i]);
    }
    __syncthreads();
  }
  template <class Length, class Total>
  LATHE_INLINE void byLengths(T (&values)[Runs], Length (&lengths)[Runs], Total& total) {
    Offset places[Runs], sum;
    for (int i = 0; i < Runs; ++i) places[i] = static_cast<Offset>(lengths[i]);
    Scan(storage_.scan).ExclusiveSum(places, places, sum);
    total = static_cast<Total>(sum);
    byPlaces(values, places);
  }
};

}  // namespace LATHE_CUB

#endif
