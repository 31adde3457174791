// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores with a hint for the caches.
#ifndef LATHE_CUB_THREAD_STORE_H
#define LATHE_CUB_THREAD_STORE_H

#include <cub/thread/thread_load.cuh>

namespace LATHE_CUB {

enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheStoreModifier Modifier, class It, class T>
LATHE_INLINE void ThreadStore(It to, T value) {
  if constexpr (detail::isPointer<It>) {
    const __remove_cvref(decltype(*to)) converted(value);
    if constexpr (Modifier == STORE_WB && requires { __stwb(to, converted); })
      __stwb(to, converted);
    else if constexpr (Modifier == STORE_CG && requires { __stcg(to, converted); })
      __stcg(to, converted);
    else if constexpr (Modifier == STORE_CS && requires { __stcs(to, converted); })
      __stcs(to, converted);
    else if constexpr (Modifier == STORE_WT && requires { __stwt(to, converted); })
      __stwt(to, converted);
    else if constexpr (Modifier == STORE_VOLATILE && detail::isNumber<__remove_cvref(decltype(*to))>)
      *const_cast<volatile __remove_cvref(decltype(*to))*>(to) = converted;
    else
      *to = converted;
  } else {
    *to = value;
  }
}

}  // namespace LATHE_CUB

#endif
