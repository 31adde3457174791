// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace lathe::targets {

/// Makes counters of innermost loops that end at a number known at run time count down from it to zero. NVIDIA's
/// assembler, which unrolls such loops, then keeps the number of turns that are left in one register; of a counter that
/// goes up it keeps the counter, the bound, and the bound less the turns of a longer body. The number at the loop's end
/// is the bound, for what comes behind it. To be done when LLVM's loop strength reduction is: it would undo this.
///
///   before: %i = phi i32 [0, %entry], [%next, %loop]          after: %left = phi i32 [%n, %entry], [%next, %loop]
///           %next = add i32 %i, 4                                    %next = sub i32 %left, 4
///           %more = icmp ne i32 %next, %n                            %more = icmp ne i32 %next, 0
/// Returns whether anything was changed.
bool countDown(llvm::Function& function);

}  // namespace lathe::targets
