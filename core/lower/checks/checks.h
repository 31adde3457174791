// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode: kernels that say at run time what they do (docs/checked-mode.md).
#pragma once

#include "llvm/Support/Error.h"

namespace lathe::detail {

struct Lowering;

/// Has the module's functions call the check functions of core/abi/checks.h. The last part of stage device_abi, in jobs
/// that ask for it. Errors: Unsupported, where the descriptor does not say that the target's runtime has them.
llvm::Error addChecks(Lowering& lowering);

}  // namespace lathe::detail
