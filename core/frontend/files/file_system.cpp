// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file system of one compile.
#include "core/frontend/files/file_system.h"

#include <map>

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "core/frontend/embedded.h"
#include "core/frontend/files/embedded_file_system.h"
#include "core/frontend/files/header_archive.h"
#include "core/frontend/files/recorded_files.h"

namespace lathe::detail {
namespace {

llvm::StringRef ref(std::string_view text) {
  return {text.data(), text.size()};
}

/// Serves resolverFolder/NAME by asking the user's function for NAME, once per name: Clang needs the same answer each
/// time.
class ResolverFileSystem final : public EmbeddedFileSystem {
 public:
  explicit ResolverFileSystem(HeaderResolver resolver)
      : EmbeddedFileSystem(resolverFolder, 0x1a7e), resolver_(std::move(resolver)) {}

 private:
  std::optional<Entry> find(llvm::StringRef name) override {
    if (name.empty()) return folder();  // Clang drops search folders that do not exist
    const auto [at, fresh] = answers_.try_emplace(name.str());
    if (fresh) at->second = resolver_(at->first);
    if (!at->second) return std::nullopt;
    return Entry{.size = at->second->size(), .stored = *at->second};
  }

  HeaderResolver resolver_;
  std::map<std::string, std::optional<std::string>> answers_;
};

/// Lathe's headers and preludes, which are part of this program.
class EmbeddedFiles final : public EmbeddedFileSystem {
 public:
  EmbeddedFiles() : EmbeddedFileSystem(ownFolder, 0x1a7d) {
    for (const EmbeddedFile& file : embeddedHeaders())
      add((llvm::Twine(embeddedFolder) + "/" + ref(file.path)).str(), file.text);
    for (const EmbeddedPrelude& prelude : embeddedPreludes()) {
      if (!prelude.pch.empty()) add(preludePath(prelude.name), prelude.pch);
    }
  }

 private:
  void add(llvm::StringRef path, std::string_view text) {
    const llvm::StringRef name = path.drop_front(llvm::StringRef(ownFolder).size() + 1);
    entries_[name] = {.size = text.size(), .stored = text};
    for (llvm::StringRef parent = llvm::sys::path::parent_path(name); !parent.empty();
         parent = llvm::sys::path::parent_path(parent))
      entries_[parent] = folder();
  }

  std::optional<Entry> find(llvm::StringRef name) override {
    const auto found = entries_.find(name);
    return found == entries_.end() ? std::nullopt : std::optional(found->second);
  }

  llvm::StringMap<Entry> entries_;
};

/// One for all compiles and threads: it never changes.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> embeddedFiles() {
  static const auto files = llvm::makeIntrusiveRefCnt<EmbeddedFiles>();
  return files;
}

/// The machine's files without what the disk has below Lathe's own folder, which only this program has: nobody need
/// ask.
class FilesBesideOwn final : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;
  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    if (isOwn(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
  }
  bool exists(const llvm::Twine& path) override { return static_cast<bool>(status(path)); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    if (isOwn(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  static bool isOwn(const llvm::Twine& path) {
    llvm::SmallString<256> storage;
    llvm::StringRef rest = path.toStringRef(storage);
    return !rest.starts_with(resolverFolder) && rest.consume_front(ownFolder) && rest.starts_with("/");
  }
};

/// What is not Lathe's own and not the job's.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesOutside(const HeaderResolver& resolver, const FileAccess& access) {
  if (access.replay) return replayedFiles(*access.replay);
  auto files = machineFiles(resolver);
  if (access.log) files = logged(std::move(files), *access.log);
  return access.record ? recorded(std::move(files), *access.record, access.recorded) : files;
}

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> machineFiles(const HeaderResolver& resolver) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem();
  if (!resolver) return files;
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(files));
  overlay->pushOverlay(llvm::makeIntrusiveRefCnt<ResolverFileSystem>(resolver));
  return overlay;
}

Result<void> checkHeaders(const std::vector<Header>& headers) {
  llvm::StringMap<llvm::StringRef> texts;
  for (const Header& header : headers) {
    llvm::SmallString<128> name(header.name);
    llvm::sys::path::remove_dots(name, /*remove_dot_dot=*/true);
    const auto [known, isNew] = texts.try_emplace(name, header.text);
    if (isNew || known->second == header.text) continue;
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "header '" + header.name + "' is given twice, with different texts",
                 .hint = "give it once, or under two names (--header, Job::headers)"};
  }
  return {};
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(const std::vector<Header>& headers,
                                                               const HeaderResolver& resolver, const FileAccess& access,
                                                               std::span<const sdk::DialectHeader> dialectHeaders) {
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::makeIntrusiveRefCnt<FilesBesideOwn>(filesOutside(resolver, access)));
  overlay->pushOverlay(openHeaderArchive(embeddedHeaderArchive(), libraryFolder));
  overlay->pushOverlay(embeddedFiles());
  if (headers.empty() && dialectHeaders.empty()) return overlay;
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const Header& header : headers) {
    memory->addFile(llvm::Twine(jobHeaderFolder) + "/" + header.name, 0, llvm::MemoryBuffer::getMemBuffer(header.text));
  }
  for (const sdk::DialectHeader& header : dialectHeaders) {
    memory->addFile(llvm::Twine(embeddedFolder) + "/" + ref(header.name), 0,
                    llvm::MemoryBuffer::getMemBufferCopy(ref(header.text)));
  }
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

std::vector<std::string> includeArguments(const Job& job, const sdk::Dialect& dialect, bool hasResolver,
                                          const std::string& toolkit) {
  std::vector<std::string> out;
  const auto add = [&](const char* flag, const std::string& folder) {
    out.emplace_back(flag);
    out.push_back(folder);
  };
  if (!job.headers.empty()) add("-I", jobHeaderFolder);
  if (hasResolver) add("-I", resolverFolder);
  for (const std::string& folder : job.options.includeDirs) add("-I", folder);
  if (!toolkit.empty()) add("-internal-isystem", toolkit);
  const auto addOwn = [&](llvm::StringRef folder, llvm::StringRef part) {
    add("-internal-isystem", (folder + part).str());
  };
  if (dialect.hasLibrary) addOwn(libraryFolder, "/own");
  addOwn(embeddedFolder, "/lathe/device/std");
  addOwn(embeddedFolder, "");
  if (!dialect.hasLibrary) return out;
  addOwn(libraryFolder, "/wrap");
  addOwn(libraryFolder, "/v1");
  return out;
}

}  // namespace lathe::detail
