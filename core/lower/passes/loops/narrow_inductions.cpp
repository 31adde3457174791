// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Induction variables of few bits, which LLVM's loop vectoriser takes for consecutive.
#include "core/lower/passes/loops/narrow_inductions.h"

#include <algorithm>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace lathe::detail {
namespace {

/// Whether the value that `expression` describes is extended from a variable of `loop` that has fewer than 32 bits and
/// may wrap around: where it cannot, the expression is the wide variable itself.
bool countsInFewBits(const llvm::SCEV* expression, const llvm::Loop& loop) {
  return llvm::SCEVExprContains(expression, [&](const llvm::SCEV* part) {
    if (!llvm::isa<llvm::SCEVZeroExtendExpr, llvm::SCEVSignExtendExpr>(part)) return false;
    const auto* const variable = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part->operands().front());
    return variable && variable->getLoop() == &loop && variable->getType()->getIntegerBitWidth() < 32;
  });
}

/// Of what ScalarEvolution makes an extension of fewer bits.
bool takesBits(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
      return true;
    default:
      return false;
  }
}

/// Whether two values of the widest type that the loop loads or stores fit a vector register.
bool mayBeVectors(const llvm::Loop& loop, std::uint64_t registerBits) {
  std::uint64_t widest = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) continue;
      const llvm::DataLayout& layout = instruction.getDataLayout();
      widest = std::max(widest, layout.getTypeSizeInBits(llvm::getLoadStoreType(&instruction)).getKnownMinValue());
    }
  }
  return widest != 0 && 2 * widest <= registerBits;
}

}  // namespace

llvm::PreservedAnalyses HideNarrowInductions::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const std::uint64_t registerBits = analyses.getResult<llvm::TargetIRAnalysis>(function)
                                         .getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector)
                                         .getKnownMinValue();
  llvm::ScalarEvolution& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto describes = [&](const llvm::Value* value) { return evolution.isSCEVable(value->getType()); };
  llvm::SmallVector<llvm::Use*> hidden;
  for (const llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !mayBeVectors(*loop, registerBits)) continue;
    for (llvm::BasicBlock* block : loop->blocks()) {
      for (llvm::Instruction& instruction : *block) {
        if (!takesBits(instruction) || !instruction.getType()->isIntegerTy()) continue;
        if (!countsInFewBits(evolution.getSCEV(&instruction), *loop)) continue;
        // Where an operand is such a value already, that one is hidden.
        const auto isNarrow = [&](const llvm::Value* operand) {
          return describes(operand) && countsInFewBits(evolution.getSCEV(const_cast<llvm::Value*>(operand)), *loop);
        };
        if (llvm::any_of(instruction.operand_values(), isNarrow)) continue;
        for (llvm::Use& operand : instruction.operands()) {
          if (describes(operand) && !evolution.isLoopInvariant(evolution.getSCEV(operand), loop))
            hidden.push_back(&operand);
        }
      }
    }
  }
  if (hidden.empty()) return llvm::PreservedAnalyses::all();
  for (llvm::Use* operand : hidden) {
    llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(operand->getUser()));
    operand->set(builder.CreateFreeze(operand->get()));
  }
  return llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>();
}

}  // namespace lathe::detail
