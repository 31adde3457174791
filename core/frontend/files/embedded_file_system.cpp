// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answering Clang for a folder in memory.
#include "core/frontend/files/embedded_file_system.h"

#include "llvm/Support/Path.h"

namespace lathe::detail {

class EmbeddedFileSystem::OpenFile final : public llvm::vfs::File {
 public:
  OpenFile(llvm::vfs::Status status, const EmbeddedFileSystem& files, const Entry& entry)
      : status_(std::move(status)), files_(files), entry_(entry) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& path, std::int64_t, bool,
                                                               bool) override {
    return files_.textOf(entry_, path);
  }
  std::error_code close() override { return {}; }

 private:
  llvm::vfs::Status status_;
  const EmbeddedFileSystem& files_;  // outlives its files
  Entry entry_;
};

std::optional<EmbeddedFileSystem::Entry> EmbeddedFileSystem::at(llvm::StringRef path) {
  llvm::SmallString<160> normal;
  if (path.contains("/.")) {
    normal = path;
    llvm::sys::path::remove_dots(normal, /*remove_dot_dot=*/true, llvm::sys::path::Style::posix);
    path = normal;
  }
  if (!path.consume_front(root_) || (!path.empty() && !path.consume_front("/"))) return std::nullopt;
  return find(path);
}

llvm::vfs::Status EmbeddedFileSystem::statusOf(const std::string& path, const Entry& entry) const {
  return {path, {device_, llvm::hash_value(path)}, {}, 0, 0, entry.size, entry.type, llvm::sys::fs::perms::all_read};
}

llvm::ErrorOr<llvm::vfs::Status> EmbeddedFileSystem::status(const llvm::Twine& path) {
  const std::string name = path.str();
  const auto entry = at(name);
  if (!entry) return std::make_error_code(std::errc::no_such_file_or_directory);
  return statusOf(name, *entry);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> EmbeddedFileSystem::openFileForRead(const llvm::Twine& path) {
  const std::string name = path.str();
  const auto entry = at(name);
  if (!entry || entry->type != llvm::sys::fs::file_type::regular_file)
    return std::make_error_code(std::errc::no_such_file_or_directory);
  return std::make_unique<OpenFile>(statusOf(name, *entry), *this, *entry);
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> EmbeddedFileSystem::textOf(const Entry& entry,
                                                                              const llvm::Twine& path) const {
  return llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(entry.stored.data(), entry.stored.size()), path.str(),
                                          /*RequiresNullTerminator=*/false);
}

}  // namespace lathe::detail
