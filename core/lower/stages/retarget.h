// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Retargeting for modules other than the kernel's, after stage retarget.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace lathe::detail {

struct Lowering;

/// Retargets a library in portable IR as stage retarget does the kernel's module. Functions that are not read yet stay
/// so, unless address spaces have to change in them.
llvm::Error retargetLazily(llvm::Module& library, const Lowering& lowering);

}  // namespace lathe::detail
