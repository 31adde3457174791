// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lathe::targets {

/// Gives each load and store behind an address that CUDA's header marked with a policy of the second-level cache that
/// policy. Accesses that PTX has no such form of, or that may be behind several addresses, stay as they are: a policy
/// is a hint.
///
///   before: %q = call ptr asm "mov.b64 $0, $1; // cache policy $2", "=l,l,l"(ptr %p, i64 %policy)
///           %v = load float, ptr %q
///   after:  %v = call float asm sideeffect "ld.global.L2::cache_hint.b32 $0, [$1], $2;", "=f,l,l"(ptr %p, i64 %policy)
void applyCachePolicies(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace lathe::targets
