// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lathe::targets {

/// Adds constant offsets last to addresses that inline assembly takes, those of loads and stores with a cache hint
/// among them. NVIDIA's assembler makes such a sum the instruction's own offset; where the constant comes first, each
/// address is a sum of its own. LLVM sees to that for its own loads only, and not across a change of the address space.
///
///   before: %p = getelementptr i8, ptr addrspace(1) %a, i64 128     %c = addrspacecast ptr addrspace(1) %p to ptr
///           %q = getelementptr i32, ptr %c, i64 %i                  asm "ld.global.cg.b32 $0, [$1];"(ptr %q)
///   after:  %c = addrspacecast ptr addrspace(1) %a to ptr           %p = getelementptr i32, ptr %c, i64 %i
///           %q = getelementptr i8, ptr %p, i64 128                  asm "ld.global.cg.b32 $0, [$1];"(ptr %q)
void addOffsetsLast(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace lathe::targets
