// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of local variables.
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

}  // namespace

void keepVariableTypes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(function.getEntryBlock()))
      if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) keepType(*variable);
  }
}

}  // namespace lathe::targets
