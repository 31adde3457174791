// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class MachineFunction;
}

namespace lathe::targets {

/// Gives stores that are narrower than the register they store a register of their own, by `mov`; true: some did.
/// LLVM declares registers without a type (`.b32`), so NVIDIA's assembler takes a register for a floating-point number
/// if the instruction that wrote it does, and up to release 13.0 makes an integer of the number where fewer bits than
/// it has are stored: 3, not 0, for the least byte of 3.0f. A `mov.b32` has no type.
///
///   before: add.rn.f32 %r1, %r2, %r3;   st.global.b8 [%rd1], %r1;
///   after:  add.rn.f32 %r1, %r2, %r3;   mov.b32 %r4, %r1;   st.global.b8 [%rd1], %r4;
///
/// The same for all registers that inline assembly with a store in it reads. For the last step before printing: LLVM's
/// passes would take the copies away.
bool storeUntyped(llvm::MachineFunction& function);

}  // namespace lathe::targets
