// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of items, given by values and lengths or places, as the items that they stand for: a window of as many as the
// block's threads take at once, from any place on. Items behind the last run are undefined.
#ifndef LATHE_ROCPRIM_BLOCK_RUN_LENGTH_DECODE_H
#define LATHE_ROCPRIM_BLOCK_RUN_LENGTH_DECODE_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

template <class T, unsigned X, int Runs, int Items, class Offset = unsigned, unsigned Y = 1, unsigned Z = 1>
class block_run_length_decode {
  LATHE_ROCPRIM_COLLECTIVE(BlockRunLengthDecode<T, X, Runs, Items, Offset, Y, Z>)
  /// `total` becomes the sum of all lengths.
  template <class Length, class Total>
  LATHE_INLINE block_run_length_decode(storage_type& storage, T (&values)[Runs], Length (&lengths)[Runs], Total& total)
      : decode_(storage, values, lengths, total) {}
  template <class Length, class Total>
  LATHE_INLINE block_run_length_decode(T (&values)[Runs], Length (&lengths)[Runs], Total& total)
      : decode_(own(), values, lengths, total) {}
  /// By the places where runs begin.
  template <class Place>
  LATHE_INLINE block_run_length_decode(storage_type& storage, T (&values)[Runs], Place (&places)[Runs])
      : decode_(storage, values, places) {}
  template <class Place>
  LATHE_INLINE block_run_length_decode(T (&values)[Runs], Place (&places)[Runs]) : decode_(own(), values, places) {}

  /// `inRun` are the items' places in their runs.
  template <class Place>
  LATHE_INLINE void run_length_decode(T (&items)[Items], Place (&inRun)[Items], Offset first = 0) {
    decode_.RunLengthDecode(items, inRun, first);
  }
  LATHE_INLINE void run_length_decode(T (&items)[Items], Offset first = 0) { decode_.RunLengthDecode(items, first); }

 private:
  Collective decode_;
};

}  // namespace rocprim

#endif
