// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources of divergence. A plain load from a uniform address is uniform: no item may write what another reads between
// two barriers, so all items of a group that reach the load read the same. Items that order memory otherwise
// (ordersMemory()) may.
#include "core/group/analysis/uniformity.h"

#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/AtomicOrdering.h"

namespace lathe::detail {
namespace {

class DivergenceSources final : public llvm::TargetTransformInfoImplBase {
 public:
  DivergenceSources(const llvm::DataLayout& layout, const TimeDependence& dependence)
      : TargetTransformInfoImplBase(layout), dependence_(dependence) {}

  bool hasBranchDivergence(const llvm::Function* = nullptr) const override { return true; }

  llvm::InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    return diverges(*value) ? llvm::InstructionUniformity::NeverUniform : llvm::InstructionUniformity::Default;
  }

 private:
  bool diverges(const llvm::Value& value) const {
    if (llvm::isa<llvm::AllocaInst>(value)) return true;  // one for each item
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) {
      return load->isVolatile() || load->isAtomic() ||
             (dependence_.loads.contains(load->getParent()) && !readsConstant(*load));
    }
    // A value that some items alone have set is theirs: the undefined one of the others must not replace it.
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value))
      return dependence_.heads.contains(phi->getParent()) || llvm::any_of(phi->incoming_values(), isUndefined);
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&value)) return !intrinsic->doesNotAccessMemory();
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&value)) return !call->hasFnAttr(ofLaunchAttribute);
    return instruction && instruction->isAtomic();
  }

  static bool isUndefined(const llvm::Value* value) { return llvm::isa<llvm::UndefValue>(value); }

  /// Nothing changes what `load` reads while the kernel runs.
  static bool readsConstant(const llvm::LoadInst& load) {
    const llvm::Value* const object = llvm::getUnderlyingObject(load.getPointerOperand());
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    const auto* const argument = llvm::dyn_cast<llvm::Argument>(object);
    return load.hasMetadata(llvm::LLVMContext::MD_invariant_load) || (variable && variable->isConstant()) ||
           (argument && argument->hasNoAliasAttr() && argument->onlyReadsMemory());
  }

  TimeDependence dependence_;
};

using Functions = llvm::SmallPtrSet<const llvm::Function*, 8>;

bool ordersMemory(const llvm::BasicBlock& block, Functions& seen) {
  return llvm::any_of(block, [&](const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::FenceInst, llvm::AtomicCmpXchgInst>(instruction)) return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->isAtomic() && llvm::isAcquireOrStronger(load->getOrdering());
    if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return change->getOperation() == llvm::AtomicRMWInst::Xchg || llvm::isAcquireOrStronger(change->getOrdering());
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
    if (!callee) return call && !call->isInlineAsm();
    return seen.insert(callee).second &&
           llvm::any_of(*callee, [&](const llvm::BasicBlock& inner) { return ordersMemory(inner, seen); });
  });
}

}  // namespace

bool ordersMemory(const llvm::BasicBlock& block) {
  Functions seen;
  return ordersMemory(block, seen);
}

GroupUniformity::GroupUniformity(llvm::Function& function, const TimeDependence& dependence)
    : dominators_(function), sources_(std::make_unique<DivergenceSources>(function.getDataLayout(), dependence)) {
  cycles_.compute(function);
  info_ = std::make_unique<llvm::UniformityInfo>(dominators_, cycles_, &sources_);
  info_->compute();
}

}  // namespace lathe::detail
