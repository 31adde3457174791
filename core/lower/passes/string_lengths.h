// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// A pass that replaces strlen of a constant by its length, where LLVM's own folding is off together with the pass that
/// makes calls of strlen out of loops.
class StringLengths : public llvm::PassInfoMixin<StringLengths> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
