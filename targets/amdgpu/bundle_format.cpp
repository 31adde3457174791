// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is that of clang.llvm.org/docs/ClangOffloadBundler.html, "Bundled Binary File Layout": a magic word, the
// number of entries, for each its offset, its size and its name, then the codes, each at the start of a page. A
// compressed bundle holds such a file behind a header (magic, version, method, sizes, hash), which LLVM reads and
// writes.
#include "targets/amdgpu/bundle_format.h"

#include <algorithm>
#include <array>

#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

namespace lathe::targets {
namespace {

constexpr std::string_view magic = "__CLANG_OFFLOAD_BUNDLE__", compressedMagic = "CCOB";
/// Loaders expect an entry for the host, and read nothing of it.
constexpr std::string_view hostId = "host-x86_64-unknown-linux-gnu-", hostKind = "host-";
constexpr std::uint64_t pageBytes = 4096;
/// So that a lie about the size costs no memory: of the whole file, and of what one compressed byte may stand for.
constexpr std::uint64_t mostBytes = std::uint64_t{1} << 32U, mostRatio = std::uint64_t{1} << 12U;

Error invalid(const std::string& what) {
  return {.code = ErrorCode::FileInvalid, .message = "offload bundle: " + what, .hint = "make it again"};
}

std::string messageOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// Fails where another bundle begins behind the first `end` bytes and what fills a page: linkers put those of several
/// sources one behind the other.
Result<void> checkBehind(std::string_view bytes, std::uint64_t end) {
  const std::size_t next = bytes.find_first_not_of('\0', end);
  if (next == std::string_view::npos || !isOffloadBundle(bytes.substr(next))) return {};
  return Error{.code = ErrorCode::Unsupported,
               .message = "offload bundle: another one begins behind it, at byte " + std::to_string(next),
               .hint = "split the file there; each bundle is read by itself"};
}

Result<std::string> plainBytes(std::string_view bytes) {
  using llvm::object::CompressedOffloadBundle;
  // LLVM takes the version for granted, and that the header is there.
  constexpr std::array<std::size_t, 4> headerBytes = {0, 20, 24, 32};
  const auto half = [&](std::size_t at) { return llvm::support::endian::read16le(bytes.data() + at); };
  const std::size_t named = compressedMagic.size() + 2 * sizeof(std::uint16_t);
  const std::size_t version = bytes.size() < named ? 0 : half(compressedMagic.size());
  if (version == 0 || version >= headerBytes.size() || bytes.size() < headerBytes[version])
    return invalid("its header is damaged, or of a version that is not known here");
  auto header = CompressedOffloadBundle::CompressedBundleHeader::tryParse(llvm::StringRef(bytes));
  if (!header) return invalid(messageOf(header.takeError()));
  if (header->UncompressedFileSize > std::min(mostBytes, bytes.size() * mostRatio) ||
      header->FileSize.value_or(0) > bytes.size())
    return invalid("its header tells sizes that it has not");
  if (header->FileSize) {
    if (auto alone = checkBehind(bytes, *header->FileSize); !alone) return std::move(alone).error();
  }
  const auto buffer = llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(bytes), "", /*RequiresNullTerminator=*/false);
  auto plain = CompressedOffloadBundle::decompress(*buffer);
  if (!plain) return invalid(messageOf(plain.takeError()));
  return (*plain)->getBuffer().str();
}

}  // namespace

bool isOffloadBundle(std::string_view bytes) {
  return bytes.starts_with(magic) || bytes.starts_with(compressedMagic);
}

Result<std::string> offloadBundleOf(std::span<const BundledCode> codes, bool compressed) {
  const auto pageOf = [](std::uint64_t offset) { return (offset + pageBytes - 1) / pageBytes * pageBytes; };
  constexpr std::uint64_t fixedBytes = 3 * sizeof(std::uint64_t);
  std::uint64_t offset = magic.size() + sizeof(std::uint64_t) + fixedBytes + hostId.size();
  for (const BundledCode& code : codes) offset += fixedBytes + code.id.size();
  offset = pageOf(offset);
  std::string out(magic);
  const auto add = [&](std::uint64_t number) {
    char bytes[sizeof(number)];
    llvm::support::endian::write64le(bytes, number);
    out.append(bytes, sizeof(bytes));
  };
  const auto describe = [&](std::uint64_t size, std::string_view id) {
    add(offset);
    add(size);
    add(id.size());
    out += id;
    offset = pageOf(offset + size);
  };
  add(codes.size() + 1);
  describe(0, hostId);
  for (const BundledCode& code : codes) describe(code.bytes.size(), code.id);
  for (const BundledCode& code : codes) {
    out.resize(pageOf(out.size()), '\0');
    out += code.bytes;
  }
  if (!compressed) return out;
  if (!llvm::compression::zstd::isAvailable())
    return Error{.code = ErrorCode::ToolMissing,
                 .message = "offload bundle: this LLVM was built without Zstandard",
                 .hint = "leave it uncompressed"};
  using llvm::object::CompressedOffloadBundle;
  const auto buffer = llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(out), "", false);
  auto packed = CompressedOffloadBundle::compress(llvm::compression::Params(llvm::compression::Format::Zstd), *buffer,
                                                  CompressedOffloadBundle::DefaultVersion);
  if (!packed) return Error{.code = ErrorCode::Internal, .message = messageOf(packed.takeError())};
  return (*packed)->getBuffer().str();
}

Result<std::vector<BundledCode>> codesOfOffloadBundle(std::string_view bytes) {
  std::string unpacked;
  if (bytes.starts_with(compressedMagic)) {
    auto plain = plainBytes(bytes);
    if (!plain) return std::move(plain).error();
    unpacked = *std::move(plain);
    bytes = unpacked;
  }
  if (!bytes.starts_with(magic)) return invalid("it holds something else");
  llvm::StringRef rest = llvm::StringRef(bytes).drop_front(magic.size());
  bool cut = false;
  const auto number = [&]() -> std::uint64_t {
    cut |= rest.size() < sizeof(std::uint64_t);
    if (cut) return 0;
    const std::uint64_t out = llvm::support::endian::read64le(rest.data());
    rest = rest.drop_front(sizeof(out));
    return out;
  };
  const std::uint64_t count = number();
  std::vector<BundledCode> out;
  std::uint64_t taken = 0, end = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t offset = number(), size = number(), idBytes = number();
    if (cut || idBytes > rest.size() || offset > bytes.size() || size > bytes.size() - offset)
      return invalid("entry " + std::to_string(i) + " of " + std::to_string(count) + " is misplaced");
    const llvm::StringRef id = rest.take_front(idBytes);
    rest = rest.drop_front(idBytes);
    end = std::max(end, offset + size);
    if (id.starts_with(hostKind)) continue;
    taken += size;
    if (taken > bytes.size()) return invalid("its entries overlap");
    out.push_back({id.str(), std::string(bytes.substr(offset, size))});
  }
  if (auto alone = checkBehind(bytes, end); !alone) return std::move(alone).error();
  return out;
}

}  // namespace lathe::targets
