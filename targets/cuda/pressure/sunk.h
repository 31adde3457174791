// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace lathe::targets {

class LiveRegisters;

/// Moves computations back up to the block that has their last operand, if that frees registers. LLVM's InstCombine
/// sinks what only the last block of a function needs into it, and does not count the operands that wait instead of one
/// result; NVIDIA's assembler leaves what is in other blocks. Of a double's sine they are six coefficients. LLVM's code
/// generator would sink them again, but for TargetHooks::passesLeftOut(). What comes before a barrier
/// and is used behind a condition after it is computed for all items again, as its source has it: of a product of
/// matrices that are 64 operands.
///
///   before: bb1: %a = load  %b = load  %c = load  br …     bb2: …    bb3: %s = fma (fma %x, %a, %b), %x, %c  store %s
///   after:  bb1: %a = load  %b = load  %c = load  %s = fma (fma %x, %a, %b), %x, %c  br …     bb3: store %s
///
/// Returns true if anything changed.
bool raiseSunk(llvm::Function& function, const LiveRegisters& lives);

}  // namespace lathe::targets
