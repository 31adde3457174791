// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording works on looks, not on reads: `__has_include` decides what is compiled without reading anything. What was
// looked for in vain need not be recorded, since a replay has nothing else.
#include "core/frontend/files/recorded_files.h"

#include <map>
#include <set>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace lathe::detail {
namespace {

class RecordingFileSystem final : public llvm::vfs::ProxyFileSystem {
 public:
  RecordingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::vector<InputFile>& record)
      : ProxyFileSystem(std::move(files)), record_(record) {}

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

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> recorded(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                         std::vector<InputFile>& record) {
  record.clear();  // of an attempt before: this one reads all again
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
