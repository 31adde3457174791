// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What rocPRIM's collectives share: the collective of CUB's that one is made of, its storage, the means to tell
// operators from other arguments, and types of values for none.
#ifndef LATHE_ROCPRIM_COLLECTIVE_H
#define LATHE_ROCPRIM_COLLECTIVE_H

#include <lathe/hip/rocprim_functions.h>
#include <hipcub/hipcub.hpp>

namespace rocprim::detail {

/// True for functors of two values of type T, which tells an operator from an initial value or storage.
template <class Op, class T>
concept BinaryOf = requires(Op op, T t) { op(t, t); };

/// CUB's type of values for rocPRIM's.
template <class V>
struct StoredValue {
  using type = V;
};
template <>
struct StoredValue<empty_type> {
  using type = hipcub::NullType;
};

/// A single value as an array of one.
template <class T>
LATHE_INLINE T (&arrayOf(T& value))[1] {
  return reinterpret_cast<T(&)[1]>(value);
}
/// A copy of constant items, for CUB's functions, which take no constant ones.
template <class T, unsigned Items>
class Copied {
  T items_[Items];

 public:
  LATHE_INLINE Copied(const T (&from)[Items]) {
    for (unsigned i = 0; i < Items; ++i) items_[i] = from[i];
  }
  LATHE_INLINE T (&items()) [Items] { return items_; }
};

}  // namespace rocprim::detail

// The storage that the user may give, and the one of calls without.
#define LATHE_ROCPRIM_STORAGE(...)          \
 public:                                    \
  using storage_type = __VA_ARGS__;         \
                                            \
 private:                                   \
  LATHE_INLINE static storage_type& own() { \
    __shared__ storage_type storage;        \
    return storage;                         \
  }                                         \
                                            \
 public:
/// The collective that CUB has, and its storage.
#define LATHE_ROCPRIM_COLLECTIVE(...)     \
  using Collective = hipcub::__VA_ARGS__; \
  LATHE_ROCPRIM_STORAGE(typename Collective::TempStorage)

#endif
