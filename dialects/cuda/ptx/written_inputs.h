// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class CallInst;
}

namespace lathe::dialects::ptx {

/// Makes inputs of an asm statement that its text writes to ("y is used as a register in between") the statement's own:
/// each becomes an output as well, which nobody reads. Compilers take it that an input is as before; the counter of a
/// loop was not. CUDA's compiler has the same gap, which its unrolling hides: constants have registers of their own.
///
///   before: call i32 asm "and.b32 $2, $1, 15; add.u32 $0, $1, $2;", "=r,r,r"(i32 %x, i32 %counter)
///   after:  call {i32, i32} asm "and.b32 $3, $2, 15; add.u32 $0, $2, $3;", "=r,=r,r,1"(i32 %x, i32 %counter)
///
/// Returns the statement, which is another if there were such inputs.
llvm::CallInst* ownWrittenInputs(llvm::CallInst& statement);

}  // namespace lathe::dialects::ptx
