// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, and the search for what is left behind.
#include "core/process/temporary_files.h"

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace lathe::detail {
namespace {

std::string prefixOf(pid_t process) {
  // Containers may share a folder and have processes of one number.
  struct stat space{};
  (void)stat("/proc/self/ns/pid", &space);
  return fmt::format("lathe-{:x}-{}", space.st_ino, process);
}

}  // namespace

std::string temporaryPrefix() {
  return prefixOf(getpid());
}

void removeTemporaryFilesOf(pid_t process) {
  llvm::SmallString<128> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  const std::string prefix = prefixOf(process) + "-";
  std::error_code ignored;
  for (std::filesystem::directory_iterator at(folder.c_str(), ignored), end; at != end; at.increment(ignored)) {
    if (at->path().filename().native().starts_with(prefix)) {
      std::error_code failed;  // someone else's: it stays
      std::filesystem::remove_all(at->path(), failed);
    }
  }
}

TemporaryFolder::TemporaryFolder() : isThere_(!llvm::sys::fs::createUniqueDirectory(temporaryPrefix(), path_)) {}

TemporaryFolder::~TemporaryFolder() {
  if (isThere_) (void)llvm::sys::fs::remove_directories(path_);
}

}  // namespace lathe::detail
