// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that return unions with holes or structures with wide integers, and their calls, directly and through
// pointers.
#include "core/frontend/clang/abi/returned_unions.h"

#include <algorithm>

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "core/lower/signature.h"

namespace lathe::detail {
namespace {

/// Clang calls the types of unions so.
bool holdsUnion(const llvm::Type* type) {
  const auto* const structure = llvm::dyn_cast<llvm::StructType>(type);
  if (structure && structure->hasName() && structure->getName().starts_with("union.")) return true;
  return type->isAggregateType() && llvm::any_of(type->subtypes(), holdsUnion);
}

/// Targets lay such integers out in different ways, which stage retarget hides for memory alone.
bool holdsWideInteger(const llvm::Type* type) {
  constexpr unsigned widest = 64;
  if (const auto* const number = llvm::dyn_cast<llvm::IntegerType>(type)) return number->getBitWidth() > widest;
  return type->isAggregateType() && llvm::any_of(type->subtypes(), holdsWideInteger);
}

/// The bytes that the scalars in `type` have together.
std::uint64_t bytesOfFields(const llvm::DataLayout& layout, llvm::Type* type) {
  if (auto* const array = llvm::dyn_cast<llvm::ArrayType>(type))
    return array->getNumElements() * bytesOfFields(layout, array->getElementType());
  if (!type->isStructTy()) return layout.getTypeStoreSize(type).getFixedValue();
  std::uint64_t out = 0;
  for (llvm::Type* field : type->subtypes()) out += bytesOfFields(layout, field);
  return out;
}

class WholeUnions {
 public:
  explicit WholeUnions(llvm::Module& module) : module_(module), layout_(module.getDataLayout()) {}

  void run() {
    llvm::SmallVector<llvm::Function*> functions;
    llvm::SmallVector<llvm::CallInst*> calls;
    for (llvm::Function& function : module_) {
      if (losesBytes(function.getReturnType())) functions.push_back(&function);
      for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call && losesBytes(call->getType())) calls.push_back(call);
      }
    }
    for (llvm::Function*& function : functions) function = &withWords(*function);
    for (llvm::CallInst* call : calls) callWithWords(*call);
    // What a call gave is loaded by now.
    for (llvm::Function* function : functions) returnWords(*function);
  }

 private:
  bool losesBytes(llvm::Type* type) {
    if (!type->isStructTy()) return false;
    const auto [known, isNew] = known_.try_emplace(type, false);
    if (isNew) {
      const bool hasHoles = bytesOfFields(layout_, type) < layout_.getTypeAllocSize(type).getFixedValue();
      known->second = (hasHoles && holdsUnion(type)) || holdsWideInteger(type);
    }
    return known->second;
  }

  /// Integers with as many bytes as `type`.
  llvm::Type* wordsOf(llvm::Type* type) const {
    constexpr std::uint64_t widest = 8;
    const std::uint64_t bytes = std::min(layout_.getABITypeAlign(type).value(), widest);
    llvm::Type* const word = llvm::IntegerType::get(type->getContext(), static_cast<unsigned>(bytes) * 8);
    return llvm::ArrayType::get(word, layout_.getTypeAllocSize(type).getFixedValue() / bytes);
  }

  llvm::Function& withWords(llvm::Function& function) {
    const llvm::SmallVector<llvm::Type*> parameters(function.getFunctionType()->params());
    llvm::Function& made = moveBody(function, wordsOf(function.getReturnType()), parameters, &function);
    made.removeRetAttrs(
        llvm::AttributeFuncs::typeIncompatible(made.getReturnType(), made.getAttributes().getRetAttrs()));
    function.replaceAllUsesWith(&made);
    function.eraseFromParent();
    return made;
  }

  /// A local variable of `function`'s.
  llvm::AllocaInst* variable(llvm::Function& function, llvm::Type* type) const {
    llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    return builder.CreateAlloca(type);
  }

  void callWithWords(llvm::CallInst& call) const {
    llvm::Type* const type = call.getType();
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::OperandBundleDef> bundles;
    call.getOperandBundlesAsDefs(bundles);
    const llvm::SmallVector<llvm::Value*> arguments(call.args());
    auto* const returning =
        llvm::FunctionType::get(wordsOf(type), call.getFunctionType()->params(), call.getFunctionType()->isVarArg());
    llvm::CallInst* const made = builder.CreateCall(returning, call.getCalledOperand(), arguments, bundles);
    made->setAttributes(call.getAttributes().removeRetAttributes(
        call.getContext(),
        llvm::AttributeFuncs::typeIncompatible(made->getType(), call.getAttributes().getRetAttrs())));
    made->setCallingConv(call.getCallingConv());
    made->copyMetadata(call);
    llvm::AllocaInst* const whole = variable(*call.getFunction(), type);
    builder.CreateStore(made, whole);
    for (llvm::User* const user : llvm::make_early_inc_range(call.users())) {
      auto* const part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
      if (part && llvm::all_of(part->users(), [&](const llvm::User* stored) { return isStored(*part, stored); })) {
        const std::uint64_t offset = offsetOf(*type, part->getIndices());
        for (llvm::User* const stored : llvm::make_early_inc_range(part->users()))
          copyInstead(*llvm::cast<llvm::StoreInst>(stored), *whole, offset);
        part->eraseFromParent();
      } else if (isStored(call, user)) {
        copyInstead(*llvm::cast<llvm::StoreInst>(user), *whole, 0);
      }
    }
    if (!call.use_empty()) call.replaceAllUsesWith(builder.CreateLoad(type, whole));
    call.eraseFromParent();
  }

  static bool isStored(const llvm::Value& value, const llvm::User* user) {
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
    return store && store->getValueOperand() == &value && store->isSimple();
  }

  std::uint64_t offsetOf(llvm::Type& type, llvm::ArrayRef<unsigned> indices) const {
    llvm::SmallVector<llvm::Value*> path = {llvm::ConstantInt::get(llvm::Type::getInt32Ty(type.getContext()), 0)};
    for (const unsigned index : indices)
      path.push_back(llvm::ConstantInt::get(llvm::Type::getInt32Ty(type.getContext()), index));
    return static_cast<std::uint64_t>(layout_.getIndexedOffsetInType(&type, path));
  }

  void copyInstead(llvm::StoreInst& store, llvm::AllocaInst& whole, std::uint64_t offset) const {
    llvm::IRBuilder<> builder(&store);
    llvm::Value* const from = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &whole, offset);
    const std::uint64_t bytes = layout_.getTypeAllocSize(store.getValueOperand()->getType()).getFixedValue();
    builder.CreateMemCpy(store.getPointerOperand(), store.getAlign(), from,
                         llvm::commonAlignment(whole.getAlign(), offset), bytes);
    store.eraseFromParent();
  }

  void returnWords(llvm::Function& function) const {
    for (llvm::BasicBlock& block : function) {
      auto* const end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
      if (!end) continue;
      llvm::Value* const value = end->getReturnValue();
      auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
      llvm::IRBuilder<> builder(end);
      llvm::Value* place = load && load->isSimple() ? load->getPointerOperand() : nullptr;
      if (place) {
        builder.SetInsertPoint(load);
      } else {
        place = variable(function, value->getType());
        builder.CreateStore(value, place);
      }
      end->setOperand(0, builder.CreateLoad(function.getReturnType(), place));
      if (load && load->use_empty()) load->eraseFromParent();
    }
  }

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::Type*, bool> known_;
};

}  // namespace

void returnWholeUnions(llvm::Module& module) {
  WholeUnions(module).run();
}

}  // namespace lathe::detail
