// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Gives loops the form that NVIDIA's assembler unrolls: the last branch goes back to the loop's begin if its
/// comparison holds. (ptxas 13.0 leaves a loop alone that ends in a branch out of it.)
///
///   before: %done = icmp eq i32 %next, %n      br i1 %done, label %exit, label %loop
///   after:  %again = icmp ne i32 %next, %n     br i1 %again, label %loop, label %exit
void branchBack(llvm::Module& module);

}  // namespace lathe::targets
