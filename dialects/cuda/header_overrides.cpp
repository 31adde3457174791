// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's headers in place of a toolkit's.
#include "dialects/cuda/header_overrides.h"

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include "dialects/cuda/machine_headers.h"

namespace lathe::dialects {
namespace {

/// The driver's interface, which is C and nothing of a compiler's: a toolkit's is newer and whole.
constexpr std::string_view driverHeader = "cuda.h";

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

/// A folder of which only the headers of some libraries are there. It is searched before Lathe's own: to look there for
/// every header of a source would cost each compile a question to the machine, and a cache its answer.
class LibrariesOnly final : public llvm::vfs::ProxyFileSystem {
 public:
  LibrariesOnly(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::string folder,
                std::span<const std::string_view> libraries)
      : ProxyFileSystem(std::move(files)), folder_(std::move(folder)), libraries_(libraries) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    if (isHidden(path.str())) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    if (isHidden(path.str())) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  bool isHidden(llvm::StringRef path) const {
    if (!path.consume_front(folder_) || !path.consume_front("/")) return false;
    return llvm::none_of(libraries_, [&](std::string_view library) {
      return path.starts_with(library) || path == llvm::StringRef(library).rtrim('/');
    });
  }

  std::string folder_;
  std::span<const std::string_view> libraries_;
};

/// One file in the place of others.
class OneInstead final : public llvm::vfs::ProxyFileSystem {
 public:
  OneInstead(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::vector<std::string> places, std::string real)
      : ProxyFileSystem(std::move(files)), places_(std::move(places)), real_(std::move(real)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    return ProxyFileSystem::status(isPlace(path) ? real_ : path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    return ProxyFileSystem::openFileForRead(isPlace(path) ? real_ : path);
  }

 private:
  bool isPlace(const llvm::Twine& path) const { return llvm::is_contained(places_, path.str()); }

  std::vector<std::string> places_;
  std::string real_;
};

/// The path of a toolkit's driver header, in the folder of its libraries or the one around it; empty: there is none.
std::string driverHeaderNear(llvm::vfs::FileSystem& files, llvm::StringRef toolkit) {
  for (const llvm::StringRef folder : {toolkit, llvm::sys::path::parent_path(toolkit)}) {
    std::string path = (folder + "/" + llvm::StringRef(driverHeader)).str();
    if (files.exists(path)) return path;
  }
  return {};
}

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
  const std::string driver =
      files.toolkitDir.empty() ? std::string() : driverHeaderNear(*files.files, files.toolkitDir);
  if (!files.toolkitDir.empty())
    files.files =
        llvm::makeIntrusiveRefCnt<LibrariesOnly>(std::move(files.files), std::string(files.toolkitDir), libraries);
  if (!driver.empty()) {
    std::vector<std::string> places;
    for (const std::string& folder : files.ownDirs) places.push_back(folder + "/" + std::string(driverHeader));
    files.files = llvm::makeIntrusiveRefCnt<OneInstead>(std::move(files.files), std::move(places), driver);
  }
  if (toolkits.empty()) return std::move(files.files);
  return llvm::makeIntrusiveRefCnt<HeaderOverrides>(std::move(files), std::move(toolkits), libraries);
}

}  // namespace lathe::dialects
