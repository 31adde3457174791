// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Gives operations on bits the form out of which NVIDIA's assembler makes one LOP3, which has three operands, each: a
/// mask is applied to what a shift shifts, and a sign is copied from a number of another width by masks (LLVM's back
/// end makes a comparison, a negation and a choice of that).
///
///   before: %s = lshr i32 (xor i32 %a, %b), 1            %m = and i32 %s, 0x7fff7fff
///   after:  %s = and i32 (xor i32 %a, %b), 0xfffefffe    %m = lshr i32 %s, 1
void mergeLogic(llvm::Module& module);

}  // namespace lathe::targets
