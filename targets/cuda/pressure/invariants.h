// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace lathe::targets {

class LiveRegisters;

/// True for computations on integers and addresses that cost one instruction, or none.
bool isCheapInteger(const llvm::Instruction& instruction);

/// Computes again, in outer loops, what LLVM moved out of them: a few cheap steps on integers and addresses, if what
/// they are made of has a register there anyway. LLVM computes everything that a loop does not change before it
/// (LICM), and so before all the loops around it, where bounds, strides and addresses of every inner loop then wait at
/// once. An innermost loop still has its numbers from outside, unless they and what it carries from turn to turn take
/// more registers than there are: then it computes them too, and what many of them have in common is the number that
/// waits for it.
///
///   before: %b = sext i32 %n to i64       outer:  …  inner: … icmp %i, %b     other: … icmp %k, %c
///           %c = shl i64 %b, 2
///   after:                                outer:  %b = sext …  inner: … icmp %i, %b   %b2 = …  %c = …  other: …
///
/// Returns true if anything changed: `lives` is of the function as it was.
bool sinkInvariants(llvm::Function& function, const LiveRegisters& lives);

}  // namespace lathe::targets
