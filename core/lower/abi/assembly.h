// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stage assembly found about asm statements that it left.
#pragma once

#include <optional>
#include <string>

#include "llvm/IR/InstrTypes.h"

namespace lathe::detail {

struct Lowering;

struct AssemblyFinding {
  std::string message;
  bool namesTarget;  ///< the target's name belongs behind it
  std::string hint;
};

/// Why the target cannot have an asm statement, and what to do about it. None: its assembler reads the statement.
/// Descriptors forbid statements (`inline_asm`) of which no dialect says whose they are.
[[nodiscard]] std::optional<AssemblyFinding> assemblyFinding(const llvm::CallBase& statement, const Lowering& lowering);

}  // namespace lathe::detail
