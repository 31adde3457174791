// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The items of a loop that take the iterations of a loop inside together, as lanes of a strip (outer_loop.h).
#pragma once

namespace lathe::detail {

struct OuterLoop;

/// Puts in front of the loop over items one over strips of them. The loop itself is left for the rest.
void makeStrip(const OuterLoop& loop);

}  // namespace lathe::detail
