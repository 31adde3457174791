// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of a local array between two of which a bit chooses.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Makes choices between two numbers of indices of local arrays of which a single bit is unknown, and lets SROA choose
/// between the elements: the array becomes registers. LLVM makes arithmetic of choices (InstCombine), by which SROA
/// does not see that there are two elements.
///
///   before: %i = xor (and %n, 4), 7                        %p = getelementptr i32, ptr %array, i64 %i    load ptr %p
///   after:  %c = icmp eq (and %i, 4), 0    %j = select i1 %c, i64 3, i64 7    …    select i1 %c, %array.3, %array.7
struct BitsOfIndices : llvm::PassInfoMixin<BitsOfIndices> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
