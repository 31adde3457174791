// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of a file system for Dialect::openFiles.
#pragma once

#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace lathe::sdk {

/// A file system in which the paths that a predicate names are not there. As thread-safe as the predicate and the file
/// system behind it. Errors: no_such_file_or_directory of hidden paths; else those of the file system behind it.
class HiddenFiles final : public llvm::vfs::ProxyFileSystem {
 public:
  using IsHidden = std::function<bool(llvm::StringRef path)>;

  HiddenFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, IsHidden isHidden)
      : ProxyFileSystem(std::move(files)), isHidden_(std::move(isHidden)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    if (isHidden_(path.str())) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    if (isHidden_(path.str())) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  IsHidden isHidden_;
};

}  // namespace lathe::sdk
