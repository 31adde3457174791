// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An address that is not called is one that is launched.
#include "core/lower/launched_kernels.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

#include "core/abi/device_abi.h"
#include "core/portable/vocabulary.h"

namespace lathe::detail {

bool launchesKernels(const llvm::Module& module) {
  const llvm::Function* const launch = module.getFunction(abiEntry(AbiId::launch).symbol);
  return launch && !launch->use_empty();
}

std::vector<llvm::Function*> launchedKernels(llvm::Module& module, std::span<llvm::Function* const> roots) {
  std::vector<llvm::Function*> out;
  if (!launchesKernels(module)) return out;
  llvm::SetVector<llvm::Constant*> reached(roots.begin(), roots.end());
  llvm::SmallPtrSet<const llvm::Function*, 8> launched(roots.begin(), roots.end());
  const auto visit = [&](const llvm::Use& use) {
    auto* const constant = llvm::dyn_cast<llvm::Constant>(use.get());
    if (!constant) return;
    reached.insert(constant);
    auto* const function = llvm::dyn_cast<llvm::Function>(constant);
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (!function || function->isDeclaration() || !function->hasFnAttribute(attribute::kernel)) return;
    if ((!call || !call->isCallee(&use)) && launched.insert(function).second) out.push_back(function);
  };
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (auto* const function = llvm::dyn_cast<llvm::Function>(reached[i])) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        for (const llvm::Use& use : instruction.operands()) visit(use);
      }
    } else {
      for (const llvm::Use& use : reached[i]->operands()) visit(use);
    }
  }
  return out;
}

void lowerLaunchArguments(llvm::Function& entry) {
  const llvm::DataLayout& layout = entry.getParent()->getDataLayout();
  for (llvm::User* const user : llvm::make_early_inc_range(entry.users())) {
    auto& call = *llvm::cast<llvm::CallInst>(user);
    const auto* const align = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    auto* const bytes = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
    if (!align || !bytes) continue;  // validation says that the entry is still called
    const llvm::Align aligned(
        llvm::PowerOf2Ceil(std::max<std::uint64_t>(align->getZExtValue(), sizeof(std::uint64_t))));
    llvm::BasicBlock& first = call.getFunction()->getEntryBlock();
    llvm::IRBuilder<> at(&first, first.begin());
    llvm::Type* const type = llvm::ArrayType::get(at.getInt8Ty(), aligned.value() + bytes->getZExtValue());
    llvm::AllocaInst* const memory = at.CreateAlloca(type, layout.getAllocaAddrSpace());
    memory->setAlignment(aligned);
    at.SetInsertPoint(&call);
    at.CreateAlignedStore(bytes, at.CreateConstGEP1_64(at.getInt8Ty(), memory, aligned.value() - sizeof(std::uint64_t)),
                          llvm::Align(sizeof(std::uint64_t)));
    llvm::Value* const arguments = at.CreateConstGEP1_64(at.getInt8Ty(), memory, aligned.value());
    call.replaceAllUsesWith(at.CreatePointerBitCastOrAddrSpaceCast(arguments, call.getType()));
    call.eraseFromParent();
  }
}

}  // namespace lathe::detail
