// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of a local array between two of which a bit chooses.
#include "core/lower/passes/choices/bits_of_indices.h"

#include <optional>

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Scalar/SROA.h"

namespace lathe::detail {
namespace {

/// The two numbers that a value may be.
struct Two {
  llvm::Value* source = nullptr;    ///< what they depend on
  llvm::APInt bit;                  ///< the bit of it that is unknown; if it is not set,
  llvm::Constant* lower = nullptr;  ///< the value is this one,
  llvm::Constant* upper = nullptr;  ///< else this one
};

/// Operations with constants between the bit and the index.
constexpr unsigned mostOperations = 6;

/// Nothing: more than one bit decides.
std::optional<Two> numbersOf(llvm::Value& value, const llvm::Instruction& place, unsigned operations = 0) {
  if (!value.getType()->isIntegerTy() || llvm::isa<llvm::Constant>(value) || operations > mostOperations)
    return std::nullopt;
  const llvm::DataLayout& layout = place.getDataLayout();
  const llvm::KnownBits known = llvm::computeKnownBits(&value, layout, nullptr, &place);
  const llvm::APInt unknown = ~(known.Zero | known.One);
  if (known.hasConflict()) return std::nullopt;
  const auto number = [&](const llvm::APInt& bits) { return llvm::ConstantInt::get(value.getContext(), bits); };
  if (unknown.isPowerOf2()) return Two{&value, unknown, number(known.One), number(known.One | unknown)};
  const unsigned width = value.getType()->getIntegerBitWidth();
  if (llvm::ComputeNumSignBits(&value, layout, nullptr, &place) == width)
    return Two{&value, llvm::APInt::getSignMask(width), number(llvm::APInt::getZero(width)),
               number(llvm::APInt::getAllOnes(width))};
  if (auto* const choice = llvm::dyn_cast<llvm::SelectInst>(&value)) {
    auto* const lower = llvm::dyn_cast<llvm::ConstantInt>(choice->getFalseValue());
    auto* const upper = llvm::dyn_cast<llvm::ConstantInt>(choice->getTrueValue());
    if (!lower || !upper) return std::nullopt;
    return Two{choice->getCondition(), llvm::APInt(1, 1), lower, upper};
  }
  auto* const operation = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!operation || !llvm::isa<llvm::BinaryOperator, llvm::CastInst>(operation)) return std::nullopt;
  const bool isSecond = llvm::isa<llvm::Constant>(operation->getOperand(0));
  std::optional<Two> out = numbersOf(*operation->getOperand(isSecond ? 1 : 0), place, operations + 1);
  if (!out) return std::nullopt;
  for (llvm::Constant** const number : {&out->lower, &out->upper}) {
    llvm::SmallVector<llvm::Constant*, 2> operands;
    for (const llvm::Use& operand : operation->operands())
      operands.push_back(operand.getOperandNo() == (isSecond ? 1 : 0) ? *number
                                                                      : llvm::dyn_cast<llvm::Constant>(operand.get()));
    if (llvm::is_contained(operands, nullptr)) return std::nullopt;
    *number = llvm::dyn_cast_if_present<llvm::ConstantInt>(llvm::ConstantFoldInstOperands(operation, operands, layout));
    if (!*number) return std::nullopt;
  }
  return out;
}

/// Makes a choice of `index`, one of `element`. False: it may be more than two numbers, or is a choice already.
bool choose(llvm::GetElementPtrInst& element, llvm::Use& index) {
  if (llvm::isa<llvm::SelectInst>(index.get())) return false;
  const std::optional<Two> numbers = numbersOf(*index.get(), element);
  if (!numbers) return false;
  llvm::IRBuilder<> builder(&element);
  llvm::Value* const isLower = builder.CreateIsNull(
      builder.CreateAnd(numbers->source, llvm::ConstantInt::get(numbers->source->getType(), numbers->bit)));
  index.set(builder.CreateSelect(isLower, numbers->lower, numbers->upper));
  return true;
}

}  // namespace

llvm::PreservedAnalyses BitsOfIndices::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!element || element->hasAllConstantIndices() ||
        !llvm::isa<llvm::AllocaInst>(element->getPointerOperand()->stripInBoundsConstantOffsets()))
      continue;
    for (llvm::Use& index : element->indices()) changed |= choose(*element, index);
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  analyses.invalidate(function, llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>());
  llvm::PreservedAnalyses kept = llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses);
  kept.intersect(llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>());
  return kept;
}

}  // namespace lathe::detail
