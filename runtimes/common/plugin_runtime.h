// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtimes that come in shared libraries of their own (<lathe/sdk/runtime.h>).
#pragma once

#include <memory>
#include <string_view>

#include "runtimes/common/driver.h"

namespace lathe::detail {

/// A device of the runtime of that name, whose library is loaded on the first call; null if no folder has one. Errors:
/// PluginInvalid, naming the library and what to do; DeviceNotFound; what the runtime returns.
Result<std::shared_ptr<DeviceDriver>> openPluginDevice(std::string_view name, int index);

/// DeviceNotFound, for all runtimes alike.
Error noSuchDevice(std::string_view runtime, int index, int count);

}  // namespace lathe::detail
