// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stage assembly found about asm statements that it left.
#pragma once

#include <string>

#include "llvm/IR/InstrTypes.h"

namespace lathe::detail {

struct AssemblyFinding {
  std::string message;
  std::string hint;
};

/// The reason why an asm statement has no translation, and what to do about it.
[[nodiscard]] AssemblyFinding assemblyFinding(const llvm::CallBase& statement);

}  // namespace lathe::detail
