// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of fat images (docs/image-format.md, "Signatures"): ed25519, by the machine's libsodium, which is opened
// when the first function here needs it. A checksum finds accidents; a signature says who made an image.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/export.h>
#include <lathe/fat_image.h>
#include <lathe/result.h>

namespace lathe {

/// A key that everybody may know.
struct PublicKey {
  static constexpr std::size_t size = 32;
  std::array<std::byte, size> bytes = {};
  std::string comment = {};  ///< for people
  /// 64 hexadecimal digits.
  [[nodiscard]] LATHE_API std::string hex() const;
};

/// A key that signs, to be kept secret.
class LATHE_API SigningKey {
 public:
  /// A new one. Errors: DriverMissing, DriverTooOld (libsodium).
  [[nodiscard]] static Result<SigningKey> generate();
  /// Reads what save() wrote. Errors: FileUnreadable, FileInvalid, PermissionDenied (others may read the file),
  /// DriverMissing, DriverTooOld.
  [[nodiscard]] static Result<SigningKey> open(const std::filesystem::path& path);
  /// Writes a file that only this user can read; there must be none. Errors: FileUnwritable.
  [[nodiscard]] Result<void> save(const std::filesystem::path& path) const;
  [[nodiscard]] const PublicKey& publicKey() const noexcept { return public_; }

 private:
  friend LATHE_API Result<FatImage> sign(const FatImage& images, const SigningKey& key);
  SigningKey() = default;
  std::array<std::byte, 32> seed_ = {};
  PublicKey public_;
};

/// The keys of a file: one a line, 64 hexadecimal digits, then a comment; lines that begin with '#' are comments.
/// Errors: FileUnreadable; FileInvalid, naming the line; also if there is no key.
[[nodiscard]] LATHE_API Result<std::vector<PublicKey>> readPublicKeys(const std::filesystem::path& path);
/// Writes such a file. Errors: FileUnwritable.
[[nodiscard]] LATHE_API Result<void> writePublicKeys(const std::filesystem::path& path,
                                                     std::span<const PublicKey> keys);

/// `images` with a signature by `key` more; an older one by that key is replaced. Errors: DriverMissing, DriverTooOld.
[[nodiscard]] LATHE_API Result<FatImage> sign(const FatImage& images, const SigningKey& key);
/// The keys that `images` says to be signed by, which nobody has verified.
[[nodiscard]] LATHE_API std::vector<PublicKey> signersOf(const FatImage& images);
/// Succeeds if one of `trusted` signed all of `images`, and gives its number. Errors: PermissionDenied (it is not
/// signed, or by none of these keys), ImageCorrupt (it was changed after it was signed), DriverMissing, DriverTooOld.
[[nodiscard]] LATHE_API Result<std::size_t> verify(const FatImage& images, std::span<const PublicKey> trusted);

}  // namespace lathe
