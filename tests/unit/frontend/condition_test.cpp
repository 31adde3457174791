// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions are evaluated as the preprocessor does it that compiles this file.
#include <gtest/gtest.h>

#include "core/frontend/reuse/condition.h"

#pragma GCC diagnostic ignored "-Wparentheses"

namespace lathe::detail {
namespace {

constexpr std::int64_t archValue = 890;
#define ARCH 890

std::optional<std::int64_t> evaluated(llvm::StringRef text) {
  const auto value = [](llvm::StringRef name) { return name == "ARCH" ? std::optional(archValue) : std::nullopt; };
  const auto isDefined = [](llvm::StringRef name) -> std::optional<bool> {
    if (name == "ARCH") return true;
    return name == "ABSENT" ? std::optional(false) : std::nullopt;
  };
  return evaluateCondition(text, {value, isDefined});
}

#define EXPECT_AS_HERE(condition)                                            \
  do {                                                                       \
    EXPECT_EQ(evaluated(#condition), std::int64_t{condition}) << #condition; \
  } while (false)

TEST(Condition, IsWhatTheCompilerMakesOfIt) {
  EXPECT_AS_HERE(ARCH >= 800);
  EXPECT_AS_HERE(890 - 90 - 100);
  EXPECT_AS_HERE(1 + 2 * 3 << 1 | 8 & 12 ^ 1);
  EXPECT_AS_HERE(-7 / 2 * 3 % 5);
  EXPECT_AS_HERE(!ARCH == 0 && ~5 != -5);
  EXPECT_AS_HERE(1 ? 2 : 0 ? 3 : 4);
  EXPECT_AS_HERE(0 ? 2 : 0 ? 3 : 4);
  EXPECT_AS_HERE(0x7f + 010 + 0b11 + 5L + 6ll);
  EXPECT_AS_HERE((ARCH / 10 == 89) || 1 < 0);
  EXPECT_AS_HERE(ARCH < 900 && ARCH > 600);
  EXPECT_AS_HERE(-(3 - 5) >> 1);
  EXPECT_AS_HERE(+ARCH - -1);
  EXPECT_EQ(evaluated("defined ( ARCH ) && !defined ABSENT"), 1);
  EXPECT_EQ(evaluated("defined(ARCH) \\\n  && ARCH == 890"), 1);
}

TEST(Condition, IsUnknownWhereAnythingIs) {
  for (const char* text : {"",
                           "OTHER",
                           "ARCH || OTHER",
                           "defined(OTHER)",
                           "ARCH >= 800u",
                           "1 / 0",
                           "1 % 0",
                           "1 << 63",
                           "9223372036854775807 + 1",
                           "1'000",
                           "'a' == 97",
                           "__has_include(<a.h>)",
                           "(ARCH",
                           "ARCH)",
                           "ARCH ARCH",
                           "1 ?",
                           "1 ? 2",
                           "defined",
                           "defined(ARCH",
                           "1.5",
                           "99999999999999999999",
                           "a(1)",
                           "/* 1 */ 1",
                           "1 // 1",
                           "ARCH and 1",
                           "-9223372036854775807 - 2",
                           "<",
                           "1 <"})
    EXPECT_EQ(evaluated(text), std::nullopt) << text;
  EXPECT_EQ(evaluated(std::string(100'000, '(')), std::nullopt);
  EXPECT_EQ(evaluated(std::string(100'000, '!') + "1"), std::nullopt);
}

}  // namespace
}  // namespace lathe::detail
