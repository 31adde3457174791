// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variable indices into local arrays of one element, which can only be 0.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Replaces an index by 0 where any other leads out of the local variable, so that the array becomes registers. The
/// address must serve loads and stores alone: the address behind the last element may be compared. LLVM's InstCombine
/// does the same for addresses that are loaded from or stored to without a further index. An access of the whole
/// variable begins with it.
///
///   before: %s = alloca [1 x [4 x i16]]    %row = getelementptr inbounds [4 x i16], ptr %s, i64 %g
///           %place = getelementptr inbounds i16, ptr %row, i64 %j    store i16 %value, ptr %place
///   after:  %place = getelementptr inbounds i16, ptr %s, i64 %j      store i16 %value, ptr %place
class SingleElements final : public llvm::PassInfoMixin<SingleElements> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
