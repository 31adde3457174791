// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fat images: images of one source for several targets and architectures in one file, of which a device takes the one
// that fits it best (docs/image-format.md). Read without LLVM; each image is decompressed when it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/result.h>

namespace lathe {

/// The description of one image in a fat image.
struct FatImageEntry {
  std::string target;
  std::string arch;
  std::string features;
  std::string runtime;      ///< which runtime loads it; empty: none
  std::uint64_t bytes = 0;  ///< of the image
  bool operator==(const FatImageEntry&) const = default;
};

/// Something that a fat image has beside its images, by name: "signatures". Readers pass over names that they do not
/// know, unless it is required; then they refuse the file.
struct FatImageFeature {
  std::string name;
  bool required = false;
  std::string data;
};

/// An immutable fat image; copies share the bytes. Safe to use from any number of threads.
class LATHE_API FatImage {
 public:
  /// Makes one of `images`, in their order. Errors: InvalidArgument (none, or two for one target, architecture and
  /// features).
  [[nodiscard]] static Result<FatImage> build(std::span<const Image> images);
  /// Reads a copy of `bytes`: a fat image, or an image, which is taken as one of one. Errors: ImageCorrupt,
  /// ImageVersion.
  [[nodiscard]] static Result<FatImage> fromBytes(std::span<const std::byte> bytes);
  /// The same of a file. Errors: FileUnreadable, ImageCorrupt, ImageVersion.
  [[nodiscard]] static Result<FatImage> open(const std::filesystem::path& path);
  /// Writes to a temporary file beside `path` and renames it. Errors: FileUnwritable.
  [[nodiscard]] Result<void> save(const std::filesystem::path& path) const;

  /// They belong to the fat image, as bytes() do.
  [[nodiscard]] const std::vector<FatImageEntry>& entries() const noexcept;
  /// The image of entry `index`. Errors: InvalidArgument (there is no such entry), ImageCorrupt, ImageVersion.
  [[nodiscard]] Result<Image> image(std::size_t index) const;
  /// The numbers of the entries that `runtime` loads, those first that are likelier to fit a device of `arch`: of that
  /// architecture, with a suffix ("v2a" for "v2") or without, then the others, and of these greater names first, with
  /// numbers taken as numbers. Whether one fits, loading tells.
  [[nodiscard]] std::vector<std::size_t> candidates(std::string_view runtime, std::string_view arch) const;
  /// The whole file's bytes.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;

  /// The feature called `name`, or null. It belongs to the fat image.
  [[nodiscard]] const FatImageFeature* feature(std::string_view name) const noexcept;
  /// The same images with this feature, in place of one of that name. Errors: InvalidArgument (it has no name).
  [[nodiscard]] Result<FatImage> withFeature(FatImageFeature feature) const;
  /// All that the file says, but for the feature called `name`: what a signature is of.
  [[nodiscard]] std::string contents(std::string_view name) const;

 private:
  struct Data;
  explicit FatImage(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace lathe
