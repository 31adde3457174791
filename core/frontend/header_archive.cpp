// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packing headers, and serving them to Clang. Layout: the number of headers (32 bits), that many ArchivedHeader in the
// order of their names, then names and compressed texts.
#include "core/frontend/header_archive.h"

#include <algorithm>
#include <cstring>

#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace lathe::detail {
namespace {

llvm::ArrayRef<std::uint8_t> bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class ArchiveFileSystem final : public llvm::vfs::FileSystem {
 public:
  ArchiveFileSystem(std::string_view archive, std::string root) : archive_(archive), root_(std::move(root)) {
    if (archive_.size() >= sizeof count_) std::memcpy(&count_, archive_.data(), sizeof count_);
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    llvm::SmallString<160> buffer;
    llvm::StringRef name = path.toStringRef(buffer);
    if (!inside(name)) return std::make_error_code(std::errc::no_such_file_or_directory);
    ArchivedHeader header{};
    if (find(name, header)) return statusOf(path.str(), header.textSize, llvm::sys::fs::file_type::regular_file);
    if (isFolder(name)) return statusOf(path.str(), 0, llvm::sys::fs::file_type::directory_file);
    return std::make_error_code(std::errc::no_such_file_or_directory);
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    llvm::SmallString<160> buffer;
    llvm::StringRef name = path.toStringRef(buffer);
    ArchivedHeader header{};
    if (!inside(name) || !find(name, header)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return std::make_unique<ArchivedFile>(statusOf(path.str(), header.textSize, llvm::sys::fs::file_type::regular_file),
                                          archive_.substr(header.data, header.dataSize));
  }

  llvm::vfs::directory_iterator dir_begin(const llvm::Twine&, std::error_code& error) override {
    error = std::make_error_code(std::errc::not_supported);
    return {};
  }
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override { return std::string("/"); }
  std::error_code setCurrentWorkingDirectory(const llvm::Twine&) override { return {}; }

 private:
  class ArchivedFile final : public llvm::vfs::File {
   public:
    ArchivedFile(llvm::vfs::Status status, std::string_view packed) : status_(std::move(status)), packed_(packed) {}
    llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t, bool,
                                                                 bool) override {
      auto out = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(status_.getSize(), name);
      std::size_t size = status_.getSize();
      auto* const text = reinterpret_cast<std::uint8_t*>(out->getBufferStart());
      if (llvm::Error error = llvm::compression::zstd::decompress(bytesOf(packed_), text, size)) {
        llvm::consumeError(std::move(error));
        return std::make_error_code(std::errc::io_error);
      }
      return out;
    }
    std::error_code close() override { return {}; }

   private:
    llvm::vfs::Status status_;
    std::string_view packed_;
  };

  /// Leaves what follows the root's name and a slash.
  bool inside(llvm::StringRef& name) const {
    return name.consume_front(root_) && (name.empty() || name.consume_front("/"));
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
  bool find(llvm::StringRef name, ArchivedHeader& out) const {
    const std::uint32_t index = lowerBound(name);
    if (index == count_) return false;
    out = at(index);
    return nameOf(out) == name;
  }
  bool isFolder(llvm::StringRef name) const {
    if (name.empty()) return count_ > 0;
    const std::string prefix = name.str() + "/";
    const std::uint32_t index = lowerBound(prefix);
    return index < count_ && nameOf(at(index)).starts_with(prefix);
  }

  /// Clang takes files of equal id for one file.
  static llvm::vfs::Status statusOf(const std::string& path, std::size_t size, llvm::sys::fs::file_type type) {
    return {path, {0x1a7f, llvm::hash_value(path)}, {}, 0, 0, size, type, llvm::sys::fs::perms::all_read};
  }

  std::string_view archive_;
  std::string root_;
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
