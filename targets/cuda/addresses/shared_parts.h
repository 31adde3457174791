// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lathe::targets {

/// Computes once what three or more addresses share that differ by constants and lie in branches beside each other, as
/// an unrolled loop has them that asks of each element if it is there. LLVM splits the constants off in each branch and
/// finds the rest nowhere else; NVIDIA's assembler computes it again in each.
///
///   before: br %c0, %then0, …   then0: %a0 = &p[sext %i]                 %at = &p[sext %i]
///           br %c1, %then1, …   then1: %a1 = &p[sext (%i + 256)]  after: then0: load %at   then1: load &%at[256]
void shareAddresses(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace lathe::targets
