// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packing headers, and serving them to Clang. Layout: the number of headers (32 bits), that many ArchivedHeader in the
// order of their names, then names and compressed texts.
#include "core/frontend/files/header_archive.h"

#include <algorithm>
#include <cstring>

#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

#include "core/frontend/files/embedded_file_system.h"

namespace lathe::detail {
namespace {

llvm::ArrayRef<std::uint8_t> bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class ArchiveFileSystem final : public EmbeddedFileSystem {
 public:
  ArchiveFileSystem(std::string_view archive, std::string root)
      : EmbeddedFileSystem(std::move(root), 0x1a7f), archive_(archive) {
    if (archive_.size() >= sizeof count_) std::memcpy(&count_, archive_.data(), sizeof count_);
  }

 private:
  std::optional<Entry> find(llvm::StringRef name) override {
    const std::uint32_t index = lowerBound(name);
    if (index < count_) {
      const ArchivedHeader header = at(index);
      if (nameOf(header) == name)
        return Entry{.size = header.textSize, .stored = archive_.substr(header.data, header.dataSize)};
    }
    return isFolder(name) ? std::optional(folder()) : std::nullopt;
  }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> textOf(const Entry& entry,
                                                            const llvm::Twine& path) const override {
    auto out = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(entry.size, path);
    std::size_t size = entry.size;
    auto* const text = reinterpret_cast<std::uint8_t*>(out->getBufferStart());
    if (llvm::Error error = llvm::compression::zstd::decompress(bytesOf(entry.stored), text, size)) {
      llvm::consumeError(std::move(error));
      return std::make_error_code(std::errc::io_error);
    }
    return out;
  }

  ArchivedHeader at(std::uint32_t index) const {
    ArchivedHeader out;
    std::memcpy(&out, archive_.data() + sizeof count_ + index * sizeof out, sizeof out);
    return out;
  }
  llvm::StringRef nameOf(const ArchivedHeader& header) const {
    return {archive_.data() + header.name, header.nameSize};
  }
  /// The first header whose name is not less than `name`.
  std::uint32_t lowerBound(llvm::StringRef name) const {
    std::uint32_t first = 0;
    for (std::uint32_t size = count_; size > 0;) {
      const std::uint32_t half = size / 2;
      if (nameOf(at(first + half)) < name) {
        first += half + 1;
        size -= half + 1;
      } else {
        size = half;
      }
    }
    return first;
  }
  bool isFolder(llvm::StringRef name) const {
    if (name.empty()) return count_ > 0;
    const std::string prefix = name.str() + "/";
    const std::uint32_t index = lowerBound(prefix);
    return index < count_ && nameOf(at(index)).starts_with(prefix);
  }

  std::string_view archive_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::string packHeaders(std::vector<std::pair<std::string, std::string>> headers) {
  std::ranges::sort(headers);
  const auto count = static_cast<std::uint32_t>(headers.size());
  std::vector<ArchivedHeader> table(count);
  std::string body;
  const std::size_t start = sizeof count + count * sizeof(ArchivedHeader);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& [name, text] = headers[i];
    llvm::SmallVector<std::uint8_t, 0> packed;
    llvm::compression::zstd::compress(bytesOf(text), packed, llvm::compression::zstd::BestSizeCompression);
    table[i] = {.name = static_cast<std::uint32_t>(start + body.size()),
                .nameSize = static_cast<std::uint32_t>(name.size()),
                .data = static_cast<std::uint32_t>(start + body.size() + name.size()),
                .dataSize = static_cast<std::uint32_t>(packed.size()),
                .textSize = static_cast<std::uint32_t>(text.size())};
    body += name;
    body.append(reinterpret_cast<const char*>(packed.data()), packed.size());
  }
  std::string out(start, '\0');
  std::memcpy(out.data(), &count, sizeof count);
  if (count) std::memcpy(out.data() + sizeof count, table.data(), count * sizeof(ArchivedHeader));
  return out + body;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> openHeaderArchive(std::string_view archive, std::string root) {
  return llvm::makeIntrusiveRefCnt<ArchiveFileSystem>(archive, std::move(root));
}

}  // namespace lathe::detail
