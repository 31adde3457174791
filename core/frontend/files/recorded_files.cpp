// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording works on looks, not on reads: `__has_include` decides what is compiled without reading anything. What was
// looked for in vain a record need not have, since a replay has nothing else; a log does.
#include "core/frontend/files/recorded_files.h"

#include <map>
#include <set>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "core/frontend/files/file_looks.h"

namespace lathe::detail {
namespace {

class RecordingFileSystem final : public llvm::vfs::ProxyFileSystem {
 public:
  RecordingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::vector<InputFile>& record)
      : ProxyFileSystem(std::move(files)), record_(record) {
    for (const InputFile& file : record_) {
      seen_.insert(file.path);
      if (!file.sameAs.empty()) continue;
      if (const auto facts = getUnderlyingFS().status(file.path)) files_.try_emplace(facts->getUniqueID(), file.path);
    }
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto out = ProxyFileSystem::status(path);
    if (out) note(path, *out);
    return out;
  }

  bool exists(const llvm::Twine& path) override { return static_cast<bool>(status(path)); }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto out = ProxyFileSystem::openFileForRead(path);
    if (out) {
      if (const auto facts = (*out)->status()) note(path, *facts);
    }
    return out;
  }

 private:
  void note(const llvm::Twine& path, const llvm::vfs::Status& facts) {
    if (!facts.isRegularFile()) return;
    llvm::SmallString<256> name;
    path.toVector(name);
    if (makeAbsolute(name)) return;
    llvm::sys::path::remove_dots(name, /*remove_dot_dot=*/true);
    if (!seen_.insert(name.str().str()).second) return;
    const auto [first, fresh] = files_.try_emplace(facts.getUniqueID(), name.str().str());
    if (!fresh) {
      record_.push_back({name.str().str(), {}, first->second});
      return;
    }
    auto buffer = getUnderlyingFS().getBufferForFile(path);
    if (buffer) record_.push_back({name.str().str(), (*buffer)->getBuffer().str(), {}});
  }

  std::vector<InputFile>& record_;
  std::set<std::string> seen_;
  std::map<llvm::sys::fs::UniqueID, std::string> files_;
};

/// An open file whose text is logged as the one who opened it sees it: what is read a second time may be another.
class LoggedFile final : public llvm::vfs::File {
 public:
  LoggedFile(std::unique_ptr<llvm::vfs::File> file, std::string path, FileLog& log)
      : file_(std::move(file)), path_(std::move(path)), log_(log) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t size,
                                                               bool needsZero, bool isVolatile) override {
    auto facts = file_->status();
    auto out = file_->getBuffer(name, size, needsZero, isVolatile);
    if (facts && out)
      log_.read(path_, *facts, (*out)->getBuffer());
    else if (!facts || !facts->isDirectory())  // a folder has no text, every time
      log_.failed(path_, facts ? out.getError() : facts.getError());
    return out;
  }
  std::error_code close() override { return file_->close(); }

 private:
  std::unique_ptr<llvm::vfs::File> file_;
  std::string path_;
  FileLog& log_;
};

class LoggingFileSystem final : public llvm::vfs::ProxyFileSystem {
 public:
  LoggingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, FileLog& log)
      : ProxyFileSystem(std::move(files)), log_(log) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto out = ProxyFileSystem::status(path);
    note(path.str(), out);
    return out;
  }
  bool exists(const llvm::Twine& path) override { return static_cast<bool>(status(path)); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto out = ProxyFileSystem::openFileForRead(path);
    if (!out) {
      // A folder cannot be opened and yet is there.
      const auto facts = ProxyFileSystem::status(path);
      const bool isNoFile = isAbsence(out.getError()) || out.getError() == std::errc::is_a_directory;
      if (isNoFile && !(facts && facts->isRegularFile()))
        note(path.str(), facts);
      else
        log_.failed(path.str(), out.getError());
      return out;
    }
    note(path.str(), (*out)->status());
    return std::make_unique<LoggedFile>(std::move(*out), path.str(), log_);
  }

 private:
  void note(const std::string& path, const llvm::ErrorOr<llvm::vfs::Status>& facts) {
    if (llvm::sys::path::is_absolute(path)) {
      const auto folder = getCurrentWorkingDirectory();
      llvm::StringRef rest = path;
      if (folder && rest.consume_front(*folder) && (rest.starts_with("/") || folder->ends_with("/")))
        log_.here(*folder);
    }
    if (!facts)
      log_.failed(path, facts.getError());
    else if (facts->isDirectory() && path != ".")  // which is always there
      log_.folder(path);
    else if (facts->isRegularFile())
      log_.present(path, *facts);
  }

  FileLog& log_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> logged(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                       FileLog& log) {
  return llvm::makeIntrusiveRefCnt<LoggingFileSystem>(std::move(files), log);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> recorded(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                         std::vector<InputFile>& record, std::size_t kept) {
  record.resize(kept);  // the rest is of an attempt before: this one reads all again
  return llvm::makeIntrusiveRefCnt<RecordingFileSystem>(std::move(files), record);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> replayedFiles(const CompileRecord& record) {
  auto out = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  out->setCurrentWorkingDirectory(record.workingDirectory);
  for (const InputFile& file : record.files) {
    if (file.sameAs.empty()) {
      out->addFile(file.path, 0, llvm::MemoryBuffer::getMemBuffer(file.bytes, file.path));
    } else {
      out->addHardLink(file.path, file.sameAs);  // recorded before, and so added
    }
  }
  return out;
}

}  // namespace lathe::detail
