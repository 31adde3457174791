// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic accesses and fences as BPF has them.
#pragma once

#include <lathe/sdk/target.h>

namespace lathe::targets {

/// Rewrites the atomic loads, stores and fences of the module that its instruction set lacks into what it has, and
/// reports the other operations that it lacks.
void lowerAtomics(sdk::TargetContext& context);

}  // namespace lathe::targets
