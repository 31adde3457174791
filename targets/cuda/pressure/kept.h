// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace lathe::targets {

class LiveRegisters;

/// True for what may be computed at another place.
bool isMovable(const llvm::Instruction& instruction);
/// True for results of 32 or 64 bits that one register, or a pair, holds.
bool isNumber(const llvm::Instruction& instruction);
/// Keeps LLVM's MachineSink from moving `instruction`, a number: its users take it through `asm volatile ("mov")`,
/// which NVIDIA's assembler drops.
void keepPlace(llvm::Instruction& instruction);

/// Keeps computations that end more registers than they make in their blocks, if a function has many whose results
/// another block needs. MachineSink moves each to its only use, however far, and all that it is made of waits.
///
///   shfl.sync.idx.b32 %s1, …    add %rank1, %popc1, %s1    …    shfl.sync.idx.b32 %s20, …    add %rank20, %popc20,
///   %s20 st.shared [%rank1], %key1   … 20 stores, up to which %popc1 and %s1 would wait in place of %rank1
///
/// Returns true if anything changed.
bool keepNarrowing(llvm::Function& function, const LiveRegisters& lives);

}  // namespace lathe::targets
