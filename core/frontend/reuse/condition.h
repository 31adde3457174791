// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions of the preprocessor, evaluated without one.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace lathe::detail {

/// The value of a macro, or whether it is defined; nothing: it is not known.
struct MacroKnowledge {
  llvm::function_ref<std::optional<std::int64_t>(llvm::StringRef name)> value;
  llvm::function_ref<std::optional<bool>(llvm::StringRef name)> isDefined;
};

/// The value of an `#if` expression of 64-bit signed integers (ISO C++, [cpp.cond]). Nothing: it has names of which
/// nothing is known, unsigned or larger numbers, or what only a preprocessor can evaluate (`__has_include`).
[[nodiscard]] std::optional<std::int64_t> evaluateCondition(llvm::StringRef text, const MacroKnowledge& macros);

}  // namespace lathe::detail
