// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that clear one bit after the other and count, which are one instruction of most processors.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Puts closed forms in the place of such loops (Kernighan and Ritchie, "The C Programming Language", exercise 2-9).
/// LLVM's LoopIdiomRecognize does the same where the back end says that counting is fast, which those of GPUs do not.
///
///   before: loop: %x = phi [%first, …], [%rest, %loop]        %n = phi [%start, …], [%more, %loop]
///           %less = add %x, -1      %rest = and %less, %x      %more = add %n, 1
///           br (icmp eq %rest, 0), %exit, %loop
///   after:  %count = umax(ctpop(%first), 1)                    %more = add %start, %count
class BitCounts final : public llvm::PassInfoMixin<BitCounts> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
