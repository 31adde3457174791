// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking with LLD, in a child process: LLD keeps global state, is not safe on several threads and may refuse to run
// again after a crash, so the host must never share a process with it.
#include <cstdio>
#include <filesystem>

#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "core/driver/worker.h"
#include "core/emit/emit.h"
#include "core/support/file.h"
#include "core/support/llvm_bridge.h"

LLD_HAS_DRIVER(elf)

namespace lathe::detail {
namespace {

/// A folder that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() { ok_ = !llvm::sys::fs::createUniqueDirectory("lathe-link", path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    if (ok_) (void)llvm::sys::fs::remove_directories(path_);
  }
  bool ok() const { return ok_; }
  std::string file(const char* name) const { return (path_ + "/" + name).str(); }

 private:
  llvm::SmallString<128> path_;
  bool ok_ = false;
};

}  // namespace

Result<std::string> linkHere(std::string_view object) {
  const TemporaryFolder folder;
  if (!folder.ok())
    return Error{
        .code = ErrorCode::FileUnwritable, .message = "no temporary folder can be made for linking", .stage = "link"};
  const std::string in = folder.file("in.o");
  const std::string out = folder.file("out.so");
  if (auto written = writeFile(in, object); !written) return std::move(written).error();
  std::string text;
  llvm::raw_string_ostream stream(text);
  const char* const arguments[] = {"ld.lld", "-shared", "--no-undefined", "--threads=1", in.c_str(), "-o", out.c_str()};
  const lld::Result result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0) return Error{.code = ErrorCode::ToolFailed, .message = "lld: " + text, .stage = "link"};
  return readFile(out);
}

llvm::Expected<std::string> linkElfShared(const std::string& object) {
  auto linked = runInWorker({WorkerTask::link, object});
  if (!linked) return toLlvm(std::move(linked).error());
  return *std::move(linked);
}

}  // namespace lathe::detail
