// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stages 5, 6 and 11 share: libraries may themselves call the device ABI, and the optimiser may create
// mathematics.
#pragma once

#include "core/abi/device_abi.h"
#include "core/lower/lowering.h"

namespace lathe::detail {

/// The variable that stands for launch-sized shared memory.
inline constexpr const char* dynamicSharedName = "__lathe_dynamic_shared_memory";

/// Whether it takes or gives back memory: a kernel's state serves it where the target has none of its own.
inline bool isAllocation(const AbiEntry& entry) {
  return entry.id == AbiId::allocate || entry.id == AbiId::release;
}

/// Lowers every call of the device ABI that is in the module now.
llvm::Error lowerDeviceAbi(Lowering& lowering);
/// The calls of atomics and fences with an order or a scope that is no constant yet.
llvm::SmallVector<llvm::CallInst*, 8> openOrders(llvm::Module& module);
/// Atomics and fences become LLVM's instructions with the order and scope that the calls name. Constants outside of the
/// enumerations are among the diagnostics.
void lowerAtomic(llvm::Function& function, const AbiEntry& entry, Lowering& lowering);

}  // namespace lathe::detail
