// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of others and the files they read and write, for hooks (<lathe/sdk/emit.h>).
#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <lathe/sdk/emit.h>

#include "core/process/child.h"
#include "core/process/temporary_files.h"
#include "core/support/cancelled.h"
#include "core/support/file.h"
#include "core/support/llvm_bridge.h"
#include "core/support/text.h"
#include "core/support/unique_descriptor.h"

namespace lathe::sdk {

std::optional<std::string> findTool(std::string_view name, std::span<const std::string> first,
                                    std::span<const std::string> last) {
  const auto in = [name](std::span<const std::string> folders) -> std::optional<std::string> {
    if (folders.empty()) return std::nullopt;  // LLVM takes no folders for those of $PATH
    const llvm::SmallVector<llvm::StringRef> paths(folders.begin(), folders.end());
    auto found = llvm::sys::findProgramByName(name, paths);
    return found ? std::optional(*std::move(found)) : std::nullopt;
  };
  if (auto found = in(first)) return found;
  if (auto found = llvm::sys::findProgramByName(name)) return *std::move(found);
  return in(last);
}

llvm::Expected<TemporaryFile> TemporaryFile::create(std::string_view suffix) {
  llvm::SmallString<128> path;
  if (const std::error_code failed = llvm::sys::fs::createTemporaryFile(detail::temporaryPrefix(), suffix, path)) {
    return detail::toLlvm({.code = ErrorCode::FileUnwritable,
                           .message = "no temporary file can be made: " + failed.message(),
                           .stage = "emit"});
  }
  return TemporaryFile(path.str().str());
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) (void)llvm::sys::fs::remove(path_);
}

llvm::Error TemporaryFile::write(std::string_view bytes) const {
  auto written = detail::writeFile(path_, bytes);
  return written ? llvm::Error::success() : detail::toLlvm(std::move(written).error());
}

llvm::Expected<std::string> TemporaryFile::read() const {
  auto bytes = detail::readFile(path_);
  if (!bytes) return detail::toLlvm(std::move(bytes).error());
  return *std::move(bytes);
}

llvm::Error runTool(const ToolCall& call, std::string hint) {
  auto log = TemporaryFile::create("log");
  if (!log) return log.takeError();
  std::vector<std::string> words = {call.program};
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  const detail::UniqueDescriptor output(::open(log->path().c_str(), O_WRONLY | O_CLOEXEC));
  const pid_t child = detail::startProgram(words, output.get());
  std::string fault = child < 0 ? std::strerror(errno) : "";
  int code = -1;
  if (child > 0) {
    {
      // It ends before the child is waited for: the number may be another process's then.
      const std::stop_callback kill(call.stop, [child] { ::kill(child, SIGKILL); });
      detail::awaitEnd(child);
    }
    const int status = detail::waitFor(child);
    if (const std::string signal = detail::endingSignal(status); !signal.empty())
      fault = "it was ended by " + signal;
    else
      code = WEXITSTATUS(status);
  }
  if (call.stop.stop_requested()) return detail::toLlvm(detail::cancelled("emit"));
  if (code == 0) {
    if (call.output) {
      auto written = log->read();
      if (!written) return written.takeError();
      *call.output = *std::move(written);
    }
    return llvm::Error::success();
  }
  auto said = detail::readFile(log->path());
  std::string text = said ? *std::move(said) : std::string();
  for (const auto& [from, to] : call.renamed) text = detail::replaced(std::move(text), from, to);
  while (text.ends_with('\n')) text.pop_back();
  if (text.empty())
    text = fault.empty() ? "it ended with exit code " + std::to_string(code) + " and said nothing" : fault;
  return detail::toLlvm({.code = ErrorCode::ToolFailed,
                         .message = llvm::sys::path::filename(call.program).str() + ": " + text,
                         .hint = std::move(hint),
                         .stage = "emit"});
}

}  // namespace lathe::sdk
