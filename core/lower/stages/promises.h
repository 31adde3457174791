// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the job promises of every launch (Promises), made known to the optimiser.
#pragma once

#include "core/lower/lowering.h"

namespace lathe::detail {

/// Replaces fixed parameters of the entries by their values, says of pointers what is promised, and notes both for
/// launchers. Errors: InvalidArgument (no kernel has the parameter, or it cannot have that value).
[[nodiscard]] llvm::Error applyPromises(Lowering& lowering);

}  // namespace lathe::detail
