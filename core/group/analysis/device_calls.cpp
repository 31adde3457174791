// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the device ABI, as work-group lowering needs them.
#include "core/group/analysis/device_calls.h"

#include <array>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace lathe::detail {

std::optional<DeviceCall> deviceEntryOf(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  if (!name.consume_front("__lathe_")) return std::nullopt;
  if (name == "group_barrier") return DeviceCall{DeviceEntry::barrier};
  if (name == "subgroup_barrier") return DeviceCall{DeviceEntry::subgroupBarrier};
  if (name == "subgroup_converge") return DeviceCall{DeviceEntry::subgroupConverge};
  if (name == "subgroup_converged") return DeviceCall{DeviceEntry::subgroupConverged};
  if (name == "dynamic_shared_bytes") return DeviceCall{DeviceEntry::dynamicSharedBytes};
  if (name.size() < 2 || name[name.size() - 2] != '_') return std::nullopt;
  const std::size_t axis = llvm::StringRef("xyz").find(name.back());
  if (axis == llvm::StringRef::npos) return std::nullopt;
  constexpr std::array<std::pair<llvm::StringLiteral, DeviceEntry>, 4> indexing = {{
      {"item_id", DeviceEntry::itemId},
      {"group_id", DeviceEntry::groupId},
      {"group_size", DeviceEntry::groupSize},
      {"group_count", DeviceEntry::groupCount},
  }};
  for (const auto& [stem, entry] : indexing) {
    if (name.drop_back(2) == stem) return DeviceCall{entry, static_cast<unsigned>(axis)};
  }
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
