// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX on machines that are not NVIDIA's: asm statements of the simple kind become instructions of LLVM and calls
// of the device ABI.
#pragma once

#include <optional>

#include "llvm/IR/Instructions.h"

#include <lathe/sdk/dialect.h>

namespace lathe::dialects {
namespace ptx {

/// Inlines functions that begin with a carry of their callers', or leave one to them, where the module has such.
/// Functions that may not be inlined stay.
void inlineCarries(llvm::Module& module);

/// The variable of i1 in the entry block of its function by which `statement` gives its carry to others or has it from
/// them; null: it is alone.
llvm::AllocaInst* carryOf(llvm::CallInst& statement);

}  // namespace ptx

/// Dialect::replaceAssembly of CUDA and of what is CUDA by other names.
std::optional<sdk::AssemblyRefusal> replacePtx(llvm::CallInst& statement);

}  // namespace lathe::dialects
