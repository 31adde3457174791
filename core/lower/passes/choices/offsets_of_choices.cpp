// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of a local structure that control flow chooses.
#include "core/lower/passes/choices/offsets_of_choices.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "core/lower/passes/choices/choices.h"

namespace lathe::detail {
namespace {

bool isInLocalVariable(const llvm::DataLayout& layout, const llvm::Value* address) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  return llvm::isa<llvm::AllocaInst>(address->stripAndAccumulateConstantOffsets(layout, offset, true));
}

bool isOnlyLoaded(const llvm::Value& address) {
  return llvm::all_of(address.users(), [](const llvm::User* user) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(user);
    return load && load->isSimple();
  });
}

/// Whether all that is done with the chosen address is to load from it and from constant offsets to it.
bool isLoadedByMembers(const llvm::PHINode& choice) {
  return llvm::all_of(choice.users(), [](const llvm::User* user) {
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(user)) return load->isSimple();
    const auto* const member = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    return member && member->hasAllConstantIndices() && isOnlyLoaded(*member);
  });
}

void chooseMember(llvm::PHINode& choice, llvm::GetElementPtrInst& member) {
  const llvm::SmallVector<llvm::Value*> indices(member.indices());
  chooseInstead(choice, member, [&](llvm::IRBuilder<>& builder, llvm::Value* address) {
    return builder.CreateGEP(member.getSourceElementType(), address, indices, "", member.getNoWrapFlags());
  });
}

}  // namespace

llvm::PreservedAnalyses OffsetsOfChoices::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::SmallVector<llvm::PHINode*> choices;
  for (llvm::BasicBlock& block : function) {
    for (llvm::PHINode& phi : block.phis()) {
      if (phi.getType()->isPointerTy() && isLoadedByMembers(phi) &&
          llvm::all_of(phi.incoming_values(),
                       [&](const llvm::Use& value) { return isInLocalVariable(layout, value.get()); }))
        choices.push_back(&phi);
    }
  }
  bool changed = false;
  for (llvm::PHINode* choice : choices) {
    for (llvm::User* user : llvm::make_early_inc_range(choice->users())) {
      auto* const member = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      if (!member) continue;
      chooseMember(*choice, *member);
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
