// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout: eight bytes that name the format and its version, the value's size (64 bits, little endian), the BLAKE3-256
// of key, size and what follows, and the value by Zstandard.
#include "core/cache/cache_file.h"

#include <cstring>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

#include "core/support/digest.h"

namespace lathe::detail {
namespace {

constexpr std::string_view magic = "LATHEC\x01\n";
constexpr std::size_t digestSize = 32, headSize = magic.size() + sizeof(std::uint64_t) + digestSize;
/// Images are stored once and read often, and decompression costs the same at each level.
constexpr int level = 3;

std::string sumOf(std::string_view key, std::string_view size, std::string_view packed) {
  return Digest().add(key).add(size).add(packed).bytes();
}

}  // namespace

std::string packEntry(std::string_view key, std::string_view value) {
  const std::uint64_t count = value.size();
  std::string size(sizeof count, '\0');
  std::memcpy(size.data(), &count, sizeof count);
  llvm::SmallVector<std::uint8_t, 0> packed;
  llvm::compression::zstd::compress(llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(value.data()), value.size()),
                                    packed, level);
  const std::string_view text(reinterpret_cast<const char*>(packed.data()), packed.size());
  std::string out(magic);
  return out.append(size).append(sumOf(key, size, text)).append(text);
}

std::optional<std::string> unpackEntry(std::string_view key, std::string_view file, std::uint64_t most) {
  if (file.size() < headSize || !file.starts_with(magic)) return std::nullopt;
  const std::string_view size = file.substr(magic.size(), sizeof(std::uint64_t));
  const std::string_view sum = file.substr(magic.size() + size.size(), digestSize);
  const std::string_view packed = file.substr(headSize);
  std::uint64_t count = 0;
  std::memcpy(&count, size.data(), sizeof count);
  if (count > most || sumOf(key, size, packed) != sum) return std::nullopt;
  std::string out(count, '\0');
  std::size_t written = out.size();
  auto error = llvm::compression::zstd::decompress(
      llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(packed.data()), packed.size()),
      reinterpret_cast<std::uint8_t*>(out.data()), written);
  if (error) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  if (written != count) return std::nullopt;
  return out;
}

}  // namespace lathe::detail
