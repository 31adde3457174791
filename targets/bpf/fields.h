// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace lathe::targets {

/// Gives the functions of <lathe/bpf/field.h> that stand for relocated accesses (CO-RE) their bodies.
void makeFieldAccesses(llvm::Module& module);

}  // namespace lathe::targets
