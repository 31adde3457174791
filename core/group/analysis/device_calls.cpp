// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries of the ABI tables, as work-group lowering needs them.
#include "core/group/analysis/device_calls.h"

#include <array>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include "core/abi/runtime_abi.h"

namespace lathe::detail {
namespace {

std::optional<DeviceCall> deviceEntryOf(AbiId id) {
  if (id == AbiId::group_barrier) return DeviceCall{DeviceEntry::barrier};
  if (id == AbiId::subgroup_barrier) return DeviceCall{DeviceEntry::subgroupBarrier};
  if (id == AbiId::dynamic_shared_bytes) return DeviceCall{DeviceEntry::dynamicSharedBytes};
  // The table has the axes of a query in this order.
  constexpr std::array<std::pair<AbiId, DeviceEntry>, 4> indexing = {{
      {AbiId::item_id_x, DeviceEntry::itemId},
      {AbiId::group_id_x, DeviceEntry::groupId},
      {AbiId::group_size_x, DeviceEntry::groupSize},
      {AbiId::group_count_x, DeviceEntry::groupCount},
  }};
  for (const auto& [first, entry] : indexing) {
    const unsigned axis = static_cast<unsigned>(id) - static_cast<unsigned>(first);
    if (axis < 3) return DeviceCall{entry, axis};
  }
  return std::nullopt;
}

}  // namespace

std::optional<DeviceCall> deviceEntryOf(const llvm::Function& function) {
  const std::string_view name = function.getName();
  if (!name.starts_with("__lathe_")) return std::nullopt;
  if (const AbiEntry* const entry = findAbiEntry(name)) return deviceEntryOf(entry->id);
  const RuntimeEntry* const entry = findRuntimeEntry(name);
  if (entry && entry->id == RuntimeId::subgroup_converge) return DeviceCall{DeviceEntry::subgroupConverge};
  if (entry && entry->id == RuntimeId::subgroup_converged) return DeviceCall{DeviceEntry::subgroupConverged};
  return std::nullopt;
}

std::optional<DeviceCall> deviceCallOf(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
  return callee ? deviceEntryOf(*callee) : std::nullopt;
}

llvm::IntegerType* subgroupMaskType(llvm::LLVMContext& context, unsigned size) {
  return llvm::Type::getIntNTy(context, size > 32 ? 64 : 32);
}

bool isGroupBarrier(const llvm::Instruction& instruction) {
  const std::optional<DeviceCall> call = deviceCallOf(instruction);
  return call && call->entry == DeviceEntry::barrier;
}

bool isSubgroupBarrier(const llvm::Instruction& instruction) {
  const std::optional<DeviceCall> call = deviceCallOf(instruction);
  return call && (call->entry == DeviceEntry::subgroupBarrier || call->entry == DeviceEntry::subgroupConverge);
}

bool hasEffects(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    return instruction.mayHaveSideEffects() && !isSubgroupBarrier(instruction);
  });
}

std::optional<unsigned> itemIdAxisOf(const llvm::Instruction& instruction) {
  const std::optional<DeviceCall> call = deviceCallOf(instruction);
  if (!call || call->entry != DeviceEntry::itemId) return std::nullopt;
  return call->axis;
}

}  // namespace lathe::detail
