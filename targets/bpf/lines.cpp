// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/bpf/lines.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

/// The addresses on the way from a context to the one access that they are for.
void placeAddresses(llvm::Instruction& from) {
  llvm::SmallVector<llvm::Instruction*> way{&from};
  while (way.back()->hasOneUse()) {
    auto* const user = llvm::cast<llvm::Instruction>(*way.back()->user_begin());
    if (llvm::isa<llvm::GetElementPtrInst>(user)) {
      way.push_back(user);
      continue;
    }
    if (llvm::getLoadStorePointerOperand(user) != way.back() || !user->getDebugLoc()) return;
    for (llvm::Instruction* const address : way) address->setDebugLoc(user->getDebugLoc());
    return;
  }
}

}  // namespace

void placeMembers(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.getIntrinsicID() != llvm::Intrinsic::preserve_static_offset) continue;
    for (llvm::User* const context : function.users()) {
      for (llvm::User* const address : context->users())
        if (auto* const member = llvm::dyn_cast<llvm::GetElementPtrInst>(address)) placeAddresses(*member);
    }
  }
}

void showCallers(llvm::Module& module) {
  // The folder of headers that exist inside Lathe only.
  const auto isOwn = [](const llvm::DILocation* at) { return at->getFilename().starts_with("/lathe/include/"); };
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::DILocation* at = instruction.getDebugLoc();
      while (at && at->getInlinedAt() && isOwn(at)) at = at->getInlinedAt();
      if (at && at != instruction.getDebugLoc().get()) instruction.setDebugLoc(llvm::DebugLoc(at));
    }
  }
}

}  // namespace lathe::targets
