// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock of a file by flock(2), which belongs to the open file and not to its descriptor: a child that the program
// forks meanwhile shares it, and closing gives it back only when the child has ended too. So it is given back by name.
#pragma once

#include <sys/file.h>

#include <cerrno>
#include <utility>

#include "core/support/unique_descriptor.h"

namespace lathe::detail {

/// An open file that may be locked; unlocked and closed when it is destroyed. Move-only.
class FileLock {
 public:
  FileLock() = default;
  explicit FileLock(UniqueDescriptor file) : file_(std::move(file)) {}
  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&&) noexcept = delete;
  ~FileLock() {
    if (file_.ok()) ::flock(file_.get(), LOCK_UN);
  }

  /// Locks it for this open file alone. `mode`: LOCK_NB, which does not wait, or 0. False, with errno: it is not
  /// locked.
  [[nodiscard]] bool lock(int mode = 0) const noexcept { return ::flock(file_.get(), LOCK_EX | mode) == 0; }
  [[nodiscard]] bool ok() const noexcept { return file_.ok(); }
  [[nodiscard]] int get() const noexcept { return file_.get(); }

 private:
  UniqueDescriptor file_;
};

}  // namespace lathe::detail
