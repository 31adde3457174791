// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the runtimes over a vendor's library answer where it is missing or another one (`Api::open(names)` opens it), and
// the comparison of their own declarations with those of the vendor's headers.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <type_traits>

#include <lathe/result.h>

namespace lathe::test {

/// The error names `path`, at which there is no library, and its hint `variable`, by which a user names another.
template <class Api>
void expectNamedWhenMissing(const char* path, std::string_view variable) {
  const std::array names = {path};
  const auto api = Api::open(names);
  ASSERT_FALSE(api);
  EXPECT_EQ(api.error().code, ErrorCode::DriverMissing);
  EXPECT_NE(api.error().message.find(path), std::string::npos) << api.error().message;
  EXPECT_NE(api.error().hint.find(variable), std::string::npos) << api.error().hint;
}

/// The error names `function`, the first that is asked for, where the library is another one.
template <class Api>
void expectTooOldWithout(std::string_view function) {
  static constexpr std::array names = {"libm.so.6"};
  const auto api = Api::open(names);
  ASSERT_FALSE(api);
  EXPECT_EQ(api.error().code, ErrorCode::DriverTooOld);
  EXPECT_NE(api.error().message.find(function), std::string::npos) << api.error().message;
}

/// True if values of the two types are passed alike: pointers, or numbers and enumerations of one size and signedness.
template <class Own, class Theirs>
constexpr bool alike() {
  if constexpr (std::is_enum_v<Own>) {
    return alike<std::underlying_type_t<Own>, Theirs>();
  } else if constexpr (std::is_enum_v<Theirs>) {
    return alike<Own, std::underlying_type_t<Theirs>>();
  } else if constexpr (std::is_void_v<Own> || std::is_void_v<Theirs>) {
    return std::is_void_v<Own> && std::is_void_v<Theirs>;
  } else if constexpr (std::is_pointer_v<Own> || std::is_pointer_v<Theirs>) {
    return std::is_pointer_v<Own> && std::is_pointer_v<Theirs>;
  } else {
    return sizeof(Own) == sizeof(Theirs) && std::is_signed_v<Own> == std::is_signed_v<Theirs>;
  }
}

/// True if two functions take and give the same.
template <class OwnResult, class... Own, class Result, class... Parameters>
constexpr bool sameAbi(OwnResult (*)(Own...), Result (*)(Parameters...)) {
  if constexpr (sizeof...(Own) != sizeof...(Parameters)) {
    return false;
  } else {
    return alike<OwnResult, Result>() && (alike<Own, Parameters>() && ...);
  }
}

}  // namespace lathe::test
