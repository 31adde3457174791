// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One form for the address of a global variable's element.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Adds constant offsets into a global variable last. Unrolled loops over variables leave them in constant expressions,
/// elsewhere LLVM adds them behind the index: equal addresses in two forms, whose loads do not merge. Where there was
/// one, equal values merge.
///
///   before: %p = getelementptr float, ptr getelementptr (i8, ptr @table, i64 1024), i64 %i
///   after:  %q = getelementptr float, ptr @table, i64 %i    %p = getelementptr i8, ptr %q, i64 1024
struct OffsetsLast : llvm::PassInfoMixin<OffsetsLast> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace lathe::detail
