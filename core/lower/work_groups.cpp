// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 9, work groups: for targets without items in hardware, kernels of one item become functions of a whole group
// (core/lower/work_group). Others pass.
#include "core/lower/lowering.h"
#include "core/lower/work_group/work_group.h"

namespace lathe::detail {

llvm::Error stage::workGroups(Lowering& lowering) {
  if (lowering.descriptor.items) return llvm::Error::success();
  auto lowered = lowerWorkGroups(*lowering.module, *lowering.machine, {.groupSpace = lowering.descriptor.addressSpaces.group});
  if (!lowered) return lowered.takeError();
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

}  // namespace lathe::detail
