// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable IR in fat images: compiled for a device that nothing else in them fits, if the compiler's library is there.
#pragma once

#include <lathe/runtime.h>

namespace lathe::detail {

/// An image for the device, of the first portable image in `images`. Opens the compiler's library at the first call that
/// needs it; $LATHE_COMPILER_LIBRARY names another, or is "off". Errors: InvalidArgument if there is no portable image;
/// ToolMissing if there is no compiler; those of Compiler::compile(), by their messages, as IncompatibleDevice.
[[nodiscard]] Result<Image> compiledFor(const DeviceInfo& device, const FatImage& images);

}  // namespace lathe::detail
