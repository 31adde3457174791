// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>

#include "llvm/Support/Error.h"

#include "core/lower/lowering.h"

namespace lathe::detail {

/// Runs a code generator on `module`. That it has no instruction for an intrinsic, which it may lack for this processor
/// only and ends by LLVM's fatal error, becomes an error at the place of the first call; every other fatal error goes
/// on. The target machine is not used again then.
llvm::Error select(Lowering& lowering, const llvm::Module& module, const std::function<void()>& generate);

}  // namespace lathe::detail
