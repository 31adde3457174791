// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable IR in fat images: compiled for a device that nothing else in them fits, if the compiler's library is there.
#pragma once

#include <lathe/runtime.h>

namespace lathe::detail {

/// The first portable image in `images`. Errors: InvalidArgument: there is none.
[[nodiscard]] Result<Image> portableImage(const FatImage& images);

/// An image for the device, of a portable one, which is kept for KeptCode. Opens the compiler's library at the first
/// call that needs it; $LATHE_COMPILER_LIBRARY names another, or is "off". Errors: ToolMissing if there is no compiler;
/// those of Compiler::compile(), by their messages, as IncompatibleDevice.
[[nodiscard]] Result<Image> compiledFor(const DeviceInfo& device, const Image& portable);

}  // namespace lathe::detail
