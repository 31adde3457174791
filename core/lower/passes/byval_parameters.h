// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures that a kernel is passed by value, and writes to or only reads.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Gives kernels local copies of the structures among their parameters that they store to, and promotes what it can of
/// these to registers. Else the back end makes the copy, when everything is optimised: what the kernel stores and loads
/// again has gone through memory until then, and what it never stores to is copied with it. Those that it only reads
/// are read where there is a copy that nobody writes to, as functions have that are given the structure by value.
///
///   before: define void @k(ptr byval(%S) %s) "lathe.kernel" {                 store i32 %x, ptr %s
///   after:  %own = alloca %S    memcpy %own, %s                               store i32 %x, ptr %own
struct PlaceByvalParameters : llvm::PassInfoMixin<PlaceByvalParameters> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
