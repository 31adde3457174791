// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a CUDA source has without including anything, on top of the portable device ABI: nothing here belongs to
// one vendor, so the same file lowers to every target. Each compile parses it where the precompiled form does not fit:
// overloads come from macros, templates are few.
#ifndef LATHE_CUDA_PRELUDE_H
#define LATHE_CUDA_PRELUDE_H

#include <assert.h>
#include <lathe/cuda/atomics.h>
#include <lathe/cuda/ordered_atomics.h>
#include <lathe/cuda/builtins.h>
#include <lathe/cuda/cached_accesses.h>
#include <lathe/cuda/conversions.h>
#include <lathe/cuda/directed_rounding.h>
#include <lathe/cuda/groups/cluster.h>
#include <lathe/cuda/intrinsics.h>
#include <lathe/cuda/math_functions.h>
#include <lathe/cuda/rarer_functions.h>
#include <lathe/cuda/runtime/runtime_api.h>
#include <lathe/cuda/subgroup.h>
#include <lathe/cuda/textures.h>
#include <lathe/cuda/vector_types.h>
#ifndef LATHE_WARP_IS_SUBGROUP  // HIP has none of them, and its sources define their own
#include <lathe/cuda/dynamic_programming.h>
#include <lathe/cuda/simd_words.h>
#endif

// CUDA's own runtime header brings these parts of the C library along, and sources count on it.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cstddef>
#if __has_include(<__utility/forward.h>)
#pragma clang force_cuda_host_device begin
#include <__algorithm/copy.h>
#include <__algorithm/copy_n.h>
#include <__algorithm/equal.h>
#include <__algorithm/fill.h>
#include <__algorithm/fill_n.h>
#include <__algorithm/max.h>
#include <__algorithm/min.h>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>
#pragma clang force_cuda_host_device end
#endif

namespace lathe::detail {
/// The kinds of lambdas that nvcc tells apart. A closure counts as one for both sides: Clang's type says nothing of the
/// sides, and what libraries refuse is one for the device alone.
template <class T>
constexpr bool isClosure() {
  constexpr const char* name = __PRETTY_FUNCTION__;
  for (const char* at = name; *at; ++at) {
    if (*at != '=') continue;
    for (const char* begin = "= (lambda at "; *begin; ++begin, ++at) {
      if (*at != *begin) return false;
    }
    return true;
  }
  return false;
}
template <class T>
constexpr bool isForDeviceAlone = false;

/// An object of which nothing is known: `this` in constant expressions that only ask for static members.
template <class T>
extern __device__ T anyObject;
}  // namespace lathe::detail

#define __nv_is_extended_device_lambda_closure_type(...) (lathe::detail::isForDeviceAlone<__VA_ARGS__>)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) (lathe::detail::isForDeviceAlone<__VA_ARGS__>)
#define __nv_is_extended_host_device_lambda_closure_type(...) (lathe::detail::isClosure<__VA_ARGS__>())

// `new` in device code. An object is the thread's that made it until it gives the address away; no memory left is a
// null pointer, as in CUDA.
#define LATHE_CUDA_NEW(name)                                   \
  __device__ inline void* operator name(__SIZE_TYPE__ bytes) { \
    return malloc(bytes);                                      \
  }
#define LATHE_CUDA_DELETE(name)                                                \
  __device__ inline void operator name(void* object) noexcept {                \
    free(object);                                                              \
  }                                                                            \
  __device__ inline void operator name(void* object, __SIZE_TYPE__) noexcept { \
    free(object);                                                              \
  }
LATHE_CUDA_NEW(new)
LATHE_CUDA_NEW(new[])
LATHE_CUDA_DELETE(delete)
LATHE_CUDA_DELETE(delete[])
#undef LATHE_CUDA_NEW
#undef LATHE_CUDA_DELETE

#endif
