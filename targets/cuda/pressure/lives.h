// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace lathe::targets {

/// Moves computations up to their operands in blocks that keep more numbers than a thread should have registers for,
/// if those end there. LLVM sinks what a loop does not use behind the loop (IndVarSimplify), but not the loads that it
/// is made of: where the loop is then unrolled, dozens of loaded numbers wait for their sum, and neither LLVM's
/// scheduler, which keeps the order, nor NVIDIA's assembler undoes that.
///
///   before: %a = load  %b = load  … 60 loads …  %p = fmul %a, %b  %s = fadd %s0, %p …
///   after:  %a = load  %b = load  %p = fmul %a, %b  %s = fadd %s0, %p  … 60 loads …
///
/// In functions that keep as many between blocks, addresses are computed again and what LLVM sank goes back up
/// (shared_addresses.h, sunk.h).
void shortenLives(llvm::Module& module);

/// The same for what LLVM's code generator adds and moves on IR: invariants of loops are computed in outer ones, and
/// addresses where they are used (invariants.h, late_operands.h). Returns true if anything changed.
bool shortenLivesLast(llvm::Function& function);

}  // namespace lathe::targets
