// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that kernels launch (device ABI, `launch`): they are entry points too.
#pragma once

#include <span>
#include <vector>

#include "llvm/IR/Module.h"

namespace lathe::detail {

/// Whether functions of the module launch kernels.
[[nodiscard]] bool launchesKernels(const llvm::Module& module);

/// The kernels whose address stands in what `roots` reach, beside `roots`. None where nothing launches kernels.
[[nodiscard]] std::vector<llvm::Function*> launchedKernels(llvm::Module& module,
                                                           std::span<llvm::Function* const> roots);

}  // namespace lathe::detail
