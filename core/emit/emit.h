// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module → bytes, and object → linked bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lathe::detail {

struct Lowering;

/// "portable", "ir" and "bitcode" need no back end; "asm" and "object" are the target machine's.
llvm::Expected<std::string> emitModule(llvm::Module& module, llvm::TargetMachine* machine, std::string_view format);

/// The name an image stores a format under: the descriptor's ("ptx" for asm), else its own.
std::string storedName(const Lowering& lowering, std::string_view format);

/// The formats a job asks for, by LLVM's names. Errors: FormatUnsupported with the nearest names.
llvm::Expected<std::vector<std::string>> wantedFormats(const Lowering& lowering);

/// Links one ELF object into a shared object, in a child process. Errors: ToolMissing, ToolFailed with LLD's text.
llvm::Expected<std::string> linkElfShared(const std::string& object);

}  // namespace lathe::detail
