// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking of device libraries, for stage libraries and for what the optimiser made later.
#pragma once

#include "llvm/Support/Error.h"

namespace lathe::detail {

struct Lowering;

/// Links the target's own and the descriptor's libraries until nothing more is found.
llvm::Error linkLibraries(Lowering& lowering);

}  // namespace lathe::detail
