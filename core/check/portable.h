// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of portable IR (docs/portable-ir.md), checked on every module that enters the lowering core, whoever wrote
// it.
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace lathe::detail {

/// All broken rules in one error: PortableRule with the rule, the function or variable and the source line of each.
/// `plain`: the module was made for its target's own triple, whose layout and types are what they are.
llvm::Error checkPortable(const llvm::Module& module, bool plain = false);

}  // namespace lathe::detail
