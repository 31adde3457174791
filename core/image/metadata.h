// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The metadata section of an image: ImageInfo and the names of the code sections, as compact bytes
// (docs/image-format.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lathe/image.h>

namespace lathe::detail {

struct CodeName {
  std::string format;
  std::string arch;
};

struct Metadata {
  ImageInfo info;
  std::vector<CodeName> code;
};

/// The image format's version: 2 added hidden arguments, section and kind of entry points, 3 the
/// optimisation level, 4 what entry points say of clusters.
inline constexpr std::uint32_t metadataVersion = 7;

/// Types nested deeper than this are written as opaque bytes of the same size.
inline constexpr unsigned maxTypeDepth = 64;

[[nodiscard]] std::string encode(const ImageInfo& info, std::span<const Image::CodeBlob> code);
/// Nothing if the bytes are not exactly one value as format `version` encodes it.
[[nodiscard]] std::optional<Metadata> decode(std::span<const std::byte> bytes, std::uint32_t version);

}  // namespace lathe::detail
