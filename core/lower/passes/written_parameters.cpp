// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures that a kernel is passed by value and writes to. Where every store goes is plain only when the functions
// that the structure was given to are part of the kernel.
#include "core/lower/passes/written_parameters.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <lathe/sdk/portable_ir.h>

namespace lathe::detail {
namespace {

/// Whether there is a store behind `parameter`, of which all other uses are plain too.
bool isWritten(const llvm::Argument& parameter) {
  bool written = false;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen = {&parameter};
  llvm::SmallVector<const llvm::Value*, 16> addresses = {&parameter};
  while (!addresses.empty()) {
    const llvm::Value* const address = addresses.pop_back_val();
    for (const llvm::User* const user : address->users()) {
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user)) {
        if (seen.insert(user).second) addresses.push_back(user);
        continue;
      }
      if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == address) return false;
        written = true;
      } else if (const auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
        written |= memory->getRawDest() == address;
      } else if (!llvm::isa<llvm::LoadInst>(user) && !llvm::cast<llvm::Instruction>(user)->isLifetimeStartOrEnd()) {
        return false;
      }
    }
  }
  return written;
}

/// Behind the other variables: an expanded copy splits the block, and a variable of a later block is a dynamic one.
void copy(llvm::Argument& parameter) {
  llvm::Function& kernel = *parameter.getParent();
  const llvm::DataLayout& layout = kernel.getDataLayout();
  llvm::Type* const type = parameter.getParamByValType();
  const llvm::Align align = parameter.getParamAlign().valueOrOne();
  llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  llvm::AllocaInst* const own = builder.CreateAlloca(type, layout.getAllocaAddrSpace(), nullptr);
  own->takeName(&parameter);
  own->setAlignment(align);
  parameter.replaceAllUsesWith(builder.CreateAddrSpaceCast(own, parameter.getType()));
  builder.CreateMemCpy(own, align, &parameter, align, layout.getTypeAllocSize(type));
}

}  // namespace

llvm::PreservedAnalyses CopyWrittenParameters::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(sdk::attribute::kernel)) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Argument& parameter : function.args()) {
    if (!parameter.hasByValAttr() || !isWritten(parameter)) continue;
    copy(parameter);
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lathe::detail
