// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures and arrays that control flow chooses between, for back ends that number only scalars and vectors there:
// one gives an `insertvalue` a number in place of its type, and none to the `phi` that takes it.
// InstCombine makes such `phi`s of functions that return structures.
//
//   before: %v = phi {double, double} [%a, %left], [%b, %right]        %x = extractvalue {double, double} %v, 0
//   after:  %x = phi double [%a.0, %left], [%b.0, %right]              (%a.0 is what went into %a)
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

unsigned membersOf(const llvm::Type* type) {
  if (const auto* const structure = llvm::dyn_cast<llvm::StructType>(type)) return structure->getNumElements();
  if (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(type))
    return static_cast<unsigned>(array->getNumElements());
  return 0;
}

bool isChoice(const llvm::Instruction& instruction) {
  return instruction.getType()->isAggregateType() &&
         llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(instruction);
}

/// The same choice between member `index` of what `choice` chooses from.
llvm::Instruction* chooseMember(llvm::Instruction& choice, unsigned index) {
  llvm::IRBuilder<> b(&choice);
  if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&choice)) {
    llvm::Type* const type = llvm::ExtractValueInst::getIndexedType(phi->getType(), index);
    llvm::PHINode* const member = b.CreatePHI(type, phi->getNumIncomingValues(), phi->getName());
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::BasicBlock* const from = phi->getIncomingBlock(i);
      // A block that leads here twice gives one value.
      const int known = member->getBasicBlockIndex(from);
      llvm::Value* value = known < 0 ? nullptr : member->getIncomingValue(static_cast<unsigned>(known));
      if (!value) {
        b.SetInsertPoint(from->getTerminator());
        value = b.CreateExtractValue(phi->getIncomingValue(i), index);
      }
      member->addIncoming(value, from);
    }
    return member;
  }
  if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&choice)) {
    llvm::Value* const yes = b.CreateExtractValue(select->getTrueValue(), index);
    llvm::Value* const no = b.CreateExtractValue(select->getFalseValue(), index);
    return llvm::SelectInst::Create(select->getCondition(), yes, no, select->getName(), select->getIterator());
  }
  llvm::Value* const member = b.CreateExtractValue(choice.getOperand(0), index);
  return new llvm::FreezeInst(member, choice.getName(), choice.getIterator());
}

}  // namespace

void splitAggregateChoices(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*> choices;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (isChoice(instruction)) choices.push_back(&instruction);
  }
  if (choices.empty()) return;
  while (!choices.empty()) {
    llvm::Instruction* const choice = choices.pop_back_val();
    llvm::Value* whole = llvm::PoisonValue::get(choice->getType());
    llvm::IRBuilder<> b(choice->getContext());
    for (unsigned index = 0; index < membersOf(choice->getType()); ++index) {
      llvm::Instruction* const member = chooseMember(*choice, index);
      if (isChoice(*member)) choices.push_back(member);
      b.SetInsertPoint(&*choice->getParent()->getFirstNonPHIIt());
      if (!llvm::isa<llvm::PHINode>(choice))
        b.SetInsertPoint(choice);
      else if (auto* const last = llvm::dyn_cast<llvm::Instruction>(whole))
        b.SetInsertPoint(last->getNextNode());
      whole = b.CreateInsertValue(whole, member, index);
    }
    choice->replaceAllUsesWith(whole);
    choice->eraseFromParent();
  }
  // Members that go in come out again at once.
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
      llvm::Value* const member =
          extract ? llvm::FindInsertedValue(extract->getAggregateOperand(), extract->getIndices()) : nullptr;
      if (!member || member == extract) continue;
      extract->replaceAllUsesWith(member);
      extract->eraseFromParent();
      changed = true;
    }
  }
  llvm::SmallVector<llvm::WeakTrackingVH> wholes;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::InsertValueInst>(instruction)) wholes.push_back(&instruction);
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(wholes);
}

}  // namespace lathe::detail
