// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's headers in place of a toolkit's.
#include "dialects/cuda/header_overrides.h"

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <lathe/sdk/hidden_files.h>

#include "dialects/cuda/machine_headers.h"

namespace lathe::dialects {
namespace {

class HeaderOverrides final : public llvm::vfs::ProxyFileSystem {
 public:
  HeaderOverrides(sdk::DialectFiles files, std::vector<std::string> toolkits,
                  std::span<const std::string_view> libraries)
      : ProxyFileSystem(std::move(files.files)),
        toolkits_(std::move(toolkits)),
        ownDirs_(files.ownDirs.begin(), files.ownDirs.end()),
        libraries_(libraries) {}

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
      if (name == llvm::StringRef(driverHeader) || llvm::any_of(libraries_, isPartOf)) return std::nullopt;
      for (const std::string& folder : ownDirs_) {
        const std::string own = folder + "/" + name.str();
        const auto found = ProxyFileSystem::status(own);
        if (found && found->isRegularFile()) return own;
      }
    }
    return std::nullopt;
  }

  std::vector<std::string> toolkits_;  ///< each with a slash behind
  std::vector<std::string> ownDirs_;
  std::span<const std::string_view> libraries_;
};

/// `files`, in whose folder `toolkit` only the headers of some libraries are there. It is searched before Lathe's own:
/// to look there for every header of a source would cost each compile a question to the machine, and a cache its
/// answer.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> withLibrariesOnly(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                                  std::string toolkit,
                                                                  std::span<const std::string_view> libraries) {
  const auto isHidden = [toolkit = std::move(toolkit), libraries](llvm::StringRef path) {
    if (!path.consume_front(toolkit) || !path.consume_front("/")) return false;
    return llvm::none_of(libraries, [&](std::string_view library) {
      return path.starts_with(library) || path == llvm::StringRef(library).rtrim('/');
    });
  };
  return llvm::makeIntrusiveRefCnt<sdk::HiddenFiles>(std::move(files), isHidden);
}

/// The driver's header of a toolkit in the place of Lathe's: that in the folder of the toolkit's libraries, or in the
/// one around it. It is looked for when a source includes it.
class ToolkitDriver final : public llvm::vfs::ProxyFileSystem {
 public:
  /// `files` sees all of the folder `toolkit`.
  ToolkitDriver(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::span<const std::string> ownDirs,
                llvm::StringRef toolkit)
      : ProxyFileSystem(std::move(files)) {
    for (const std::string& folder : ownDirs) places_.push_back(headerIn(folder));
    for (const llvm::StringRef folder : {toolkit, llvm::sys::path::parent_path(toolkit)})
      candidates_.push_back(headerIn(folder));
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    return ProxyFileSystem::status(realPath(path));
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    return ProxyFileSystem::openFileForRead(realPath(path));
  }

 private:
  static std::string headerIn(llvm::StringRef folder) { return (folder + "/" + llvm::StringRef(driverHeader)).str(); }
  std::string realPath(const llvm::Twine& path) {
    std::string asked = path.str();
    if (!llvm::is_contained(places_, asked)) return asked;
    const auto found =
        llvm::find_if(candidates_, [&](const std::string& file) { return getUnderlyingFS().exists(file); });
    return found == candidates_.end() ? asked : *found;
  }

  std::vector<std::string> places_;      ///< of Lathe's
  std::vector<std::string> candidates_;  ///< for the toolkit's
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> withHeaderOverrides(sdk::DialectFiles files, std::string_view mark,
                                                                    std::span<const std::string_view> libraries) {
  std::vector<std::string> toolkits;
  const auto look = [&](llvm::StringRef folder) {
    std::string prefix = folder.rtrim('/').str() + "/";
    if (files.files->exists(prefix + std::string(mark))) toolkits.push_back(std::move(prefix));
  };
  for (const std::string& folder : files.includeDirs) look(folder);
  for (const std::string_view folder : machineFolders) look(folder);  // where distributions put the toolkit's headers
  if (!files.toolkitDir.empty()) {
    files.files = llvm::makeIntrusiveRefCnt<ToolkitDriver>(std::move(files.files), files.ownDirs, files.toolkitDir);
    files.files = withLibrariesOnly(std::move(files.files), std::string(files.toolkitDir), libraries);
  }
  if (toolkits.empty()) return std::move(files.files);
  return llvm::makeIntrusiveRefCnt<HeaderOverrides>(std::move(files), std::move(toolkits), libraries);
}

}  // namespace lathe::dialects
