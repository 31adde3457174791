// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage work_groups: kernels of one item become functions of a whole group (core/group). Stage vector_width
// reads off how wide the item loop was vectorised.
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "core/group/entry/group_entry.h"
#include "core/group/work_group.h"
#include "core/lower/lowering.h"
#include "core/lower/reachability.h"
#include "core/lower/stages.h"

namespace lathe::detail {

llvm::Error stage::workGroups(Lowering& lowering) {
  auto lowered = lowerWorkGroups(*lowering.module, *lowering.machine,
                                 {.groupSpace = lowering.descriptor.addressSpaces.group,
                                  .subgroupSize = lowering.descriptor.subgroupSizes.front()});
  if (!lowered) return lowered.takeError();
  lowering.info.requires_.emplace_back(abi::groupEntryRequirement);
  for (const WorkGroupResources& resources : *lowered) {
    for (EntryPoint& entry : lowering.info.entries) {
      if (entry.symbol != resources.symbol) continue;
      entry.resources.sharedBytes = static_cast<std::int64_t>(resources.sharedBytes);
      entry.resources.contextBytes = static_cast<std::int64_t>(resources.contextBytes);
      entry.dynamicShared = resources.dynamicShared;
    }
  }
  return llvm::Error::success();
}

/// The widest vector that each entry loads or stores: items per instruction.
llvm::Error stage::vectorWidth(Lowering& lowering) {
  for (EntryPoint& entry : lowering.info.entries) {
    std::uint64_t widest = 1;
    const Reachability reached(lowering.functionOf(entry));
    for (const llvm::Function* function : reached.functions()) {
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) continue;
        const auto* vector =
            llvm::dyn_cast<llvm::FixedVectorType>(llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction)));
        if (vector) widest = std::max<std::uint64_t>(widest, vector->getNumElements());
      }
    }
    entry.resources.vectorWidth = static_cast<std::int64_t>(widest);
  }
  return llvm::Error::success();
}

}  // namespace lathe::detail
