// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that exists only in this program, as a file system for Clang. What is in it a derived class knows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace lathe::detail {

class EmbeddedFileSystem : public llvm::vfs::FileSystem {
 public:
  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) final;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) final;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine&, std::error_code& error) final {
    error = std::make_error_code(std::errc::not_supported);
    return {};
  }
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const final { return std::string("/"); }
  std::error_code setCurrentWorkingDirectory(const llvm::Twine&) final { return {}; }

 protected:
  struct Entry {
    llvm::sys::fs::file_type type = llvm::sys::fs::file_type::regular_file;
    std::size_t size = 0;     ///< of the text
    std::string_view stored;  ///< what textOf() makes the text of; must outlive the file system
  };
  static Entry folder() { return {llvm::sys::fs::file_type::directory_file, 0, {}}; }

  /// `root`: the folder's path. `device`: a number of its own, because Clang takes files of equal id for one file.
  EmbeddedFileSystem(std::string root, std::uint64_t device) : root_(std::move(root)), device_(device) {}

  /// The file or folder called `name`, relative to the root; the root's own name is empty.
  virtual std::optional<Entry> find(llvm::StringRef name) = 0;
  /// The text of a file that find() gave: what is stored, unless a derived class stores something else.
  virtual llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> textOf(const Entry& entry, const llvm::Twine& path) const;

 private:
  class OpenFile;

  std::optional<Entry> at(llvm::StringRef path);
  llvm::vfs::Status statusOf(const std::string& path, const Entry& entry) const;

  std::string root_;
  std::uint64_t device_;
};

}  // namespace lathe::detail
