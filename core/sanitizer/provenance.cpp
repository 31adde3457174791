// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An address that left its memory may be that of other memory. So what counts is where it came from: arithmetic is
// followed back, and where a pointer runs through a loop its base runs along.
//
//   before: %p = phi ptr [ %data, %entry ], [ %next, %loop ]        ; %next = getelementptr i32, ptr %p, i64 1
//   after:  %base = phi ptr [ %data, %entry ], [ %base, %loop ]
//
// SoftBound (Nagarakatte et al., PLDI 2009) keeps bounds beside each pointer in the same way. Pointers in memory have
// none here: they are their own base.
#include "core/sanitizer/provenance.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace lathe::detail {

llvm::Value& Provenance::baseOf(llvm::Value& pointer) {
  llvm::Value* at = &pointer;
  for (;;) {
    if (auto* const step = llvm::dyn_cast<llvm::GEPOperator>(at)) {
      at = step->getPointerOperand();
    } else if (auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(at)) {
      at = cast->getPointerOperand();
    } else if (auto* const frozen = llvm::dyn_cast<llvm::FreezeInst>(at)) {
      at = frozen->getOperand(0);
    } else if (llvm::isa<llvm::PHINode, llvm::SelectInst>(at) && at->getType()->isPointerTy()) {
      return chosen(*at);
    } else {
      // Arithmetic on null is how some write an integer's conversion.
      return llvm::isa<llvm::ConstantPointerNull>(at) ? pointer : *at;
    }
  }
}

llvm::Value& Provenance::chosen(llvm::Value& choice) {
  if (llvm::Value* const known = bases_.lookup(&choice)) return *known;
  // One that always leads to the same memory needs no twin.
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&choice, objects, nullptr, 0);
  if (objects.size() == 1 &&
      (llvm::isa<llvm::Constant, llvm::Argument>(objects.front()) || llvm::isa<llvm::AllocaInst>(objects.front()))) {
    auto* const only = const_cast<llvm::Value*>(objects.front());
    bases_[&choice] = only;
    return *only;
  }
  const auto as = [&](llvm::Value& base, llvm::Instruction& before) -> llvm::Value* {
    if (base.getType() == choice.getType()) return &base;
    return new llvm::AddrSpaceCastInst(&base, choice.getType(), "", before.getIterator());
  };
  if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&choice)) {
    llvm::Value* const left = as(baseOf(*select->getTrueValue()), *select);
    llvm::Value* const right = as(baseOf(*select->getFalseValue()), *select);
    llvm::Value* const twin =
        left == right ? left : llvm::SelectInst::Create(select->getCondition(), left, right, "", select->getIterator());
    bases_[&choice] = twin;
    return *twin;
  }
  auto& phi = llvm::cast<llvm::PHINode>(choice);
  llvm::PHINode* const twin =
      llvm::PHINode::Create(phi.getType(), phi.getNumIncomingValues(), "base", phi.getIterator());
  bases_[&phi] = twin;  // a loop leads back here
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    llvm::BasicBlock* const from = phi.getIncomingBlock(i);
    const int before = twin->getBasicBlockIndex(from);  // a switch may come from one block more than once
    llvm::Value* const base = before >= 0 ? twin->getIncomingValue(static_cast<unsigned>(before))
                                          : as(baseOf(*phi.getIncomingValue(i)), *from->getTerminator());
    twin->addIncoming(base, from);
  }
  return *twin;
}

bool surelyWithin(const llvm::Value& pointer, const llvm::Value& base, std::uint64_t size, std::uint64_t bytes) {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&base);
  const auto* const argument = llvm::dyn_cast<llvm::Argument>(&base);
  const auto* const variable = llvm::dyn_cast<llvm::GlobalValue>(&base);
  const llvm::Module* const module = instruction ? instruction->getModule()
                                     : argument  ? argument->getParent()->getParent()
                                     : variable  ? variable->getParent()
                                                 : nullptr;
  if (!module) return false;
  const llvm::DataLayout& layout = module->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const llvm::Value* const reached =
      pointer.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return reached == &base && !offset.isNegative() && offset.ule(size) && bytes <= size - offset.getZExtValue();
}

}  // namespace lathe::detail
