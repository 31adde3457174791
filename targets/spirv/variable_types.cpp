// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of local variables: what LLVM's back end for SPIR-V would find out wrongly, or leave out.
#include "variable_types.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

/// The alignment of the largest vector, 16 words of 64 bits.
constexpr std::uint64_t mostOfType = 128;
/// The largest alignment that LLVM 22's back end can say of a local variable: it keeps it in eight bits, with a sign.
constexpr std::uint64_t mostSaid = 64;

/// Whether there are addresses in a `type`.
bool holdsAddress(const llvm::Type* type) {
  return type->isPointerTy() || (type->isAggregateType() && llvm::any_of(type->subtypes(), holdsAddress));
}

/// Whether `user` loads or stores an address, or counts what holds addresses.
bool knowsAddresses(const llvm::User* user) {
  const auto* const place = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
  const bool moves = llvm::isa<llvm::LoadInst, llvm::StoreInst>(user);
  return (place && holdsAddress(place->getSourceElementType())) ||
         (moves && holdsAddress(llvm::getLoadStoreType(user)));
}

void keepType(llvm::AllocaInst& variable) {
  if (variable.getAllocatedType()->isPointerTy() || llvm::none_of(variable.users(), knowsAddresses)) return;
  llvm::IRBuilder<> builder(&*variable.getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  auto* const begin = llvm::GetElementPtrInst::CreateInBounds(variable.getAllocatedType(), &variable,
                                                              {builder.getInt64(0)}, "", builder.GetInsertPoint());
  variable.replaceUsesWithIf(begin, [&](const llvm::Use& use) {
    return use.getUser() != begin && !llvm::cast<llvm::Instruction>(use.getUser())->isLifetimeStartOrEnd();
  });
}

/// Gives a variable a type of its alignment: SPIR-V has no other word for it that a device which keeps the variables of
/// several items side by side would heed. Of more than any type has, it gives a larger one whose beginning moves.
llvm::AllocaInst& aligned(llvm::AllocaInst& variable) {
  const llvm::DataLayout& layout = variable.getDataLayout();
  const std::uint64_t bytes = variable.getAllocationSize(layout).value_or(llvm::TypeSize::getFixed(0)).getFixedValue();
  const std::uint64_t asked = variable.getAlign().value(), align = std::min(asked, mostOfType);
  if (bytes == 0 ||
      (align <= layout.getABITypeAlign(variable.getAllocatedType()).value() && bytes % align == 0 && asked <= mostSaid))
    return variable;
  llvm::IRBuilder<> builder(&variable);
  llvm::Type* element = builder.getIntNTy(static_cast<unsigned>(8 * std::min<std::uint64_t>(align, 8)));
  if (align > 8) element = llvm::FixedVectorType::get(element, static_cast<unsigned>(align / 8));
  // With room for moving its beginning, by as much in each item: a device may have computed that for one of them.
  const std::uint64_t room = llvm::alignTo(bytes + asked - align, asked);
  llvm::AllocaInst* const made =
      builder.CreateAlloca(llvm::ArrayType::get(element, room / align), variable.getAddressSpace());
  made->setAlignment(llvm::Align(std::min(asked, mostSaid)));
  made->takeName(&variable);
  llvm::Value* begin = made;
  if (asked > align) {
    for (llvm::User* const user : llvm::make_early_inc_range(variable.users()))
      if (auto* const mark = llvm::cast<llvm::Instruction>(user); mark->isLifetimeStartOrEnd()) mark->eraseFromParent();
    builder.SetInsertPoint(variable.getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    llvm::Value* const address = builder.CreatePtrToInt(made, layout.getIntPtrType(made->getType()));
    llvm::Value* const missing =
        builder.CreateAnd(builder.CreateNeg(address), llvm::ConstantInt::get(address->getType(), asked - 1));
    begin = builder.CreateGEP(builder.getInt8Ty(), made, missing);
  }
  variable.replaceAllUsesWith(begin);
  variable.eraseFromParent();
  return *made;
}

}  // namespace

void keepVariableTypes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    llvm::SmallVector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& instruction : function.getEntryBlock())
      if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables.push_back(variable);
    for (llvm::AllocaInst* const variable : variables) keepType(aligned(*variable));
  }
}

}  // namespace lathe::targets
