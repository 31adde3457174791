// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's headers in place of a toolkit's.
#include "core/frontend/files/header_overrides.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "core/frontend/dialect.h"
#include "core/frontend/files/file_system.h"

namespace lathe::detail {
namespace {

class HeaderOverrides final : public llvm::vfs::ProxyFileSystem {
 public:
  HeaderOverrides(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::vector<std::string> toolkits,
                  const Dialect& dialect)
      : ProxyFileSystem(std::move(files)), toolkits_(std::move(toolkits)), dialect_(dialect) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    const auto own = headerOverride(path);
    return own ? ProxyFileSystem::status(*own) : ProxyFileSystem::status(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const auto own = headerOverride(path);
    return own ? ProxyFileSystem::openFileForRead(*own) : ProxyFileSystem::openFileForRead(path);
  }

 private:
  /// The path of what Lathe has for `path`.
  std::optional<std::string> headerOverride(const llvm::Twine& path) {
    const std::string text = path.str();
    for (const std::string& toolkit : toolkits_) {
      llvm::StringRef name = text;
      if (!name.consume_front(toolkit)) continue;
      const auto isPartOf = [&](std::string_view library) { return name.starts_with(library); };
      if (llvm::any_of(dialect_.toolkitLibraries, isPartOf)) return std::nullopt;
      for (const char* folder : {libraryFolder, embeddedFolder}) {
        const std::string own = folder + std::string(folder == libraryFolder ? "/own/" : "/") + name.str();
        const auto found = ProxyFileSystem::status(own);
        if (found && found->isRegularFile()) return own;
      }
    }
    return std::nullopt;
  }

  std::vector<std::string> toolkits_;  ///< each with a slash behind
  const Dialect& dialect_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> withHeaderOverrides(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, const std::vector<std::string>& folders,
    const Dialect& dialect) {
  if (dialect.toolkitMark.empty()) return files;
  std::vector<std::string> toolkits;
  for (const std::string& folder : folders) {
    std::string prefix = llvm::StringRef(folder).rtrim('/').str() + "/";
    if (files->exists(prefix + std::string(dialect.toolkitMark))) toolkits.push_back(std::move(prefix));
  }
  if (toolkits.empty()) return files;
  return llvm::makeIntrusiveRefCnt<HeaderOverrides>(std::move(files), std::move(toolkits), dialect);
}

}  // namespace lathe::detail
