// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands say about images alike: the bytes of a format, a target's full name, resources in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lathe/compiler.h>
#include <lathe/fat_image.h>
#include <lathe/image.h>

#include "tools/lathe/output/output.h"
#include "tools/lathe/output/table.h"

namespace lathe::tool {

struct OutputBytes {
  std::string_view content;  ///< belongs to the image; empty if it has no such code
  std::string extension;     ///< ".ptx"
};

/// What a file of format `emit` holds: the whole image for "image", "portable" and "relocatable", otherwise the code of
/// that format, or the only code there is (a target calls its assembly "ptx" where the user asked for "asm").
[[nodiscard]] OutputBytes bytesFor(const Image& image, std::string_view emit);

/// The time of each stage; empty if there are none.
[[nodiscard]] std::string timesTable(const std::vector<StageTime>& times, const Output& out);

/// The images of a fat image, a row each, and the same as {"images": […]}.
[[nodiscard]] Table fatImageTable(const FatImage& fat);
[[nodiscard]] Json fatImageJson(const FatImage& fat);
/// The number of the one entry that is for "NAME[:ARCH]"; of all of that name if no architecture is given. Errors:
/// InvalidArgument, with what is there.
[[nodiscard]] Result<std::size_t> entryFor(const FatImage& fat, const std::string& target);

/// "cuda:sm_90"
[[nodiscard]] std::string targetName(const ImageInfo& info);

/// "32 registers, 4.1 kB shared"; what is not known is left out.
[[nodiscard]] std::string resourceText(const ResourceUse& use);
/// What is not known is null, as in an image's own JSON.
[[nodiscard]] Json resourceJson(const ResourceUse& use);

/// Bytes of code in the image, of all sections.
[[nodiscard]] std::size_t codeBytes(const Image& image);

}  // namespace lathe::tool
