// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions move out of their old selves, whose uses that are left are addresses.
#include "core/lower/call_by_number.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "core/lower/globals.h"
#include "core/lower/lowering.h"
#include "core/lower/signature.h"
#include "core/lower/stages.h"
#include "core/portable/vocabulary.h"

namespace lathe::detail {
namespace {

/// A function that has a number, as its attribute says.
constexpr const char* numberAttribute = "lathe.number";

std::uint64_t numberOf(const llvm::Function& function) {
  std::uint64_t out = 0;
  (void)function.getFnAttribute(numberAttribute).getValueAsString().getAsInteger(10, out);
  return out;
}

bool isNamedByAlias(const llvm::Function& function) {
  return llvm::any_of(function.users(), [](const llvm::User* user) {
    return llvm::isa<llvm::GlobalValue>(user) && !llvm::isa<llvm::GlobalVariable>(user);
  });
}

/// Moves the function, and makes its address a number.
llvm::Function& numbered(llvm::Function& old, std::uint64_t number) {
  const llvm::SmallVector<llvm::Type*> types(old.getFunctionType()->params());
  llvm::Function& made = moveBody(old, types, &old);
  made.addFnAttr(numberAttribute, std::to_string(number));
  forEachCall(old, [&](llvm::CallInst& call) { call.setCalledFunction(&made); });
  auto* const type = llvm::cast<llvm::PointerType>(old.getType());
  auto* const word = old.getParent()->getDataLayout().getIntPtrType(type);
  old.replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(word, number), type));
  old.eraseFromParent();
  return made;
}

/// A call through a pointer becomes a choice among `callees`.
void choose(llvm::CallInst& call, llvm::ArrayRef<llvm::Function*> callees, bool complete) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value* const address = call.getCalledOperand();
  auto* const word = llvm::cast<llvm::IntegerType>(call.getDataLayout().getIntPtrType(address->getType()));
  llvm::Value* const number = builder.CreatePtrToInt(address, word);
  llvm::BasicBlock* const before = call.getParent();
  llvm::BasicBlock* const after = llvm::SplitBlock(before, std::next(call.getIterator()));
  llvm::BasicBlock* const other = llvm::SplitBlock(before, call.getIterator());
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  llvm::SwitchInst* const choice = builder.CreateSwitch(number, other, static_cast<unsigned>(callees.size()));
  llvm::PHINode* result = nullptr;
  if (!call.getType()->isVoidTy()) {
    result = llvm::PHINode::Create(call.getType(), static_cast<unsigned>(callees.size()) + 1, "", after->begin());
    call.replaceAllUsesWith(result);
  }
  for (llvm::Function* const callee : callees) {
    auto* const block = llvm::BasicBlock::Create(call.getContext(), callee->getName(), before->getParent(), other);
    auto* const direct = llvm::cast<llvm::CallInst>(call.clone());
    direct->setCalledFunction(callee);
    direct->setCallingConv(callee->getCallingConv());
    direct->insertInto(block, block->end());
    llvm::BranchInst::Create(after, block);
    choice->addCase(llvm::ConstantInt::get(word, numberOf(*callee)), block);
    if (result) result->addIncoming(direct, block);
  }
  if (!complete) {
    if (result) result->addIncoming(&call, other);
    return;
  }
  call.eraseFromParent();
  other->getTerminator()->eraseFromParent();
  new llvm::UnreachableInst(before->getContext(), other);
}

/// Whether the address of a function, which is the module's own, is used otherwise than for a call.
bool isAddressed(llvm::Function& function) {
  if (function.isDeclaration() || function.isVarArg() || function.hasFnAttribute(attribute::kernel) ||
      function.hasFnAttribute(attribute::exported))
    return false;
  function.removeDeadConstantUsers();
  const auto isAddress = [](const llvm::Use& use) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return !call || !call->isCallee(&use);
  };
  return llvm::any_of(function.uses(), isAddress) && !isNamedByAlias(function);
}

llvm::SmallVector<llvm::CallInst*> callsThroughPointers(llvm::Module& module) {
  llvm::SmallVector<llvm::CallInst*> out;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->isIndirectCall() && !llvm::isa<llvm::Constant>(call->getCalledOperand())) out.push_back(call);
    }
  }
  return out;
}

