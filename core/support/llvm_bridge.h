// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where llvm::Error and lathe::Error meet, and where IR gives source locations.
#pragma once

#include <string>

#include "llvm/Support/Error.h"

#include <lathe/result.h>

namespace llvm {
class DebugLoc;
class Function;
class GlobalVariable;
class Instruction;
class Module;
}  // namespace llvm

namespace lathe::detail {

/// A lathe::Error as llvm::Error.
[[nodiscard]] llvm::Error toLlvm(Error error);
/// The lathe::Error inside, or ErrorCode::Internal with LLVM's text.
[[nodiscard]] Error fromLlvm(llvm::Error error);

/// Where an instruction or function stands in the source; unknown without debug information.
[[nodiscard]] SourceLocation locationOf(const llvm::Instruction& instruction);
[[nodiscard]] SourceLocation locationOf(const llvm::Function& function);
[[nodiscard]] SourceLocation locationOf(const llvm::GlobalVariable& variable);
[[nodiscard]] std::string demangled(llvm::StringRef symbol);

/// A module as text.
[[nodiscard]] std::string printed(const llvm::Module& module);

}  // namespace lathe::detail
