// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file system of one compile.
#include "core/frontend/file_system.h"

#include <map>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "core/frontend/dialect.h"
#include "core/frontend/header_archive.h"
#include "core/frontend/prelude.h"
#include "core/frontend/recorded_files.h"

namespace lathe::detail {
namespace {

llvm::StringRef ref(std::string_view text) {
  return {text.data(), text.size()};
}

/// Serves resolverFolder/NAME by asking the user's function for NAME, once per name: Clang needs the same answer each
/// time.
class ResolverFileSystem final : public llvm::vfs::FileSystem {
 public:
  explicit ResolverFileSystem(HeaderResolver resolver) : resolver_(std::move(resolver)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    const std::string name = path.str();
    if (name == resolverFolder) {  // Clang drops search folders that do not exist
      return llvm::vfs::Status(name, uniqueId(name), {}, 0, 0, 0, llvm::sys::fs::file_type::directory_file,
                               llvm::sys::fs::perms::all_read);
    }
    const std::string* text = find(path);
    if (!text) return std::make_error_code(std::errc::no_such_file_or_directory);
    return statusOf(path.str(), *text);
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const std::string* text = find(path);
    if (!text) return std::make_error_code(std::errc::no_such_file_or_directory);
    return std::make_unique<ResolvedFile>(statusOf(path.str(), *text), *text);
  }

  llvm::vfs::directory_iterator dir_begin(const llvm::Twine&, std::error_code& error) override {
    error = std::make_error_code(std::errc::not_supported);
    return {};
  }
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override { return std::string("/"); }
  std::error_code setCurrentWorkingDirectory(const llvm::Twine&) override { return {}; }

 private:
  class ResolvedFile final : public llvm::vfs::File {
   public:
    ResolvedFile(llvm::vfs::Status status, const std::string& text) : status_(std::move(status)), text_(text) {}
    llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t, bool,
                                                                 bool) override {
      return llvm::MemoryBuffer::getMemBuffer(text_, name.str());
    }
    std::error_code close() override { return {}; }

   private:
    llvm::vfs::Status status_;
    const std::string& text_;  // owned by the file system, which outlives its files
  };

  const std::string* find(const llvm::Twine& path) {
    llvm::SmallString<128> buffer;
    llvm::StringRef name = path.toStringRef(buffer);
    if (!name.consume_front(resolverFolder) || !name.consume_front("/")) return nullptr;
    const auto [at, fresh] = answers_.try_emplace(name.str());
    if (fresh) at->second = resolver_(at->first);
    return at->second ? &*at->second : nullptr;
  }

  /// Clang takes files of equal id for one file.
  static llvm::sys::fs::UniqueID uniqueId(const std::string& path) { return {0x1a7e, llvm::hash_value(path)}; }

  static llvm::vfs::Status statusOf(const std::string& path, const std::string& text) {
    return {path,
            uniqueId(path),
            {},
            0,
            0,
            text.size(),
            llvm::sys::fs::file_type::regular_file,
            llvm::sys::fs::perms::all_read};
  }

  HeaderResolver resolver_;
  std::map<std::string, std::optional<std::string>> answers_;
};

/// What is not Lathe's own and not the job's.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesOutside(const HeaderResolver& resolver, const FileAccess& access) {
  if (access.replay) return replayedFiles(*access.replay);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem();
  if (resolver) {
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(files));
    overlay->pushOverlay(llvm::makeIntrusiveRefCnt<ResolverFileSystem>(resolver));
    files = std::move(overlay);
  }
  return access.record ? recorded(std::move(files), *access.record) : files;
}

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(const std::vector<Header>& headers,
                                                               const HeaderResolver& resolver, std::string_view prelude,
                                                               const FileAccess& access) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const EmbeddedFile& file : embeddedHeaders()) {
    memory->addFile(llvm::Twine(embeddedFolder) + "/" + ref(file.path), 0,
                    llvm::MemoryBuffer::getMemBuffer(ref(file.text)));
  }
  for (const Header& header : headers) {
    memory->addFile(llvm::Twine(jobHeaderFolder) + "/" + header.name, 0, llvm::MemoryBuffer::getMemBuffer(header.text));
  }
  if (!prelude.empty())
    memory->addFile(preludePath, 0,
                    llvm::MemoryBuffer::getMemBuffer(ref(prelude), preludePath, /*RequiresNullTerminator=*/false));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(filesOutside(resolver, access));
  overlay->pushOverlay(openHeaderArchive(embeddedHeaderArchive(), libraryFolder));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

std::vector<std::string> includeArguments(const Job& job, bool hasResolver) {
  std::vector<std::string> out;
  const auto add = [&](const char* flag, const std::string& folder) {
    out.emplace_back(flag);
    out.push_back(folder);
  };
  if (!job.headers.empty()) add("-I", jobHeaderFolder);
  if (hasResolver) add("-I", resolverFolder);
  for (const std::string& folder : job.options.includeDirs) add("-I", folder);
  add("-internal-isystem", std::string(libraryFolder) + "/own");
  add("-internal-isystem", std::string(embeddedFolder) + "/lathe/device/std");
  add("-internal-isystem", embeddedFolder);
  add("-internal-isystem", std::string(libraryFolder) + "/wrap");
  add("-internal-isystem", std::string(libraryFolder) + "/v1");
  return out;
}

}  // namespace lathe::detail
