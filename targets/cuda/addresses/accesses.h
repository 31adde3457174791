// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace lathe::targets {

/// Aligns variables of the group, and arrays of an item that are in memory, as far as their size allows without
/// padding, up to the 16 bytes of one access, and merges neighbouring accesses (LLVM's load-store vectoriser). The back
/// end does so only after strength reduction, which writes 8 × id as 4 × id + 4 × id and so hides the alignment from
/// LLVM and from ptxas.
///
///   before: @keys = addrspace(3) global [256 x i32], align 4    load i32 keys[2t]  load i32 keys[2t + 1]
///   after:  @keys = addrspace(3) global [256 x i32], align 16   load <2 x i32> keys[2t]
void mergeAccesses(llvm::Module& module, llvm::TargetMachine& machine);
/// Makes accesses of neighbours one, as far as they are aligned, in functions that LLVM's own merging comes too late
/// for.
void mergeAccessesOf(llvm::ArrayRef<llvm::Function*> accessing, llvm::TargetMachine& machine);

/// Runs LLVM's passes on some functions; nothing is set up where there are none.
void runPasses(llvm::ArrayRef<llvm::Function*> functions, llvm::TargetMachine& machine,
               llvm::FunctionPassManager passes);

/// Keeps the back end from splitting a constant from an index of 32 bits where no other address shares what is left:
/// the rest would be two extensions and a sum of 64 bits, four instructions for one.
///
///   before: %column = add nsw i32 %x, 1    %index = add nsw i32 %row, %column    sext i32 %index to i64
///   after:  %column = add nsw i32 %x, 1    %index = add i32 %row, %column        sext i32 %index to i64
void keepIndicesWhole(llvm::Module& module);

}  // namespace lathe::targets
