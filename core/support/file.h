// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole files: read, mapped, and written so that others see all of them or nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <lathe/result.h>

namespace lathe::detail {

/// Errors: FileUnreadable, saying why.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path);
/// The next `size` bytes of an open file, if it has so many.
[[nodiscard]] std::optional<std::string> contentsOf(int file, std::size_t size);

/// Writes all of `bytes` to an open file; false, with errno: it cannot be.
[[nodiscard]] bool writeAll(int descriptor, std::string_view bytes);

/// Writes a temporary file beside `path`, syncs it and renames it over `path`. Readers see the old or the new content;
/// a failure leaves neither a temporary file nor a changed target. Errors: FileUnwritable, saying why.
[[nodiscard]] Result<void> writeFile(const std::filesystem::path& path, std::string_view bytes);

/// The same with bytes that `write` puts into the open file; it returns false, with errno, if it cannot.
[[nodiscard]] Result<void> writeFile(const std::filesystem::path& path,
                                     const std::function<bool(int descriptor)>& write);

/// A file mapped read-only. The bytes stay valid for the object's life, also when the file is replaced by writeFile().
class MappedFile {
 public:
  /// Errors: FileUnreadable.
  [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace lathe::detail
