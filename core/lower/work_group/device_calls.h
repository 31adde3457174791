// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI entries that work-group lowering gives a meaning to, recognised in IR.
#pragma once

#include <optional>

namespace llvm {
class CallBase;
class Function;
class Instruction;
}  // namespace llvm

namespace lathe::detail {

enum class DeviceEntry { itemId, groupId, groupSize, groupCount, dynamicSharedBytes, barrier, subgroupBarrier };

struct DeviceCall {
  DeviceEntry entry;
  unsigned axis = 0;  ///< 0 x, 1 y, 2 z
};

/// What `function` is in the device ABI, if work-group lowering knows it.
[[nodiscard]] std::optional<DeviceCall> deviceEntryOf(const llvm::Function& function);
/// The same for a direct call; none for any other instruction.
[[nodiscard]] std::optional<DeviceCall> deviceCallOf(const llvm::Instruction& instruction);

/// Whether `instruction` is a barrier of that scope: `barrier` or `subgroupBarrier`.
[[nodiscard]] bool isBarrier(const llvm::Instruction& instruction, DeviceEntry scope);
/// The axis of an item id that `instruction` reads.
[[nodiscard]] std::optional<unsigned> itemIdAxisOf(const llvm::Instruction& instruction);

}  // namespace lathe::detail
