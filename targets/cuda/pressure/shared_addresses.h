// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace lathe::targets {

class LiveRegisters;

/// True for addresses in shared memory, generic ones too where the variable is known.
bool isSharedAddress(const llvm::Value& value);

/// Computes addresses in shared memory again where they are used, if the index that they are made of is kept anyway and
/// the registers are wanted. LLVM and NVIDIA's assembler (ptxas 13.0) make one of two equal computations, however far
/// apart; the assembler does not find out that sums of 32 bits equal those of 64 that LLVM makes of addresses. Sorting
/// counts the digits of its keys at first and ranks them later, by the same addresses: of 126 registers, 23.
///
///   before: %p = getelementptr i32, ptr addrspace(3) %base, i64 %i    (far below) atomicrmw add ptr %p, i32 %n
///   after:  %b = ptrtoint %base to i32   %o = shl i32 %index, 2   %q = inttoptr (add %b, %o)   atomicrmw add ptr %q
///
/// Returns true if anything changed.
bool recomputeAddresses(llvm::Function& function, const LiveRegisters& lives);

}  // namespace lathe::targets
