// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of launches of few groups on the CPU, beside a bare loop of oneTBB over as many.
#pragma once

#include <lathe/runtime.h>

#include "../measure.h"

namespace lathe::bench {

/// Prints the table of an empty kernel and of saxpy with 1 to 64 groups of lineGroup items, each launch waited for.
/// Says so where this build has no oneTBB.
void launchCost(const Device& device, const ScratchFolder& folder, unsigned samples);

}  // namespace lathe::bench