/// `constant` with integers for the pointers that were made of numbers: as long as them and where they were. An array
/// of such and others becomes a structure.
llvm::Constant* withNumbers(llvm::Constant& constant) {
  if (const auto* const expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    // In whatever address space functions are; of members as an integer.
    const bool isInteger = expression->getOpcode() == llvm::Instruction::PtrToInt;
    const llvm::Value* const address = isInteger ? expression->getOperand(0) : &constant;
    const auto* const made = llvm::dyn_cast<llvm::ConstantExpr>(address->stripPointerCasts());
    if (!made || made->getOpcode() != llvm::Instruction::IntToPtr) return &constant;
    llvm::Constant* const number = made->getOperand(0);
    return !isInteger || number->getType() == constant.getType() ? number : &constant;
  }
  if (!llvm::isa<llvm::ConstantStruct, llvm::ConstantArray>(constant)) return &constant;
  llvm::SmallVector<llvm::Constant*> parts;
  bool changed = false;
  llvm::Type* number = nullptr;
  for (const llvm::Use& part : constant.operands()) {
    auto& before = llvm::cast<llvm::Constant>(*part.get());
    parts.push_back(withNumbers(before));
    changed |= parts.back() != &before;
    if (before.getType()->isPointerTy() && parts.back() != &before) number = parts.back()->getType();
  }
  if (!changed) return &constant;
  for (llvm::Constant*& part : parts)
    if (number && part->isNullValue() && part->getType()->isPointerTy()) part = llvm::ConstantInt::get(number, 0);
  const auto isFirsts = [&](const llvm::Constant* part) { return part->getType() == parts.front()->getType(); };
  if (constant.getType()->isArrayTy() && llvm::all_of(parts, isFirsts))
    return llvm::ConstantArray::get(llvm::ArrayType::get(parts.front()->getType(), parts.size()), parts);
  const auto* const structure = llvm::dyn_cast<llvm::StructType>(constant.getType());
  return llvm::ConstantStruct::getAnon(parts, structure && structure->isPacked());
}

/// Keeps functions in variables as the numbers that they are: back ends take pointers that are made of numbers for
/// addresses, or cannot write them.
void keepNumbers(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    if (!variable.hasInitializer()) continue;
    llvm::Constant* const value = withNumbers(*variable.getInitializer());
    if (value == variable.getInitializer()) continue;
    const llvm::Align align = variable.getPointerAlignment(module.getDataLayout());
    llvm::GlobalVariable& made = remade(variable, value->getType(), variable.getAddressSpace());
    made.setInitializer(value);
    made.setAlignment(align);
    variable.replaceAllUsesWith(&made);
    variable.eraseFromParent();
  }
}

}  // namespace

void callByNumber(llvm::Module& module, llvm::function_ref<FunctionSet()> find, bool complete) {
  // As addresses of functions do, a number leaves the lowest bit free: it says of a member that it is virtual.
  constexpr std::uint64_t step = 2;
  std::uint64_t last = 0;
  for (const llvm::Function& function : module) last = std::max(last, numberOf(function));
  while (true) {
    FunctionSet addressed = find();
    addressed.remove_if([](llvm::Function* function) { return !isAddressed(*function); });
    if (addressed.empty()) return;
    llvm::MapVector<llvm::FunctionType*, llvm::SmallVector<llvm::Function*>> byType;
    for (llvm::Function* const function : addressed) {
      last += step;
      llvm::Function& made = numbered(*function, last);
      byType[made.getFunctionType()].push_back(&made);
    }
    for (llvm::CallInst* const call : callsThroughPointers(module)) {
      const auto callees = byType.find(call->getFunctionType());
      if (callees != byType.end()) choose(*call, callees->second, complete);
    }
  }
}

llvm::Error stage::callByNumber(Lowering& lowering) {
  const auto all = [&] {
    FunctionSet out;
    for (llvm::Function& function : *lowering.module) out.insert(&function);
    return out;
  };
  detail::callByNumber(*lowering.module, all, /*complete=*/true);
  keepNumbers(*lowering.module);
  return llvm::Error::success();
}

}  // namespace lathe::detail
