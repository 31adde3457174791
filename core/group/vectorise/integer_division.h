// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of 32-bit integers in loops over items, and of 64-bit ones below 2^50, as numbers of items are. Vectors of
// integers cannot be divided on most processors, so that one `i / width` keeps items one by one, or takes a vector
// apart. Vectors of doubles can, and a double holds each such integer and enough of the quotient.
//
//   before: %q = sdiv i32 %a, %b          after: %q = fptosi (fdiv (sitofp %a), (sitofp %b))
//           %r = srem i32 %a, %b                 %r = sub i32 %a, (mul i32 %q, %b)
//
// By what is the same for all items, a product with its reciprocal, which is computed in front of the loop.
#pragma once

#include <optional>

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BinaryOperator;
class Loop;
class ScalarEvolution;
}  // namespace llvm

namespace lathe::detail {

/// What a division costs in a loop of `lanes` items that IntegerDivisionPass has rewritten: reciprocal throughput of
/// all lanes. Nothing for what it leaves.
std::optional<llvm::InstructionCost> costOfDoubles(const llvm::BinaryOperator& division, const llvm::Loop& loop,
                                                   unsigned lanes, const llvm::TargetTransformInfo& costs,
                                                   llvm::ScalarEvolution& evolution);

/// For innermost loops over items as item_loop.h marks them, where vectors of doubles cost less. Divisions by constants
/// are left, as LLVM multiplies there. To run before the vectoriser.
struct IntegerDivisionPass : llvm::PassInfoMixin<IntegerDivisionPass> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
