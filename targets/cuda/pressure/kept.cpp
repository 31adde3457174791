// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computations that stay where they are.
#include "targets/cuda/pressure/kept.h"

#include <cstdint>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "targets/cuda/pressure/live_registers.h"
#include "targets/cuda/registers.h"

namespace lathe::targets {
namespace {

/// Computations from which on they are many.
constexpr std::size_t worthKeeping = 16;
/// Steps of one computation that are looked at.
constexpr std::size_t largest = 16;

/// True if all users of `result` are in one other block.
bool isForOneOther(const llvm::Instruction& result) {
  const llvm::BasicBlock* place = nullptr;
  for (const llvm::User* const user : result.users()) {
    const auto* const other = llvm::cast<llvm::Instruction>(user);
    if (llvm::isa<llvm::PHINode>(other) || other->getParent() == result.getParent()) return false;
    if (place && other->getParent() != place) return false;
    place = other->getParent();
  }
  return place;
}

/// True if `value` has its last use in `block`.
bool endsIn(const llvm::Instruction& value, const llvm::BasicBlock& block, const LiveRegisters& lives) {
  return llvm::none_of(llvm::successors(&block),
                       [&](const llvm::BasicBlock* next) { return lives.isLiveInto(value, *next); });
}

/// True if more registers of what `last` is made of end in its block than it takes.
bool isNarrowing(const llvm::Instruction& last, const LiveRegisters& lives) {
  llvm::SmallSetVector<const llvm::Instruction*, largest> steps;
  steps.insert(&last);
  std::uint64_t ended = 0;
  for (std::size_t step = 0; step != steps.size() && step != largest; ++step) {
    for (const llvm::Value* const value : steps[step]->operand_values()) {
      const auto* const operand = llvm::dyn_cast<llvm::Instruction>(value);
      if (!operand || steps.contains(operand)) continue;
      const bool isStep = operand->getParent() == last.getParent() && operand->hasOneUse() && isMovable(*operand);
      if (isStep)
        steps.insert(operand);
      else if (endsIn(*operand, *last.getParent(), lives))
        ended += registersOf(*operand);
    }
  }
  return ended > registersOf(last);
}

}  // namespace

bool isMovable(const llvm::Instruction& instruction) {
  return !llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() && !instruction.mayReadOrWriteMemory() &&
         llvm::isSafeToSpeculativelyExecute(&instruction);
}

bool isNumber(const llvm::Instruction& instruction) {
  const llvm::Type* const type = instruction.getType();
  return type->isIntegerTy(32) || type->isIntegerTy(64) || type->isFloatTy() || type->isDoubleTy();
}

void keepPlace(llvm::Instruction& instruction) {
  llvm::Type* const type = instruction.getType();
  const std::string letter = registerOf(type);
  llvm::IRBuilder<> builder(instruction.getNextNode());
  llvm::CallInst* const move =
      builder.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false),
                                              type->getScalarSizeInBits() == 32 ? "mov.b32 $0, $1;" : "mov.b64 $0, $1;",
                                              "=" + letter + "," + letter, /*hasSideEffects=*/true),
                         {&instruction});
  instruction.replaceUsesWithIf(move, [&](const llvm::Use& use) { return use.getUser() != move; });
}

bool keepNarrowing(llvm::Function& function, const LiveRegisters& lives) {
  llvm::SmallVector<llvm::Instruction*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (isNumber(instruction) && isMovable(instruction) && isForOneOther(instruction) &&
        isNarrowing(instruction, lives))
      found.push_back(&instruction);
  if (found.size() < worthKeeping) return false;
  for (llvm::Instruction* const instruction : found) keepPlace(*instruction);
  return true;
}

}  // namespace lathe::targets
