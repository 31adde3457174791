// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quotient's fraction is the reason why it can be cut: a / b that is no integer lies at least 1 / b below the next
// one, a part of 1 / a of itself, and the roundings of a double change it by less than 2^-50. The reciprocal is made
// too large by more than it is rounded, so that a quotient that is an integer is not taken for less than that. Of a
// divisor that is too large for a double to hold, the quotient is 0 whatever it is rounded to.
#include "core/group/vectorise/integer_division.h"

#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace lathe::detail {
namespace {

/// Of a reciprocal, more than two roundings of a double.
constexpr double enlarged = 1 + 0x1p-51;
/// Of a dividend.
constexpr unsigned mostBits = 50;

/// How the numbers of a division become doubles and its quotient an integer again.
struct Conversions {
  llvm::Instruction::CastOps dividend, divisor, quotient;
};

Conversions conversionsOf(const llvm::BinaryOperator& division) {
  using llvm::Instruction;
  const bool isSigned = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  const auto divisor = isSigned ? Instruction::SIToFP : Instruction::UIToFP;
  // Those of 64 bits are small; more processors have conversions of signed ones.
  if (isSigned || division.getType()->isIntegerTy(64)) return {Instruction::SIToFP, divisor, Instruction::FPToSI};
  return {Instruction::UIToFP, divisor, Instruction::FPToUI};
}

/// What `value` of 64 bits is at most. A series that only grows is known by where it ends, too: all at once, or its
/// start and how much it grows.
std::uint64_t mostOf(const llvm::SCEV* value, llvm::ScalarEvolution& evolution, unsigned depth = 4) {
  const std::uint64_t range = evolution.getUnsignedRangeMax(value).getZExtValue();
  const auto* const series = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
  if (!series || depth == 0 || !series->isAffine() || !series->hasNoUnsignedWrap()) return range;
  const llvm::SCEV* const count = evolution.getBackedgeTakenCount(series->getLoop());
  if (llvm::isa<llvm::SCEVCouldNotCompute>(count) || count->getType() != series->getType()) return range;
  const llvm::SCEV* const end = series->evaluateAtIteration(count, evolution);
  const llvm::SCEV* const growth = evolution.getMulExpr(series->getStepRecurrence(evolution), count);
  const std::uint64_t parts = llvm::SaturatingAdd(mostOf(series->getStart(), evolution, depth - 1),
                                                  evolution.getUnsignedRangeMax(growth).getZExtValue());
  return std::min({range, evolution.getUnsignedRangeMax(end).getZExtValue(), parts});
}

class Divisions {
 public:
  Divisions(llvm::Loop& loop, const llvm::TargetTransformInfo& costs, llvm::ScalarEvolution& evolution)
      : loop_(loop),
        costs_(costs),
        evolution_(evolution),
        double_(llvm::Type::getDoubleTy(loop.getHeader()->getContext())) {}

  bool run() {
    const std::uint64_t bits =
        costs_.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
    const auto lanes = static_cast<unsigned>(bits / 32);
    llvm::SmallVector<llvm::BinaryOperator*> found;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        auto* const division = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
        if (division && costOfDoubles(*division, loop_, lanes, costs_, evolution_)) found.push_back(division);
      }
    }
    for (llvm::BinaryOperator* division : found) replace(*division);
    return !found.empty();
  }

 private:
  void replace(llvm::BinaryOperator& division) {
    llvm::Value *const a = division.getOperand(0), *const b = division.getOperand(1);
    const Conversions convert = conversionsOf(division);
    llvm::IRBuilder<> builder(&division);
    llvm::Value* const dividend = builder.CreateCast(convert.dividend, a, double_);
    llvm::Value* real = nullptr;
    if (loop_.isLoopInvariant(b)) {
      llvm::Value*& reciprocal = reciprocals_[{b, convert.divisor}];
      if (!reciprocal) {
        llvm::IRBuilder<> before(loop_.getLoopPreheader()->getTerminator());
        // There may be no item that divides, and then no number to divide by.
        llvm::Value* const number = before.CreateCast(convert.divisor, before.CreateFreeze(b), double_);
        llvm::Value* const inverse = before.CreateFDiv(llvm::ConstantFP::get(double_, 1), number);
        reciprocal = before.CreateFMul(inverse, llvm::ConstantFP::get(double_, enlarged), "reciprocal");
      }
      real = builder.CreateFMul(dividend, reciprocal);
    } else {
      real = builder.CreateFDiv(dividend, builder.CreateCast(convert.divisor, b, double_));
    }
    llvm::Value* out = builder.CreateCast(convert.quotient, real, division.getType());
    const auto opcode = division.getOpcode();
    if (opcode == llvm::Instruction::SRem || opcode == llvm::Instruction::URem)
      out = builder.CreateSub(a, builder.CreateMul(out, b));
    out->takeName(&division);
    division.replaceAllUsesWith(out);
    division.eraseFromParent();
  }

  llvm::Loop& loop_;
  const llvm::TargetTransformInfo& costs_;
  llvm::ScalarEvolution& evolution_;
  llvm::Type* double_;
  llvm::DenseMap<std::pair<llvm::Value*, unsigned>, llvm::Value*> reciprocals_;  ///< of numbers by their conversion
};

}  // namespace

std::optional<llvm::InstructionCost> costOfDoubles(const llvm::BinaryOperator& division, const llvm::Loop& loop,
                                                   unsigned lanes, const llvm::TargetTransformInfo& costs,
                                                   llvm::ScalarEvolution& evolution) {
  const llvm::Value* const divisor = division.getOperand(1);
  const bool isWide = division.getType()->isIntegerTy(64);
  if (lanes < 2 || !division.isIntDivRem() || (!division.getType()->isIntegerTy(32) && !isWide)) return std::nullopt;
  if (llvm::isa<llvm::Constant>(divisor) || loop.hasLoopInvariantOperands(&division)) return std::nullopt;
  if (isWide && mostOf(evolution.getSCEV(division.getOperand(0)), evolution) >> mostBits != 0) return std::nullopt;
  constexpr auto kind = llvm::TargetTransformInfo::TCK_RecipThroughput;
  constexpr auto context = llvm::TargetTransformInfo::CastContextHint::None;
  auto* const integers = llvm::FixedVectorType::get(division.getType(), lanes);
  auto* const doubles = llvm::FixedVectorType::get(llvm::Type::getDoubleTy(division.getContext()), lanes);
  const bool byOne = loop.isLoopInvariant(divisor);
  const Conversions convert = conversionsOf(division);
  llvm::InstructionCost out = costs.getCastInstrCost(convert.quotient, integers, doubles, context, kind);
  out += costs.getCastInstrCost(convert.dividend, doubles, integers, context, kind);
  if (!byOne) out += costs.getCastInstrCost(convert.divisor, doubles, integers, context, kind);
  out += costs.getArithmeticInstrCost(byOne ? llvm::Instruction::FMul : llvm::Instruction::FDiv, doubles, kind);
  if (out < costs.getArithmeticInstrCost(division.getOpcode(), integers, kind)) return out;
  return std::nullopt;
}

llvm::PreservedAnalyses IntegerDivisionPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopPreheader()) continue;
    if (!llvm::findOptionMDForLoop(loop, "llvm.loop.parallel_accesses")) continue;
    changed |= Divisions(*loop, costs, evolution).run();
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
