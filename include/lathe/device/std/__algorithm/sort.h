// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting arrays in a kernel. libc++ keeps the sort of arrays of numbers in its library, which device code has not, and
// sorts everything else by an algorithm for long arrays that calls itself, which is many times the code that a few
// elements need and which some targets cannot run. Here short arrays are sorted by insertion, in loops that unroll where
// the length is known, and long ones as a heap.
#ifndef LATHE_STD_ALGORITHM_SORT
#define LATHE_STD_ALGORITHM_SORT
#include <__config>
_LIBCPP_BEGIN_NAMESPACE_STD
// Before libc++'s own, so that its std::sort sees this one too and takes it for pointers.
template <class Policy, class T, class Compare>
constexpr void __sort_dispatch(T* first, T* last, Compare& less);
_LIBCPP_END_NAMESPACE_STD

#include_next <__algorithm/sort.h>

#include <__algorithm/make_heap.h>
#include <__algorithm/sort_heap.h>
#include <__type_traits/remove_pointer.h>
#include <__utility/move.h>

_LIBCPP_BEGIN_NAMESPACE_STD
template <class Policy, class T, class Compare>
constexpr void __sort_dispatch(T* first, T* last, Compare& less) {
  constexpr long few = 32;
  const long n = last - first;
  if (n > few) {
    std::__make_heap<Policy>(first, last, less);
    std::__sort_heap<Policy>(first, last, less);
    return;
  }
  for (long i = 1; i < n; ++i) {
    T value = std::move(first[i]);
    long hole = i;
    for (; hole > 0 && less(value, first[hole - 1]); --hole) first[hole] = std::move(first[hole - 1]);
    first[hole] = std::move(value);
  }
}
/// The function that libc++ calls to sort numbers in the order of <.
template <class Compare, class Iterator>
void __sort(Iterator first, Iterator last, Compare) {
  struct Less {
    constexpr bool operator()(const remove_pointer_t<Iterator>& a, const remove_pointer_t<Iterator>& b) const {
      return a < b;
    }
  } less;
  std::__sort_dispatch<_ClassicAlgPolicy>(first, last, less);
}
_LIBCPP_END_NAMESPACE_STD
#endif
