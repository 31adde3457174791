// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace lathe::targets {

class LiveRegisters;

/// Takes fields of bits out of their words again where they are used, if the words are kept anyway and the registers
/// are wanted: by the mask first and the shift behind it, because NVIDIA's assembler (ptxas 13.0) makes one of two
/// equal computations, however far apart. Sorting counts the digits of its keys at first and ranks them later: of 79
/// registers, 23.
///
///   before: %f = and (lshr i32 %word, %at), %mask          (far below) use %f
///   after:  %m = shl %mask, %at      (far below)            %g = lshr (and %word, %m), %at   use %g
///
/// A field of a word whose bits were turned over, as of a key in descending order, comes from the word itself.
///
/// Returns true if anything changed.
bool takeFieldsAgain(llvm::Function& function, const LiveRegisters& lives);

}  // namespace lathe::targets
