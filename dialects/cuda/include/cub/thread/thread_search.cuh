// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches of one thread in sorted sequences: bounds, and the place where a diagonal meets the path of a merge (Green,
// McColl, Bader, "GPU merge path", 2012).
#ifndef LATHE_CUB_THREAD_SEARCH_H
#define LATHE_CUB_THREAD_SEARCH_H

#include <cub/config.cuh>

namespace LATHE_CUB {

/// The first place whose item is not below `value`.
template <class It, class Offset, class T>
LATHE_CUDA_BOTH Offset LowerBound(It items, Offset count, T value) {
  Offset first = 0;
  while (count > 0) {
    const Offset half = count / 2;
    if (items[first + half] < value) {
      first = first + half + 1;
      count = count - half - 1;
    } else {
      count = half;
    }
  }
  return first;
}
/// The first place whose item is above `value`.
template <class It, class Offset, class T>
LATHE_CUDA_BOTH Offset UpperBound(It items, Offset count, T value) {
  Offset first = 0;
  while (count > 0) {
    const Offset half = count / 2;
    if (value < items[first + half]) {
      count = half;
    } else {
      first = first + half + 1;
      count = count - half - 1;
    }
  }
  return first;
}
/// x items of a and y of b are the first `diagonal` of their merge, equal ones of a first.
template <class A, class B, class Offset, class Coordinate>
LATHE_CUDA_BOTH void MergePathSearch(Offset diagonal, A a, B b, Offset lengthA, Offset lengthB, Coordinate& place) {
  Offset low = diagonal > lengthB ? diagonal - lengthB : Offset{0}, high = diagonal < lengthA ? diagonal : lengthA;
  while (low < high) {
    const Offset middle = low + (high - low) / 2;
    if (a[middle] <= b[diagonal - middle - 1])
      low = middle + 1;
    else
      high = middle;
  }
  place.x = low < lengthA ? low : lengthA;
  place.y = diagonal - low;
}

}  // namespace LATHE_CUB

#endif
