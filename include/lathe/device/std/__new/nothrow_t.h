// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In place of libc++'s, whose std::nothrow is a variable of the host's library.
#ifndef LATHE_STD___NEW_NOTHROW_T_H
#define LATHE_STD___NEW_NOTHROW_T_H
#include <__config>
_LIBCPP_BEGIN_UNVERSIONED_NAMESPACE_STD
struct nothrow_t {
  explicit nothrow_t() = default;
};
inline constexpr nothrow_t nothrow{};
_LIBCPP_END_UNVERSIONED_NAMESPACE_STD
#endif
