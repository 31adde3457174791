// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quotient's fraction is the reason why it can be cut: a / b that is no integer lies at least 1 / b below the next
// one, a part of 2^-32 of itself, and the roundings of a double change it by less than 2^-50. The reciprocal is made
// too large by more than it is rounded, so that a quotient that is an integer is not taken for less than that.
#include "core/group/vectorise/integer_division.h"

#include <array>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace lathe::detail {
namespace {

/// Of a reciprocal, more than two roundings of a double.
constexpr double enlarged = 1 + 0x1p-51;

bool isSigned(const llvm::BinaryOperator& division) {
  return division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
}

class Divisions {
 public:
  Divisions(llvm::Loop& loop, const llvm::TargetTransformInfo& costs)
      : loop_(loop), costs_(costs), double_(llvm::Type::getDoubleTy(loop.getHeader()->getContext())) {}

  bool run() {
    const std::uint64_t bits =
        costs_.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
    const auto lanes = static_cast<unsigned>(bits / 32);
    llvm::SmallVector<llvm::BinaryOperator*> found;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        auto* const division = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
        if (division && costOfDoubles(*division, loop_, lanes, costs_)) found.push_back(division);
      }
    }
    for (llvm::BinaryOperator* division : found) replace(*division);
    return !found.empty();
  }

 private:
  void replace(llvm::BinaryOperator& division) {
    llvm::Value *const a = division.getOperand(0), *const b = division.getOperand(1);
    const bool ofSigned = isSigned(division);
    llvm::IRBuilder<> builder(&division);
    const auto wide = [&](llvm::IRBuilder<>& at, llvm::Value* value) {
      return ofSigned ? at.CreateSIToFP(value, double_) : at.CreateUIToFP(value, double_);
    };
    llvm::Value* real = nullptr;
    if (loop_.isLoopInvariant(b)) {
      llvm::Value*& reciprocal = reciprocals_[ofSigned ? 1 : 0][b];
      if (!reciprocal) {
        llvm::IRBuilder<> before(loop_.getLoopPreheader()->getTerminator());
        // There may be no item that divides, and then no number to divide by.
        llvm::Value* const inverse =
            before.CreateFDiv(llvm::ConstantFP::get(double_, 1), wide(before, before.CreateFreeze(b)));
        reciprocal = before.CreateFMul(inverse, llvm::ConstantFP::get(double_, enlarged), "reciprocal");
      }
      real = builder.CreateFMul(wide(builder, a), reciprocal);
    } else {
      real = builder.CreateFDiv(wide(builder, a), wide(builder, b));
    }
    llvm::Type* const type = division.getType();
    llvm::Value* out = ofSigned ? builder.CreateFPToSI(real, type) : builder.CreateFPToUI(real, type);
    const auto opcode = division.getOpcode();
    if (opcode == llvm::Instruction::SRem || opcode == llvm::Instruction::URem)
      out = builder.CreateSub(a, builder.CreateMul(out, b));
    out->takeName(&division);
    division.replaceAllUsesWith(out);
    division.eraseFromParent();
  }

  llvm::Loop& loop_;
  const llvm::TargetTransformInfo& costs_;
  llvm::Type* double_;
  std::array<llvm::DenseMap<llvm::Value*, llvm::Value*>, 2> reciprocals_;  ///< of unsigned numbers, and of signed ones
};

}  // namespace

std::optional<llvm::InstructionCost> costOfDoubles(const llvm::BinaryOperator& division, const llvm::Loop& loop,
                                                   unsigned lanes, const llvm::TargetTransformInfo& costs) {
  const llvm::Value* const divisor = division.getOperand(1);
  if (lanes < 2 || !division.isIntDivRem() || !division.getType()->isIntegerTy(32)) return std::nullopt;
  if (llvm::isa<llvm::Constant>(divisor) || loop.hasLoopInvariantOperands(&division)) return std::nullopt;
  constexpr auto kind = llvm::TargetTransformInfo::TCK_RecipThroughput;
  constexpr auto context = llvm::TargetTransformInfo::CastContextHint::None;
  auto* const integers = llvm::FixedVectorType::get(division.getType(), lanes);
  auto* const doubles = llvm::FixedVectorType::get(llvm::Type::getDoubleTy(division.getContext()), lanes);
  const bool byOne = loop.isLoopInvariant(divisor);
  const auto into = isSigned(division) ? llvm::Instruction::SIToFP : llvm::Instruction::UIToFP;
  const auto back = isSigned(division) ? llvm::Instruction::FPToSI : llvm::Instruction::FPToUI;
  llvm::InstructionCost out = costs.getCastInstrCost(back, integers, doubles, context, kind);
  out += (byOne ? 1 : 2) * costs.getCastInstrCost(into, doubles, integers, context, kind);
  out += costs.getArithmeticInstrCost(byOne ? llvm::Instruction::FMul : llvm::Instruction::FDiv, doubles, kind);
  if (out < costs.getArithmeticInstrCost(division.getOpcode(), integers, kind)) return out;
  return std::nullopt;
}

llvm::PreservedAnalyses IntegerDivisionPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopPreheader()) continue;
    if (!llvm::findOptionMDForLoop(loop, "llvm.loop.parallel_accesses")) continue;
    changed |= Divisions(*loop, costs).run();
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
