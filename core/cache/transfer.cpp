// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout: eight bytes that name the format and its version; for each entry its key (32 bytes), its kind (one byte), the
// size of its file (64 bits, little endian) and that file, which has a digest of its own; then a kind of 0 and the
// BLAKE3-256 of all digests' input, so that a file that was cut between two entries is found.
#include "core/cache/transfer.h"

#include <sys/stat.h>

#include <cstring>
#include <functional>

#include <fmt/format.h>

#include "core/cache/cache_file.h"
#include "core/cache/disk_cache.h"
#include "core/support/bytes.h"
#include "core/support/digest.h"
#include "core/support/file.h"

namespace lathe::detail {
namespace {

constexpr std::string_view magic = "LATHECX\x01";
constexpr std::size_t keyBytes = 32, digestBytes = 32;

struct Transferred {
  std::string_view key;
  EntryKind kind;
  std::string_view file;
};

/// Calls `visit` for each entry of a transfer; false if it is not whole.
bool forEachEntry(std::span<const std::byte> bytes, const std::function<bool(const Transferred&)>& visit) {
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!rest.starts_with(magic)) return false;
  rest.remove_prefix(magic.size());
  Digest digest;
  while (rest.size() > keyBytes) {
    const char kind = rest[keyBytes];
    const std::string_view key = rest.substr(0, keyBytes);
    rest.remove_prefix(keyBytes + 1);
    if (kind == 0) {
      const bool isEnd = key.find_first_not_of('\0') == std::string_view::npos;
      return isEnd && rest.size() == digestBytes && digest.bytes() == rest;
    }
    std::uint64_t size = 0;
    if (rest.size() < sizeof size) return false;
    std::memcpy(&size, rest.data(), sizeof size);
    rest.remove_prefix(sizeof size);
    if (size > rest.size()) return false;
    const std::string_view file = rest.substr(0, size);
    rest.remove_prefix(size);
    digest.add(key).add({&kind, 1}).add(file);
    const bool isKnown = kind == static_cast<char>(EntryKind::inputs) || kind == static_cast<char>(EntryKind::result);
    if (!isKnown || !visit({key, static_cast<EntryKind>(kind), file})) return false;
  }
  return false;
}

}  // namespace

Result<std::uint64_t> exportEntries(const DiskCache& disk, const std::filesystem::path& path) {
  std::uint64_t count = 0;
  const auto written = writeFile(path, [&](int file) {
    constexpr mode_t forTheUser = 0600;
    if (::fchmod(file, forTheUser) != 0 || !writeAll(file, magic)) return false;
    Digest digest;
    for (const EntryFile& entry : disk.entries()) {
      if (entry.kind != EntryKind::inputs && entry.kind != EntryKind::result) continue;  // this machine's own
      const auto value = disk.read(entry.key, entry.kind);
      if (!value) continue;  // it was damaged, or is gone
      const std::string packed = packEntry(entry.key, *value);
      const char kind = static_cast<char>(entry.kind);
      const std::uint64_t size = packed.size();
      std::string head = entry.key;
      head += kind;
      head.append(reinterpret_cast<const char*>(&size), sizeof size);
      if (!writeAll(file, head) || !writeAll(file, packed)) return false;
      digest.add(entry.key).add({&kind, 1}).add(packed);
      ++count;
    }
    return writeAll(file, std::string(keyBytes + 1, '\0') + digest.bytes());
  });
  if (!written) return written.error();
  return count;
}

Result<std::uint64_t> importEntries(const DiskCache& disk, const std::filesystem::path& path) {
  if (disk.readOnly()) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("{}: nothing is written to this cache folder", disk.folder().string())};
  }
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  const bool sound = forEachEntry(
      file->bytes(), [](const Transferred& entry) { return unpackEntry(entry.key, entry.file).has_value(); });
  if (!sound) {
    return Error{
        .code = ErrorCode::InvalidArgument,
        .message = fmt::format("{}: it is no export of a cache, or damaged; nothing of it was taken", path.string()),
        .hint = "make it again with 'lathe cache export'"};
  }
  std::uint64_t added = 0;
  const bool isWritten = forEachEntry(file->bytes(), [&](const Transferred& entry) {
    if (disk.read(entry.key, entry.kind)) return true;
    const auto value = unpackEntry(entry.key, entry.file);
    if (!value || !disk.write(entry.key, entry.kind, *value)) return false;
    ++added;
    return true;
  });
  if (!isWritten) {
    return Error{.code = ErrorCode::FileUnwritable,
                 .message = fmt::format("{}: the cache folder takes no more entries", disk.folder().string()),
                 .notes = {{.message = fmt::format("{} of {} were added", added, path.string())}},
                 .hint = "it is full, or can only be read"};
  }
  return added;
}

}  // namespace lathe::detail
