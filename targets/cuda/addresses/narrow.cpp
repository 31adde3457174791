// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/cuda/addresses/narrow.h"

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

namespace lathe::targets {
namespace {

constexpr unsigned groupSpace = 3, narrow = 32;

/// Whether the address is wanted as a number only, so that its sum need not be formed as an address too.
bool isNumberOnly(const llvm::Value& address, unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  return depth < deepest && llvm::all_of(
                                address.users(),
                                [&](const llvm::User* user) {
                                  if (llvm::isa<llvm::PtrToIntInst>(user)) return true;
                                  return llvm::isa<llvm::GetElementPtrInst>(user) && isNumberOnly(*user, depth + 1);
                                });
}

/// The low bits of an address. They are the same sum modulo 2^32, whatever the upper ones are.
class LowBits {
 public:
  LowBits(llvm::IRBuilder<>& builder, const llvm::DataLayout& layout) : builder_(builder), layout_(layout) {}

  llvm::Value* of(llvm::Value* address) {
    auto* const sum = llvm::dyn_cast<llvm::GEPOperator>(address);
    if (!sum || (llvm::isa<llvm::Instruction>(sum) && !isNumberOnly(*sum)))
      return builder_.CreatePtrToInt(address, builder_.getInt32Ty());
    llvm::Value* out = of(sum->getPointerOperand());
    for (auto at = llvm::gep_type_begin(sum); at != llvm::gep_type_end(sum); ++at) {
      llvm::Value* const index = at.getOperand();
      if (llvm::StructType* const type = at.getStructTypeOrNull()) {
        const auto member = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue());
        out = builder_.CreateAdd(out, number(layout_.getStructLayout(type)->getElementOffset(member).getFixedValue()));
        continue;
      }
      const std::uint64_t bytes = at.getSequentialElementStride(layout_).getFixedValue();
      llvm::Value* const step = builder_.CreateMul(shortened(index), number(bytes));
      out = builder_.CreateAdd(out, step);
    }
    return out;
  }

 private:
  llvm::ConstantInt* number(std::uint64_t value) { return builder_.getInt32(static_cast<std::uint32_t>(value)); }
  llvm::Value* shortened(llvm::Value* index) {
    auto* const extension = llvm::dyn_cast<llvm::CastInst>(index);
    const bool isExtended = extension && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension);
    if (isExtended && extension->getSrcTy()->isIntegerTy(narrow)) return extension->getOperand(0);
    return builder_.CreateSExtOrTrunc(index, builder_.getInt32Ty());
  }

  llvm::IRBuilder<>& builder_;
  const llvm::DataLayout& layout_;
};

/// Gives the users of `wide` what `low` has in its place, the upper bits of which do not count; those that pick bits
/// become narrow themselves.
void replace(llvm::Instruction& wide, llvm::Value& low) {
  llvm::Value* extended = nullptr;
  for (llvm::Use& use : llvm::make_early_inc_range(wide.uses())) {
    auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    llvm::IRBuilder<> builder(user);
    auto* const constant = user->getNumOperands() == 2 && use.getOperandNo() == 0
                               ? llvm::dyn_cast<llvm::ConstantInt>(user->getOperand(1))
                               : nullptr;
    if (user->getOpcode() == llvm::Instruction::Trunc && user->getType()->getScalarSizeInBits() <= narrow) {
      user->replaceAllUsesWith(builder.CreateTrunc(&low, user->getType()));
    } else if (constant && user->getOpcode() == llvm::Instruction::And) {
      replace(*user, *builder.CreateAnd(&low, builder.getInt32(static_cast<std::uint32_t>(constant->getZExtValue()))));
    } else if (constant && user->getOpcode() == llvm::Instruction::LShr && constant->getValue().ult(narrow)) {
      replace(*user, *builder.CreateLShr(&low, builder.getInt32(static_cast<std::uint32_t>(constant->getZExtValue()))));
    } else {
      if (!extended) extended = llvm::IRBuilder<>(&wide).CreateZExt(&low, wide.getType());
      use.set(extended);
      continue;
    }
    user->eraseFromParent();
  }
}

void narrowAddresses(llvm::Function& function) {
  llvm::SmallVector<llvm::PtrToIntInst*> numbers;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const number = llvm::dyn_cast<llvm::PtrToIntInst>(&instruction);
    if (number && number->getPointerAddressSpace() == groupSpace && number->getType()->isIntegerTy() &&
        number->getType()->getIntegerBitWidth() >= narrow &&
        llvm::isa<llvm::GetElementPtrInst>(number->getPointerOperand()))
      numbers.push_back(number);
  }
  if (numbers.empty()) return;
  llvm::AssumptionCache assumptions(function);
  llvm::DominatorTree dominators(function);
  llvm::DemandedBits demanded(function, assumptions, dominators);
  llvm::SmallVector<llvm::PtrToIntInst*> chosen;
  for (llvm::PtrToIntInst* number : numbers)
    if (number->getType()->isIntegerTy(narrow) || demanded.getDemandedBits(number).getActiveBits() <= narrow)
      chosen.push_back(number);
  for (llvm::PtrToIntInst* number : chosen) {
    llvm::IRBuilder<> builder(number);
    llvm::Value* const low = LowBits(builder, function.getDataLayout()).of(number->getPointerOperand());
    if (number->getType()->isIntegerTy(narrow))
      number->replaceAllUsesWith(low);
    else
      replace(*number, *low);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(number);
  }
}

}  // namespace

void narrowAddresses(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) narrowAddresses(function);
}

}  // namespace lathe::targets
