// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that walk an array with the group's or the grid's stride. Items leave such a loop one by one, but only at its
// end: as long as the last item along x has an iteration left, all have. Those iterations become a loop that all items
// take alike, which can then go around the item loop (barrier_splits.h), so that neighbours read neighbours; what is
// left stays as it was.
//
//     for (i = first + x; i < n; i += step) s += a[i];
//
// becomes, with u the same for all items and `items` the extent of the item loop along x,
//
//     u = first;
//     while (u + 4 iterations < n - (items - 1)) { s += a[u + x]; u += step; … four times }
//     while (u < n - (items - 1)) { s += a[u + x]; u += step; }
//     if (some item may have an iteration left)
//       for (i = u + x; i < n; i += step) s += a[i];
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace lathe::detail {

struct GroupFunction;
struct SplitPoint;

/// Rewrites the loops of `group` that this pays for: innermost, without a split, their bodies fit for vectors.
void peelUniformIterations(GroupFunction& group, llvm::ArrayRef<SplitPoint> splits);

}  // namespace lathe::detail
