// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phis of equal computations.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Replaces phis whose incoming values are one computation of the same operands, made in each predecessor, by that
/// computation. LLVM's GVN makes such phis of whatever all predecessors know already (scalar PRE). Where each item runs
/// a kernel by itself, they take a register from there to the last use, and no later pass sees the sum in them, which
/// an access might have had as its constant offset.
///
///   before: bb1: %a = add i32 %x, 384    bb2: %b = add i32 %x, 384    bb3: %p = phi i32 [%a, %bb1], [%b, %bb2]
///           bb4: use %p                  bb5: use %p
///   after:  bb4: %p = add i32 %x, 384  use %p                  bb5: %q = add i32 %x, 384  use %q
struct ComputeEqualPhis : llvm::PassInfoMixin<ComputeEqualPhis> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
