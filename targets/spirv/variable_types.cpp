// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of local variables.
#include "variable_types.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

/// An access by `user` to the variable's begin, where an address is.
bool movesAddress(const llvm::User* user, const llvm::AllocaInst& variable) {
  return llvm::isa<llvm::LoadInst, llvm::StoreInst>(user) && llvm::getLoadStorePointerOperand(user) == &variable &&
         llvm::getLoadStoreType(user)->isPointerTy();
}

void keepType(llvm::AllocaInst& variable) {
  const auto moves = [&](const llvm::User* user) { return movesAddress(user, variable); };
  if (variable.getAllocatedType()->isPointerTy() || llvm::none_of(variable.users(), moves)) return;
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
