// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hidden argument of kernels whose entry ABI is `state`.
#pragma once

#include "llvm/Support/Error.h"

namespace lathe::detail {

struct Lowering;

/// Gives every entry its state as a last, by-value parameter, hands it on to the functions that ask for it, and records
/// its layout. Part of stage kernel_abi.
llvm::Error addKernelState(Lowering& lowering);

}  // namespace lathe::detail
