// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source whose functions have errors is looked at once more without these functions, so that one report has what
// lowering finds in the rest too.
#pragma once

#include <vector>

#include "llvm/IR/Module.h"

#include <lathe/compiler.h>

#include "core/frontend/clang/erroneous_functions.h"

namespace lathe::detail {

[[nodiscard]] bool isErroneous(const std::vector<ErroneousFunction>& erroneousFunctions, llvm::StringRef symbol);

/// Calls of functions with errors stay calls: they are what tells who comes to them.
void keepCalls(llvm::Module& module, const std::vector<ErroneousFunction>& erroneousFunctions);

/// One report of `first`, the front end's, and of what lowering said of the rest, which is moved from; null if it found
/// nothing wrong. The front end's diagnostics learn from it which kernels are meant.
[[nodiscard]] Error joined(Error first, Error* rest, const std::vector<ErroneousFunction>& erroneousFunctions);

}  // namespace lathe::detail
