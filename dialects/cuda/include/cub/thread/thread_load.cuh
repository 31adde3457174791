// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads with a hint for the caches. Those that other threads' stores must reach (volatile, CG, CV) are never merged.
#ifndef LATHE_CUB_THREAD_LOAD_H
#define LATHE_CUB_THREAD_LOAD_H

#include <cub/config.cuh>

namespace LATHE_CUB {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };

namespace detail {
template <class It>
using ValueAt = __remove_cvref(decltype(*static_cast<__remove_cvref(It)*>(nullptr)[0]));
template <class It>
constexpr bool isPointer = __is_pointer(It);
template <class T>
constexpr bool isNumber = __is_arithmetic(T);
}  // namespace detail

template <CacheLoadModifier Modifier, class It>
LATHE_INLINE detail::ValueAt<It> ThreadLoad(It from) {
  using T = detail::ValueAt<It>;
  if constexpr (detail::isPointer<It>) {
    const T* const pointer = const_cast<const T*>(from);
    if constexpr (Modifier == LOAD_CA && requires { __ldca(pointer); })
      return __ldca(pointer);
    else if constexpr (Modifier == LOAD_CG && requires { __ldcg(pointer); })
      return __ldcg(pointer);
    else if constexpr (Modifier == LOAD_CS && requires { __ldcs(pointer); })
      return __ldcs(pointer);
    else if constexpr (Modifier == LOAD_CV && requires { __ldcv(pointer); })
      return __ldcv(pointer);
    else if constexpr (Modifier == LOAD_LDG && requires { __ldg(pointer); })
      return __ldg(pointer);
    else if constexpr (Modifier == LOAD_VOLATILE && detail::isNumber<T>)
      return *const_cast<const volatile T*>(pointer);
    else
      return *pointer;
  } else {
    return *from;
  }
}

}  // namespace LATHE_CUB

#endif
