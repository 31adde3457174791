// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of iterators that compute their items: arithmetic and comparisons, by a member `at_` that counts.
#ifndef LATHE_CUB_ITERATOR_H
#define LATHE_CUB_ITERATOR_H

#include <cub/config.cuh>

// Their category, for which a build without libc++ has no name.
#if __has_include(<__iterator/iterator_traits.h>)
#include <__iterator/iterator_traits.h>
#define LATHE_CUB_RANDOM_ACCESS using iterator_category = std::random_access_iterator_tag;
#else
#define LATHE_CUB_RANDOM_ACCESS
#endif

namespace LATHE_CUB {
namespace detail {
/// An item that was computed, as long as a member of it is looked at.
template <class T>
struct Arrow {
  T item;
  LATHE_CUDA_BOTH T* operator->() { return &item; }
};
}  // namespace detail
}  // namespace LATHE_CUB

#define LATHE_CUB_ITERATOR(Self, Value, Reference, Offset)                 \
  using self_type = Self;                                                  \
  using value_type = Value;                                                \
  using reference = Reference;                                             \
  using pointer = Value*;                                                  \
  using difference_type = Offset;                                          \
  LATHE_CUB_RANDOM_ACCESS                                                  \
  LATHE_CUDA_BOTH LATHE_CUB::detail::Arrow<Reference> operator->() const { \
    return {**this};                                                       \
  }                                                                        \
  template <class Step>                                                    \
  LATHE_CUDA_BOTH Reference operator[](Step n) const {                     \
    return *(*this + n);                                                   \
  }                                                                        \
  template <class Step>                                                    \
  LATHE_CUDA_BOTH Self operator+(Step n) const {                           \
    Self out = *this;                                                      \
    out += n;                                                              \
    return out;                                                            \
  }                                                                        \
  template <class Step>                                                    \
    requires(!__is_same(Step, Self))                                       \
  LATHE_CUDA_BOTH Self operator-(Step n) const {                           \
    Self out = *this;                                                      \
    out -= n;                                                              \
    return out;                                                            \
  }                                                                        \
  LATHE_CUDA_BOTH Self& operator++() {                                     \
    return *this += 1;                                                     \
  }                                                                        \
  LATHE_CUDA_BOTH Self& operator--() {                                     \
    return *this -= 1;                                                     \
  }                                                                        \
  LATHE_CUDA_BOTH Self operator++(int) {                                   \
    Self before = *this;                                                   \
    *this += 1;                                                            \
    return before;                                                         \
  }                                                                        \
  LATHE_CUDA_BOTH Self operator--(int) {                                   \
    Self before = *this;                                                   \
    *this -= 1;                                                            \
    return before;                                                         \
  }                                                                        \
  template <class Step>                                                    \
  LATHE_CUDA_BOTH Self& operator+=(Step n) {                               \
    at_ = static_cast<decltype(at_)>(at_ + n);                             \
    return *this;                                                          \
  }                                                                        \
  template <class Step>                                                    \
  LATHE_CUDA_BOTH Self& operator-=(Step n) {                               \
    at_ = static_cast<decltype(at_)>(at_ - n);                             \
    return *this;                                                          \
  }                                                                        \
  LATHE_CUDA_BOTH Offset operator-(const Self& b) const {                  \
    return static_cast<Offset>(at_ - b.at_);                               \
  }                                                                        \
  LATHE_CUDA_BOTH bool operator==(const Self& b) const {                   \
    return at_ == b.at_;                                                   \
  }                                                                        \
  LATHE_CUDA_BOTH bool operator!=(const Self& b) const {                   \
    return !(at_ == b.at_);                                                \
  }                                                                        \
  LATHE_CUDA_BOTH bool operator<(const Self& b) const {                    \
    return *this - b < 0;                                                  \
  }                                                                        \
  LATHE_CUDA_BOTH bool operator>(const Self& b) const {                    \
    return b < *this;                                                      \
  }                                                                        \
  LATHE_CUDA_BOTH bool operator<=(const Self& b) const {                   \
    return !(b < *this);                                                   \
  }                                                                        \
  LATHE_CUDA_BOTH bool operator>=(const Self& b) const {                   \
    return !(*this < b);                                                   \
  }

#endif
