// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the runtimes over a vendor's library answer where it is missing or another one. `Api::open(names)` opens it.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string_view>

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

}  // namespace lathe::test
