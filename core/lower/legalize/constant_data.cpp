// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant tables in a memory of their own (`address_spaces.constant_data`): what no pointer of another kind can reach,
// and what every device can initialise. A table whose address goes anywhere but into loads stays where it is.
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"

#include "core/lower/legalize/legalize.h"
#include "core/lower/lowering.h"

namespace lathe::detail {
namespace {

/// Whether `pointer` only leads to loads, through address computations.
bool onlyRead(const llvm::Value& pointer) {
  return llvm::all_of(pointer.users(), [](const llvm::User* user) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) return !load->isAtomic() && !load->isVolatile();
    return llvm::isa<llvm::GEPOperator>(user) && onlyRead(*user);
  });
}

void rebase(llvm::Value& old, llvm::Value& made);

void rebaseUser(llvm::User& user, llvm::Value& made) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
    load->setOperand(0, &made);
  } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&user)) {
    llvm::SmallVector<llvm::Value*> indices(address->indices());
    llvm::Value* const moved = llvm::IRBuilder<>(address).CreateGEP(address->getSourceElementType(), &made, indices,
                                                                    address->getName(), address->getNoWrapFlags());
    rebase(*address, *moved);
    address->eraseFromParent();
  } else {
    auto& constant = llvm::cast<llvm::GEPOperator>(user);
    llvm::SmallVector<llvm::Constant*> indices;
    for (llvm::Use& index : constant.indices()) indices.push_back(llvm::cast<llvm::Constant>(index));
    rebase(constant,
           *llvm::ConstantExpr::getGetElementPtr(constant.getSourceElementType(), llvm::cast<llvm::Constant>(&made),
                                                 indices, constant.getNoWrapFlags()));
  }
}

void rebase(llvm::Value& old, llvm::Value& made) {
  llvm::SmallSetVector<llvm::User*, 8> users;
  users.insert_range(old.users());
  for (llvm::User* user : users) rebaseUser(*user, made);
}

bool holdsAddress(const llvm::Constant& value) {
  if (llvm::isa<llvm::GlobalValue>(value)) return true;
  return llvm::any_of(value.operands(), [](const llvm::Use& operand) {
    const auto* const inner = llvm::dyn_cast<llvm::Constant>(operand.get());
    return inner && holdsAddress(*inner);
  });
}

}  // namespace

void dropUnwritable(Lowering& lowering) {
  const bool hasVariables = lowering.descriptor.hasHostVariables();
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(lowering.module->globals())) {
    variable.removeDeadConstantUsers();
    if (!variable.use_empty() || variable.getName().starts_with("llvm.")) continue;
    if (!hasVariables || (variable.hasInitializer() && holdsAddress(*variable.getInitializer())))
      variable.eraseFromParent();
  }
}

void moveConstantData(Lowering& lowering) {
  const auto space = lowering.descriptor.addressSpaces.constantData;
  if (!space) return;
  llvm::Module& module = *lowering.module;
  for (llvm::GlobalVariable& table : llvm::make_early_inc_range(module.globals())) {
    if (!table.isConstant() || !table.hasLocalLinkage() || !table.hasInitializer()) continue;
    table.removeDeadConstantUsers();
    if (table.getAddressSpace() == *space || !onlyRead(table)) continue;
    auto* const made =
        new llvm::GlobalVariable(module, table.getValueType(), true, table.getLinkage(), table.getInitializer(), "",
                                 &table, llvm::GlobalValue::NotThreadLocal, *space);
    made->copyAttributesFrom(&table);
    made->takeName(&table);
    rebase(table, *made);
    table.removeDeadConstantUsers();
    table.eraseFromParent();
  }
}

}  // namespace lathe::detail
