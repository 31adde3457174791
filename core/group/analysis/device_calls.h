// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the device ABI and the runtime ABI that work-group lowering gives a meaning to, recognised in IR.
#pragma once

#include <optional>

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class Instruction;
class IntegerType;
class LLVMContext;
}  // namespace llvm

namespace lathe::detail {

enum class DeviceEntry {
  itemId,
  groupId,
  groupSize,
  groupCount,
  dynamicSharedBytes,
  barrier,
  subgroupBarrier,
  subgroupConverge,   ///< of the runtime ABI: a subgroup barrier that returns the set of items that go on together
  subgroupConverged,  ///< of the runtime ABI: that set, behind the split; only within work-group lowering
};

struct DeviceCall {
  DeviceEntry entry;
  unsigned axis = 0;  ///< 0 x, 1 y, 2 z
};

/// What `function` is in the device ABI, if work-group lowering knows it.
[[nodiscard]] std::optional<DeviceCall> deviceEntryOf(const llvm::Function& function);
/// The same for a direct call; none for any other instruction.
[[nodiscard]] std::optional<DeviceCall> deviceCallOf(const llvm::Instruction& instruction);

/// What lowering keeps a set of the items of a subgroup of `size` items in; core/group/device/machine.cpp has it too.
[[nodiscard]] llvm::IntegerType* subgroupMaskType(llvm::LLVMContext& context, unsigned size);

/// Whether `instruction` is a barrier of the group.
[[nodiscard]] bool isGroupBarrier(const llvm::Instruction& instruction);
/// Whether `instruction` is a barrier of the subgroup; its first argument is the mask.
[[nodiscard]] bool isSubgroupBarrier(const llvm::Instruction& instruction);
/// Whether `block` has an effect other than meeting a subgroup.
[[nodiscard]] bool hasEffects(const llvm::BasicBlock& block);
/// The axis of an item id that `instruction` reads.
[[nodiscard]] std::optional<unsigned> itemIdAxisOf(const llvm::Instruction& instruction);

}  // namespace lathe::detail
