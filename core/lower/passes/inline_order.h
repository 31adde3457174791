// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When functions that must be inlined are inlined. LLVM's pipelines inline all of them before anything is simplified;
// of templates as deep as those of matrix libraries that makes kernels of thousands of loops, most of which run once,
// and several loop passes take time that grows with the square of their number.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace lathe::detail {

/// Where inlining all at once would give a function more loops than LLVM is quick with: leaves functions with loops to
/// the inliner that goes from callees to callers, which takes each after it was simplified. Registers with `builder` the
/// pass that marks them again. To be called before the simplification pipeline is built.
void inlineLoopsLate(llvm::Module& module, llvm::PassBuilder& builder);

}  // namespace lathe::detail
