// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace lathe::targets {

class LiveRegisters;

/// Computes the addresses of an innermost loop's accesses in it again, if LLVM moved more of them out of the loop
/// (LICM) than there are registers, and what they are made of takes half as many at most. A loop that is unrolled over
/// several arrays has one for each array and row: moved out, each waits in memory for one load and one store.
///
///   before: %a = gep %first, %row   %b = gep %second, %row   …   loop: … load %a … load %b …
///   after:                                                       loop: … %a = gep …  load %a … %b = gep …  load %b …
///
/// Returns true if anything changed: `lives` is of the function as it was.
bool sinkIntoCrowdedLoops(llvm::Function& function, const LiveRegisters& lives);

}  // namespace lathe::targets
