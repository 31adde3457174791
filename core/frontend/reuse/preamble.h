// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The macros that a dialect's preamble defines for a target, and which of them a source sees the value of: a source
// that sees none is the same for all targets that define the same names. One that compares a value in `#if` alone is
// the same for all values for which the comparisons come out as they did.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "core/values/describe.h"

namespace clang {
class PPCallbacks;
class Preprocessor;
}  // namespace clang

namespace lathe::detail {

/// A condition of `#if` or `#elif` that can be evaluated for other values of the preamble's macros.
struct PreambleCondition {
  std::string text;
  bool isTrue = false;
};
template <>
struct Description<PreambleCondition> {
  static constexpr auto fields =
      std::tuple(field("text", &PreambleCondition::text), field("isTrue", &PreambleCondition::isTrue));
};

/// A macro after a preamble.
struct PreambleMacro {
  std::string name;  ///< empty: the value is a line that is no definition, which every source sees
  std::string value;
  bool isDefined = false;
  bool isSeen = false;                             ///< the source expanded it, outside of `conditions`
  std::vector<PreambleCondition> conditions = {};  ///< those that it was expanded in, each text once
};
template <>
struct Description<PreambleMacro> {
  static constexpr auto fields =
      std::tuple(field("name", &PreambleMacro::name), field("value", &PreambleMacro::value),
                 field("isDefined", &PreambleMacro::isDefined), field("isSeen", &PreambleMacro::isSeen),
                 field("conditions", &PreambleMacro::conditions));
};

/// The macros of a preamble's text, by name.
[[nodiscard]] std::vector<PreambleMacro> macrosOf(llvm::StringRef preamble);

/// Marks those of `macros` that a source expands. They and the preprocessor outlive it.
[[nodiscard]] std::unique_ptr<clang::PPCallbacks> watchMacros(const clang::Preprocessor& preprocessor,
                                                              std::vector<PreambleMacro>& macros);

/// Whether a source that saw of `before` what is marked is the same after the preamble of `after`.
[[nodiscard]] bool seesNoDifference(const std::vector<PreambleMacro>& before, const std::vector<PreambleMacro>& after);

}  // namespace lathe::detail
