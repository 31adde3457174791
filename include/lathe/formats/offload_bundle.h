// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles of Clang's offload bundler ("fat binaries" of the HIP library): code for several processors in one file,
// compressed or not. Link `lathe::lathe`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <lathe/export.h>
#include <lathe/fat_image.h>
#include <lathe/image.h>
#include <lathe/result.h>

namespace lathe {

/// True for bytes that begin as a bundle does.
[[nodiscard]] LATHE_API bool isOffloadBundle(std::string_view bytes);

/// The code of `images`, of one program for several processors, as a bundle; `compressed`: by Zstandard. Equal images
/// give equal bytes. Kernels with a state, which no other runtime gives them, are refused. Errors: InvalidArgument (no
/// images, an image without such code), Unsupported (a target whose code is in no bundles), ToolMissing (an LLVM
/// without Zstandard).
[[nodiscard]] LATHE_API Result<std::string> offloadBundle(std::span<const Image> images, bool compressed);

/// The images of a bundle that any compiler made. Parameters have the offsets and sizes that the code tells; those
/// passed by value are opaque bytes. Errors: FileInvalid, UnknownTarget (code of other machines only).
[[nodiscard]] LATHE_API Result<FatImage> imagesOfOffloadBundle(std::string_view bytes);

}  // namespace lathe
