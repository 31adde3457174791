// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks of the lanes that take part in a loop's next iteration, kept as masks. Where items leave a loop one by one, an
// integer for each lane says where the lane goes (outer_loop.h), and each iteration compares it with a constant:
// through a vector register and back into a mask, on the loop's longest chain.
//
//   before: %where = phi <16 x i32> [0…], [%next]    %goes = icmp eq %where, 0…
//           %next = select <16 x i1> %leaves, 1…, %where
//   after:  %goes = phi <16 x i1> [true…], [%stays]    %stays = select <16 x i1> %leaves, false…, %goes
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// For machines that have registers for masks. To run behind the vectoriser.
struct LaneMasksPass : llvm::PassInfoMixin<LaneMasksPass> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
