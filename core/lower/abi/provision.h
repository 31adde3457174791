// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Provision of the device ABI: which of its entries a target has. Nobody writes that down. An entry is there if the
// descriptor maps it, the target's device code or that of its pipeline's machine defines it, the core makes it, or
// core/device/abi.cpp makes it of entries that are there; and if the descriptor does not say that the machine lacks it.
#pragma once

#include <span>
#include <string_view>

#include "llvm/IR/Module.h"

#include "core/abi/device_abi.h"
#include "core/descriptor/descriptor.h"

namespace lathe::detail {

/// The bitcode of core/device/abi.cpp.
[[nodiscard]] llvm::StringRef fallbackBitcode();

/// True if the target has `entry`. `deviceCode`: the bitcode of its own device code, or nothing.
[[nodiscard]] bool providesEntry(const Descriptor& descriptor, std::span<const char> deviceCode, const AbiEntry& entry);

/// True if device code, the target's own or that of its pipeline's machine, has the function `symbol` of the device or
/// runtime ABI, and all that it calls is there.
[[nodiscard]] bool deviceCodeHas(const Descriptor& descriptor, std::span<const char> deviceCode,
                                 std::string_view symbol);

/// True if the descriptor says how many items every subgroup has.
[[nodiscard]] bool hasOneSubgroupSize(const Descriptor& descriptor);

/// True if the descriptor alone takes the entry away: it is among `lacks`, or wider than the machine's atomics, or a
/// construct that is forbidden.
[[nodiscard]] bool isRuledOut(const Descriptor& descriptor, const AbiEntry& entry);

/// Deletes the bodies of the entries that `wanted` accepts and that the target has not although `library`, its device
/// code, the machine's or the fallbacks, defines them: what they call or use does not exist there. `retargeted`: the
/// library is in portable IR and will be retargeted.
void dropUnprovided(llvm::Module& library, llvm::function_ref<bool(llvm::StringRef)> wanted,
                    const Descriptor& descriptor, std::span<const char> deviceCode, bool retargeted);

}  // namespace lathe::detail
