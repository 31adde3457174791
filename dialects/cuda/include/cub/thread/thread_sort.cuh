// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable sort of one thread's items: neighbours are exchanged, in as many rounds as there are items, so that all
// indices are constants.
#ifndef LATHE_CUB_THREAD_SORT_H
#define LATHE_CUB_THREAD_SORT_H

#include <cub/util_type.cuh>

namespace LATHE_CUB {

template <class T>
LATHE_CUDA_BOTH void Swap(T& a, T& b) {
  T held = a;
  a = b;
  b = held;
}

template <class K, class V, class Compare, int Items>
LATHE_INLINE void StableOddEvenSort(K (&keys)[Items], V (&values)[Items], Compare below) {
  for (int round = 0; round < Items; ++round) {
    for (int i = round & 1; i < Items - 1; i += 2) {
      if (!below(keys[i + 1], keys[i])) continue;
      Swap(keys[i], keys[i + 1]);
      if constexpr (!__is_same(V, NullType)) Swap(values[i], values[i + 1]);
    }
  }
}

}  // namespace LATHE_CUB

#endif
