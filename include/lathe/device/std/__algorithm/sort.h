// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libc++ keeps the sort of arrays of numbers in its library. Device code has no library: here is the body.
#ifndef LATHE_STD_ALGORITHM_SORT
#define LATHE_STD_ALGORITHM_SORT
#include_next <__algorithm/sort.h>
_LIBCPP_BEGIN_NAMESPACE_STD
template <class Compare, class Iterator>
void __sort(Iterator first, Iterator last, Compare) {  // the order is always that of <
  if (first == last) return;
  using Difference = typename iterator_traits<Iterator>::difference_type;
  const Difference depth = 2 * (63 - __builtin_clzll(static_cast<unsigned long long>(last - first)));
  __less<> less;
  std::__introsort<_ClassicAlgPolicy, __less<>&, Iterator, false>(first, last, less, depth);
}
_LIBCPP_END_NAMESPACE_STD
#endif
