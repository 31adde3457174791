// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of one thread's items, from the first to the last.
#ifndef LATHE_CUB_THREAD_REDUCE_H
#define LATHE_CUB_THREAD_REDUCE_H

#include <cub/config.cuh>

namespace LATHE_CUB {
namespace detail {
template <class Input>
using ItemOf = __remove_cvref(decltype((*static_cast<const Input*>(nullptr))[0]));
template <class Op, class T, class U = T>
using ResultOf =
    __remove_cvref(decltype((*static_cast<Op*>(nullptr))(*static_cast<U*>(nullptr), *static_cast<T*>(nullptr))));
/// Arrays, cuda::std::array and spans, in place of one value of type T.
template <class Input, class T>
concept SeveralOf = !__is_same(Input, T) && requires(const Input& input) { input[0]; };
}  // namespace detail

/// Of arrays and whatever else a loop goes over. An empty one has no result without a prefix.
template <class Input, class Op, class T = detail::ItemOf<Input>, class Result = detail::ResultOf<Op, T>>
LATHE_INLINE Result ThreadReduce(const Input& input, Op op) {
  Result result = static_cast<Result>(input[0]);
  bool first = true;
  for (const auto& item : input) {
    if (!first) result = op(result, item);
    first = false;
  }
  return result;
}
template <class Input, class Op, class Prefix, class T = detail::ItemOf<Input>,
          class Result = detail::ResultOf<Op, T, Prefix>>
LATHE_INLINE Result ThreadReduce(const Input& input, Op op, Prefix prefix) {
  Result result = static_cast<Result>(prefix);
  for (const auto& item : input) result = op(result, item);
  return result;
}
template <int Length, class T, class Op, class Result = detail::ResultOf<Op, T>>
LATHE_INLINE Result ThreadReduce(T* input, Op op) {
  Result result = input[0];
  for (int i = 1; i < Length; ++i) result = op(result, input[i]);
  return result;
}
template <int Length, class T, class Op, class Prefix, class Result = detail::ResultOf<Op, T, Prefix>>
LATHE_INLINE Result ThreadReduce(T* input, Op op, Prefix prefix) {
  Result result = prefix;
  for (int i = 0; i < Length; ++i) result = op(result, input[i]);
  return result;
}

// Where versions of CUB have them.
namespace detail {
using LATHE_CUB::ThreadReduce;
}  // namespace detail
namespace internal {
using LATHE_CUB::ThreadReduce;
}  // namespace internal

}  // namespace LATHE_CUB

#endif
