// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images whose contents were changed and whose frame fits again: section table, length and checksum
// (docs/image-format.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lathe::hostile {

/// The sections that a whole image's table names, as far as they lie in it.
std::vector<std::string> sectionsOf(std::string_view image);
/// The format version in an image's header.
std::uint32_t versionOf(std::string_view image);
/// An image of these sections, of which the first is the metadata.
std::string imageOf(std::uint32_t version, const std::vector<std::string>& sections);
/// Writes length and checksum.
void repairImage(std::string& image);

/// One section changed and the frame repaired; now and then bytes of the frame itself.
std::string mutatedImage(std::string_view image, unsigned seed);

}  // namespace lathe::hostile
