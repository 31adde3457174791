// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace lathe::targets {

/// Moves cheap computations on integers and addresses behind a branch, where one way needs them alone. LLVM's passes
/// for NVIDIA (SpeculativeExecution) compute them in front of it, where NVIDIA's assembler (ptxas 13.0) makes one of
/// those that an earlier block has too, and keeps the result: of 110 registers of a sort's kernel, 23 held addresses
/// that one item in 32 uses.
///
///   before: %p = getelementptr i32, ptr %bins, i64 %digit    br i1 %first, label %add, label %end
///           add: %old = atomicrmw add ptr %p, …
///   after:  br i1 %first, label %add, label %end             add: %p = getelementptr …   %old = …
///
/// Returns true if anything changed.
bool computeWhereTaken(llvm::Function& function);

}  // namespace lathe::targets
