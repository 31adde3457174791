// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary files and folders that bear their process's number, so that a process that was killed leaves none for good.
#pragma once

#include <string>

#include <sys/types.h>

#include "llvm/ADT/SmallString.h"

namespace lathe::detail {

/// The beginning of the names of this process's temporary files and folders, for LLVM's functions that make them in
/// the system's folder. Of processes that see one folder no two have the same: the process namespace is part of it.
[[nodiscard]] std::string temporaryPrefix();

/// Removes the temporary files and folders of `process`, which has ended and has not been waited for yet.
void removeTemporaryFilesOf(pid_t process);

/// A folder that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  /// False: it could not be made.
  [[nodiscard]] bool isThere() const { return isThere_; }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ + "/" + name).str(); }

 private:
  llvm::SmallString<128> path_;
  bool isThere_ = false;
};

}  // namespace lathe::detail
