// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computations that one successor of their block uses alone.
#include "targets/cuda/pressure/taken_ways.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "targets/cuda/pressure/invariants.h"

namespace lathe::targets {
namespace {

/// The block behind the branch of `instruction`'s, entered from there only, that all its users are in. Null: there is
/// none.
llvm::BasicBlock* onlyUser(llvm::Instruction& instruction) {
  llvm::BasicBlock* out = nullptr;
  for (llvm::User* const user : instruction.users()) {
    auto* const other = llvm::cast<llvm::Instruction>(user);
    if (llvm::isa<llvm::PHINode>(other) || (out && other->getParent() != out)) return nullptr;
    out = other->getParent();
  }
  return out && out != instruction.getParent() && out->getSinglePredecessor() == instruction.getParent() ? out
                                                                                                         : nullptr;
}

/// Moves `instruction` to the beginning of `place`, with a copy of what widens a number for it: instruction selection
/// makes one instruction of the two (mul.wide), and sees one block at a time.
void moveTo(llvm::BasicBlock& place, llvm::Instruction& instruction) {
  instruction.moveBefore(place.getFirstInsertionPt());
  for (llvm::Use& use : instruction.operands()) {
    auto* const widened = llvm::dyn_cast<llvm::CastInst>(use.get());
    if (!widened || !widened->isIntegerCast()) continue;
    llvm::Instruction* const copy = widened->clone();
    copy->insertBefore(instruction.getIterator());
    use.set(copy);  // what nobody uses any more is not selected
  }
}

}  // namespace

bool computeWhereTaken(llvm::Function& function) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional()) continue;
    // From the end: what uses a computation has moved before it does.
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block))) {
      llvm::BasicBlock* const place = isCheapInteger(instruction) ? onlyUser(instruction) : nullptr;
      if (!place) continue;
      moveTo(*place, instruction);
      changed = true;
    }
  }
  return changed;
}

}  // namespace lathe::targets
