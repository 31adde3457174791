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

namespace {

/// Elements of the widest vector that `instruction` computes, or loads or stores; 1 for others. What takes vectors
/// apart and together may be as wide as several of them.
std::uint64_t elementsOf(const llvm::Instruction& instruction, bool isAccess) {
  const llvm::Type* type = instruction.getType();
  if (isAccess) {
    if (!llvm::getLoadStorePointerOperand(&instruction)) return 1;
    type = llvm::getLoadStoreType(&instruction);
  } else if (!llvm::isa<llvm::UnaryOperator, llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst>(instruction)) {
    return 1;
  }
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

}  // namespace

/// Items per instruction: the widest vector that each entry computes with, or where it only moves values, moves.
llvm::Error stage::vectorWidth(Lowering& lowering) {
  for (EntryPoint& entry : lowering.info.entries) {
    std::uint64_t computed = 1, moved = 1;
    const Reachability reached(lowering.functionOf(entry));
    for (const llvm::Function* function : reached.functions()) {
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        computed = std::max(computed, elementsOf(instruction, false));
        moved = std::max(moved, elementsOf(instruction, true));
      }
    }
    entry.resources.vectorWidth = static_cast<std::int64_t>(computed > 1 ? computed : moved);
  }
  return llvm::Error::success();
}

}  // namespace lathe::detail
