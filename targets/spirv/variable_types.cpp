// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of local variables: what LLVM's back end for SPIR-V would find out wrongly, or leave out.
#include "variable_types.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

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
/// several items side by side would heed.
llvm::AllocaInst& aligned(llvm::AllocaInst& variable) {
  const llvm::DataLayout& layout = variable.getDataLayout();
  const std::uint64_t bytes = variable.getAllocationSize(layout).value_or(llvm::TypeSize::getFixed(0)).getFixedValue();
  const std::uint64_t align = variable.getAlign().value(), most = 128;  // of the largest vector, 16 words of 64 bits
  if (bytes == 0 || align > most ||
      (align <= layout.getABITypeAlign(variable.getAllocatedType()).value() && bytes % align == 0))
    return variable;
  llvm::IRBuilder<> builder(&variable);
  llvm::Type* element = builder.getIntNTy(static_cast<unsigned>(8 * std::min<std::uint64_t>(align, 8)));
  if (align > 8) element = llvm::FixedVectorType::get(element, static_cast<unsigned>(align / 8));
  llvm::AllocaInst* const made =
      builder.CreateAlloca(llvm::ArrayType::get(element, (bytes + align - 1) / align), variable.getAddressSpace());
  made->setAlignment(variable.getAlign());
  made->takeName(&variable);
  variable.replaceAllUsesWith(made);
  variable.eraseFromParent();
  return *made;
}

}  // namespace

void keepVariableTypes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(function.getEntryBlock()))
      if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) keepType(aligned(*variable));
  }
}

}  // namespace lathe::targets
