// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/group/split/warp_synchronous.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include "core/abi/runtime_abi.h"
#include "core/group/analysis/device_calls.h"

namespace lathe::detail {
namespace {

/// The pointer that an access of checked mode was made from, if `object` is what the runtime gave for it.
const llvm::Value* checkedBase(const llvm::Value& object) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&object);
  const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
  const bool checked = callee && std::string_view(callee->getName()) == runtimeEntry(RuntimeId::check_access).symbol;
  return checked ? call->getArgOperand(2) : nullptr;
}

/// Where pointers come from: local variables, parameters of kernels and variables of other spaces are not shared by a
/// group; what is loaded from memory, or passed to a function, may be. A variable that only holds pointers, as code
/// that is not optimised has for each parameter, is what is stored in it.
class PointerOrigin {
 public:
  explicit PointerOrigin(unsigned groupSpace) : groupSpace_(groupSpace) {}

  [[nodiscard]] bool mayBeGroupShared(const llvm::Value& pointer) {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(&pointer, objects, nullptr, /*MaxLookup=*/0);
    return llvm::any_of(objects, [&](const llvm::Value* object) { return isMaybeShared(*object); });
  }

 private:
  [[nodiscard]] bool isMaybeShared(const llvm::Value& object) {
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&object))
      return variable->getAddressSpace() == groupSpace_;
    if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(&object))
      return !parameter->getParent()->hasFnAttribute("lathe.kernel");
    if (const llvm::Value* const base = checkedBase(object)) return mayBeGroupShared(*base);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&object)) {
      const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
      return !variable || (seen_.insert(variable).second && mayHoldShared(*variable));
    }
    return !llvm::isa<llvm::AllocaInst>(object);
  }

  [[nodiscard]] bool mayHoldShared(const llvm::AllocaInst& variable) {
    return llvm::any_of(variable.users(), [&](const llvm::User* user) {
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store && store->getPointerOperand() == &variable) return mayBeGroupShared(*store->getValueOperand());
      const auto* const instruction = llvm::cast<llvm::Instruction>(user);
      return !llvm::isa<llvm::LoadInst>(user) && !instruction->isLifetimeStartOrEnd();
    });
  }

  unsigned groupSpace_;
  llvm::SmallPtrSet<const llvm::AllocaInst*, 4> seen_;
};

bool isSharedVolatile(const llvm::Instruction& instruction, unsigned groupSpace) {
  const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer && instruction.isVolatile() && PointerOrigin(groupSpace).mayBeGroupShared(*pointer);
}

/// What the items of a subgroup have done since they met.
enum class Since { unknown, nothing, loads, stores };

}  // namespace

bool isWarpSynchronous(const llvm::Function& function, unsigned groupSpace) {
  return llvm::any_of(llvm::instructions(function),
                      [&](const llvm::Instruction& instruction) { return isSharedVolatile(instruction, groupSpace); });
}

void keepWarpSynchronous(llvm::Function& kernel, unsigned groupSpace) {
  llvm::SmallVector<llvm::Instruction*> meetings;  // before each
  for (llvm::BasicBlock& block : kernel) {
    Since since = Since::unknown;
    for (llvm::Instruction& instruction : block) {
      if (isGroupBarrier(instruction) || isSubgroupBarrier(instruction)) since = Since::nothing;
      if (!isSharedVolatile(instruction, groupSpace)) continue;
      const bool stores = llvm::isa<llvm::StoreInst>(instruction);
      if (since != Since::nothing && (stores || since != Since::loads)) meetings.push_back(&instruction);
      since = stores ? Since::stores : Since::loads;
    }
  }
  if (meetings.empty()) return;
  llvm::IRBuilder<> builder(kernel.getContext());
  llvm::FunctionCallee meet = kernel.getParent()->getOrInsertFunction(
      runtimeEntry(RuntimeId::subgroup_converge).symbol,
      llvm::FunctionType::get(builder.getInt64Ty(), {builder.getInt64Ty()}, false));
  llvm::cast<llvm::Function>(meet.getCallee())->setConvergent();
  for (llvm::Instruction* access : meetings) {
    builder.SetInsertPoint(access);
    builder.CreateCall(meet, {builder.getInt64(0)});
  }
}

}  // namespace lathe::detail
