// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/lower/work_group/shared_volatiles.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include "core/lower/work_group/device_calls.h"

namespace lathe::detail {
namespace {

/// Local variables, parameters of kernels and variables of other spaces are not; what is loaded from memory, or passed
/// to a function, may be.
bool mayBeGroupShared(const llvm::Value& pointer, unsigned groupSpace) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, /*MaxLookup=*/0);
  return llvm::any_of(objects, [&](const llvm::Value* object) {
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object))
      return variable->getAddressSpace() == groupSpace;
    if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(object))
      return !parameter->getParent()->hasFnAttribute("lathe.kernel");
    return !llvm::isa<llvm::AllocaInst>(object);
  });
}

bool isSharedVolatile(const llvm::Instruction& instruction, unsigned groupSpace) {
  const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer && instruction.isVolatile() && mayBeGroupShared(*pointer, groupSpace);
}

/// What the items of a subgroup have done since they met.
enum class Since { unknown, nothing, loads, stores };

}  // namespace

bool hasSharedVolatiles(const llvm::Function& function, unsigned groupSpace) {
  return llvm::any_of(llvm::instructions(function),
                      [&](const llvm::Instruction& instruction) { return isSharedVolatile(instruction, groupSpace); });
}

void keepVolatilesInStep(llvm::Function& kernel, unsigned groupSpace) {
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
      subgroupMeetName, llvm::FunctionType::get(builder.getInt32Ty(), {builder.getInt32Ty()}, false));
  llvm::cast<llvm::Function>(meet.getCallee())->setConvergent();
  for (llvm::Instruction* access : meetings) {
    builder.SetInsertPoint(access);
    builder.CreateCall(meet, {builder.getInt32(0)});
  }
}

}  // namespace lathe::detail
