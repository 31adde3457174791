// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX on machines that are not NVIDIA's: asm statements of the simple kind become instructions of LLVM and calls
// of the device ABI.
#pragma once

#include <optional>

#include "llvm/IR/Instructions.h"

#include <lathe/sdk/dialect.h>

namespace lathe::dialects {

/// Dialect::replaceAssembly of CUDA and of what is CUDA by other names.
std::optional<sdk::AssemblyRefusal> replacePtx(llvm::CallInst& statement);

}  // namespace lathe::dialects
