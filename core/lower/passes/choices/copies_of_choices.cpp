// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to and from chosen variables.
#include "core/lower/passes/choices/copies_of_choices.h"

#include <cstdint>
#include <optional>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace lathe::detail {
namespace {

/// Bytes of variables that may become registers: 64 words, as LoadsOfChoices has it.
constexpr std::uint64_t largest = 256;

bool isLocal(const llvm::Value* address) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address));
}

/// Two addresses, and what says which of them is meant.
struct Choice {
  llvm::Value* first = nullptr;
  llvm::Value* second = nullptr;
  llvm::Instruction* chosen = nullptr;
};

/// The choice that `address` is, of two local variables if control flow chooses, as their addresses are known at its
/// end too; nothing: it is none, or one of more.
std::optional<Choice> choiceOf(llvm::Value* address) {
  const auto isVariable = [](const llvm::Value* value) {
    return llvm::isa<llvm::AllocaInst>(value->stripPointerCasts()) &&
           (!llvm::isa<llvm::Instruction>(value) || llvm::cast<llvm::Instruction>(value)->getParent()->isEntryBlock());
  };
  if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(address)) {
    return Choice{select->getTrueValue(), select->getFalseValue(), select};
  }
  auto* const phi = llvm::dyn_cast<llvm::PHINode>(address);
  if (!phi) return std::nullopt;
  Choice out{.chosen = phi};
  for (llvm::Value* const value : phi->incoming_values()) {
    if (!isVariable(value)) return std::nullopt;
    llvm::Value*& known = !out.first || out.first == value ? out.first : out.second;
    if (known && known != value) return std::nullopt;
    known = value;
  }
  return out.second ? std::optional(out) : std::nullopt;
}

/// True where the first is chosen.
llvm::Value* conditionOf(const Choice& choice) {
  if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(choice.chosen)) return select->getCondition();
  auto& phi = llvm::cast<llvm::PHINode>(*choice.chosen);
  llvm::Type* const flag = llvm::Type::getInt1Ty(phi.getContext());
  auto* const out = llvm::PHINode::Create(flag, phi.getNumIncomingValues(), "", phi.getIterator());
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    out->addIncoming(llvm::ConstantInt::getBool(flag, phi.getIncomingValue(i) == choice.first),
                     phi.getIncomingBlock(i));
  return out;
}

void copyInBranches(llvm::MemTransferInst& copy, const Choice& choice) {
  llvm::IRBuilder<> builder(&copy);
  // A branch on poison is undefined behaviour, and a select by it is not.
  llvm::Value* const condition = builder.CreateFreeze(conditionOf(choice));
  llvm::Instruction *toFirst = nullptr, *toSecond = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(condition, copy.getIterator(), &toFirst, &toSecond);
  for (const auto& [address, place] : {std::pair(choice.first, toFirst), {choice.second, toSecond}}) {
    auto* const one = llvm::cast<llvm::MemTransferInst>(copy.clone());
    one->replaceUsesOfWith(choice.chosen, address);
    one->addFnAttr(llvm::Attribute::NoMerge);
    one->insertBefore(place->getIterator());
  }
  copy.eraseFromParent();
}

/// The choice that keeps variables in memory: of two that are written, or of one and memory of others that is read.
/// Reads of two are LoadsOfChoices'.
std::optional<Choice> choiceIn(const llvm::MemTransferInst& copy) {
  if (const auto written = choiceOf(copy.getRawDest()); written && isLocal(written->first) && isLocal(written->second))
    return written;
  const auto read = choiceOf(copy.getRawSource());
  return read && isLocal(read->first) != isLocal(read->second) ? read : std::nullopt;
}

}  // namespace

llvm::PreservedAnalyses CopiesOfChoices::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<std::pair<llvm::MemTransferInst*, Choice>> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
    const auto* const length = copy ? llvm::dyn_cast<llvm::ConstantInt>(copy->getLength()) : nullptr;
    if (!length || length->getValue().ugt(largest) || copy->isVolatile()) continue;
    if (isLocal(copy->getRawDest())) copy->addFnAttr(llvm::Attribute::NoMerge);
    if (const auto choice = choiceIn(*copy)) found.emplace_back(copy, *choice);
  }
  for (const auto& [copy, choice] : found) copyInBranches(*copy, choice);
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace lathe::detail
