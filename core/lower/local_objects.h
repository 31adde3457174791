// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are given the address of a local object. Where items have registers and a stack in slow memory, such a
// call costs more than itself: the object, an array above all, is in memory for as long as the function runs, in loops
// as well that never call.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace lathe::detail {

/// Registers with `builder` the pass that tells LLVM's inliner to take such calls up to a larger size of the callee,
/// which several calls in one function share. To be called before the simplification pipeline is built.
void inlineWithLocalObjects(llvm::PassBuilder& builder);

}  // namespace lathe::detail
