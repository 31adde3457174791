// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures that a kernel is passed by value. Where every store goes is plain only when the functions that the
// structure was given to are part of the kernel.
#include "core/lower/passes/byval_parameters.h"

#include <cstdint>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <lathe/sdk/portable_ir.h>

namespace lathe::detail {
namespace {

/// What is done with memory: of `unknown` some use is no plain load, store or copy.
enum class Access : std::uint8_t { read, written, unknown };

/// The access of what uses the memory at `start`, but for `leftOut`.
Access accessOf(const llvm::Value& start, const llvm::Instruction* leftOut = nullptr) {
  bool written = false;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen = {&start};
  llvm::SmallVector<const llvm::Value*, 16> addresses = {&start};
  while (!addresses.empty()) {
    const llvm::Value* const address = addresses.pop_back_val();
    for (const llvm::User* const user : address->users()) {
      if (user == leftOut) continue;
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user)) {
        if (seen.insert(user).second) addresses.push_back(user);
        continue;
      }
      if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == address) return Access::unknown;
        written = true;
      } else if (const auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
        written |= memory->getRawDest() == address;
      } else if (!llvm::isa<llvm::LoadInst>(user) && !llvm::cast<llvm::Instruction>(user)->isLifetimeStartOrEnd()) {
        return Access::unknown;
      }
    }
  }
  return written ? Access::written : Access::read;
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

/// The local variable that `copy` alone writes, with the whole of `parameter`; null: it is another, or does more.
llvm::AllocaInst* onlyCopiedTo(llvm::MemCpyInst& copy, const llvm::Argument& parameter) {
  auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(copy.getDest());
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const llvm::DataLayout& layout = copy.getDataLayout();
  if (copy.getRawSource() != &parameter || copy.isVolatile() || !variable || !length ||
      variable->getAlign() > parameter.getParamAlign().valueOrOne() ||
      variable->getAllocationSize(layout) != llvm::TypeSize::getFixed(length->getZExtValue()))
    return nullptr;
  return accessOf(*variable, &copy) == Access::read ? variable : nullptr;
}

/// Makes all that reads at `address` read at `place`, which may be in another space, and erases `address`.
void readAt(llvm::Value& place, llvm::Instruction& address) {
  for (llvm::User* const user : llvm::make_early_inc_range(address.users())) {
    auto& instruction = *llvm::cast<llvm::Instruction>(user);
    llvm::IRBuilder<> builder(&instruction);
    if (auto* const element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      const llvm::SmallVector<llvm::Value*> indices(element->indices());
      readAt(*builder.CreateGEP(element->getSourceElementType(), &place, indices, "", element->getNoWrapFlags()),
             *element);
    } else if (llvm::isa<llvm::AddrSpaceCastInst>(user)) {
      readAt(place, instruction);
    } else if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      load->setOperand(llvm::LoadInst::getPointerOperandIndex(), &place);
    } else {
      if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(user))
        builder.CreateMemCpy(copy->getRawDest(), copy->getDestAlign(), &place, copy->getSourceAlign(),
                             copy->getLength(), copy->isVolatile(), copy->getAAMetadata());
      instruction.eraseFromParent();  // it, or the mark of a lifetime
    }
  }
  address.eraseFromParent();
}

/// Lets what reads copies of `parameter`, which nobody writes to, read it itself. InstCombine would where a parameter
/// is known for constant, but keep that a pointer is one to local memory.
bool readInPlace(llvm::Argument& parameter) {
  bool changed = false;
  for (llvm::User* const user : llvm::make_early_inc_range(parameter.users())) {
    auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(user);
    llvm::AllocaInst* const variable = copy ? onlyCopiedTo(*copy, parameter) : nullptr;
    if (!variable) continue;
    copy->eraseFromParent();
    readAt(parameter, *variable);
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses PlaceByvalParameters::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(sdk::attribute::kernel)) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Argument& parameter : function.args()) {
    if (!parameter.hasByValAttr()) continue;
    const Access access = accessOf(parameter);
    if (access == Access::read) changed |= readInPlace(parameter);
    if (access != Access::written) continue;
    copy(parameter);
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lathe::detail
