// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of 128 bits in memory. Hosts and portable IR align them to 16 bytes, LLVM's data layouts of some targets
// to 8, which would move the fields behind them. Types of memory have two words in a vector in their place, which every
// data layout aligns to 16; values stay integers.
//
//   before: %P = type { i32, i128, i32 }         %q = getelementptr %P, ptr %p, i64 1, i32 2
//   after:  %P = type { i32, <2 x i64>, i32 }    %q = getelementptr %P, ptr %p, i64 1, i32 2
#include "core/lower/stages/wide_fields.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "core/lower/legalize/changed_types.h"

namespace lathe::detail {
namespace {

constexpr unsigned wideBits = 128, wordBits = 64;

class MemoryTypes final : public ChangedTypes {
 private:
  llvm::Type* changed(llvm::Type* type) override {
    if (!type->isIntegerTy(wideBits)) return type;
    return llvm::FixedVectorType::get(llvm::Type::getInt64Ty(type->getContext()), wideBits / wordBits);
  }
  llvm::Type* changed(llvm::StructType& before, llvm::ArrayRef<llvm::Type*> elements) override {
    return withName(before, elements);
  }
};

bool hasWide(const llvm::Type* type) {
  return type->isIntegerTy(wideBits) || llvm::any_of(type->subtypes(), hasWide);
}

class Rewriter {
 public:
  explicit Rewriter(llvm::Module& module) : module_(module) {}

  /// True if there is such an integer in memory.
  bool isNeeded() const {
    const auto touches = [](const llvm::Instruction& instruction) {
      if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return hasWide(slot->getAllocatedType());
      const auto* const place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      return place && hasWide(place->getSourceElementType());
    };
    return llvm::any_of(module_.getIdentifiedStructTypes(), hasWide) ||
           llvm::any_of(module_.globals(),
                        [](const llvm::GlobalVariable& variable) { return hasWide(variable.getValueType()); }) ||
           llvm::any_of(module_, [&](const llvm::Function& function) {
             return llvm::any_of(llvm::instructions(function), touches);
           });
  }

  void run() {
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module_.globals())) {
      if (types_.changes(variable.getValueType()))
        rebuild(variable);
      else if (variable.hasInitializer())
        variable.setInitializer(converted(variable.getInitializer()));
    }
    for (llvm::Function& function : module_) {
      function.setAttributes(
          types_.remapped(module_.getContext(), function.getAttributes(), static_cast<unsigned>(function.arg_size())));
      for (llvm::Instruction& instruction : llvm::instructions(function)) rewrite(instruction);
    }
  }

 private:
  void rebuild(llvm::GlobalVariable& old) {
    llvm::GlobalVariable& made = types_.remade(old, old.getAddressSpace());
    if (old.hasInitializer()) made.setInitializer(converted(old.getInitializer()));
    if (!old.getAlign()) made.setAlignment(module_.getDataLayout().getABITypeAlign(old.getValueType()));
    old.replaceAllUsesWith(&made);
    old.eraseFromParent();
  }

  /// A variable's initial value, or a part of it. Addresses of fields become numbers of bytes while these are known.
  llvm::Constant* converted(llvm::Constant* constant) {
    llvm::Type* const type = types_.remapType(constant->getType());
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant); number && type != number->getType()) {
      const llvm::APInt& all = number->getValue();
      const std::uint64_t words[] = {all.trunc(wordBits).getZExtValue(),
                                     all.lshr(wordBits).trunc(wordBits).getZExtValue()};
      return llvm::ConstantDataVector::get(module_.getContext(), words);
    }
    if (llvm::isa<llvm::ConstantAggregateZero>(constant)) return llvm::Constant::getNullValue(type);
    if (llvm::isa<llvm::PoisonValue>(constant)) return llvm::PoisonValue::get(type);
    if (llvm::isa<llvm::UndefValue>(constant)) return llvm::UndefValue::get(type);
    if (!llvm::isa<llvm::ConstantStruct, llvm::ConstantArray>(constant)) {
      llvm::Constant* const folded = llvm::ConstantFoldConstant(constant, module_.getDataLayout());
      return type == folded->getType() ? folded : llvm::ConstantExpr::getBitCast(folded, type);
    }
    llvm::SmallVector<llvm::Constant*> parts;
    for (const llvm::Use& part : constant->operands()) parts.push_back(converted(llvm::cast<llvm::Constant>(part)));
    if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) return llvm::ConstantStruct::get(record, parts);
    return llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(type), parts);
  }

  void rewrite(llvm::Instruction& instruction) {
    for (llvm::Use& operand : instruction.operands()) {
      if (auto* address = llvm::dyn_cast<llvm::ConstantExpr>(operand))
        operand.set(llvm::ConstantFoldConstant(address, module_.getDataLayout()));
    }
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      slot->setAllocatedType(types_.remapType(slot->getAllocatedType()));
    } else if (auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      place->setSourceElementType(types_.remapType(place->getSourceElementType()));
      place->setResultElementType(types_.remapType(place->getResultElementType()));
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      call->setAttributes(types_.remapped(module_.getContext(), call->getAttributes(), call->arg_size()));
    }
  }

  llvm::Module& module_;
  MemoryTypes types_;
};

}  // namespace

void keepWideFields(llvm::Module& module, const llvm::DataLayout& wanted) {
  llvm::Type* const wide = llvm::Type::getIntNTy(module.getContext(), wideBits);
  if (module.getDataLayout().getABITypeAlign(wide) == wanted.getABITypeAlign(wide)) return;
  if (Rewriter rewriter(module); rewriter.isNeeded()) rewriter.run();
}

}  // namespace lathe::detail
