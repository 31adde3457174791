// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of portable IR (docs/portable-ir.md), checked on every module that enters the lowering core, whoever wrote
// it.
#pragma once

#include <vector>

#include <lathe/result.h>

namespace llvm {
class Module;
}

namespace lathe::detail {

struct Descriptor;

/// All broken rules: PortableRule with the rule, the function or variable and the source line of each; warnings where
/// what is written has no effect. A module made
/// for its target's own triple (frontend: native) has the layout and types of that.
std::vector<Diagnostic> checkPortable(const llvm::Module& module, const Descriptor& descriptor);

}  // namespace lathe::detail
