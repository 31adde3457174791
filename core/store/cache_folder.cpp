// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/store/cache_folder.h"

#include <fcntl.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "core/store/file_lock.h"
#include "core/support/file.h"

namespace lathe::detail::cache_folder {
namespace {

constexpr mode_t writableByOthers = S_IWGRP | S_IWOTH;

/// The user, or root, who can do everything anyway and to whom an installation's folder belongs.
bool isTrustedOwner(const struct stat& facts) {
  return facts.st_uid == ::geteuid() || facts.st_uid == 0;
}

}  // namespace

std::filesystem::path usual() {
  const auto variable = [](const char* name) -> std::filesystem::path {
    const char* const value = std::getenv(name);
    return value ? value : "";
  };
  if (auto folder = variable("LATHE_CACHE_DIR"); !folder.empty()) return folder;
  if (const auto folder = variable("XDG_CACHE_HOME"); folder.is_absolute()) return folder / "lathe";
  const auto home = variable("HOME");
  return home.empty() ? home : home / ".cache" / "lathe";
}

UniqueDescriptor open(const std::filesystem::path& folder, bool make, std::string& why) {
  const auto fail = [&](const std::string& reason) {
    why = folder.empty() ? reason : folder.string() + ": " + reason;
    return UniqueDescriptor();
  };
  if (folder.empty()) return fail("neither LATHE_CACHE_DIR nor XDG_CACHE_HOME nor HOME is set");
  std::error_code failed;
  if (make && !std::filesystem::exists(folder, failed)) {
    std::filesystem::create_directories(folder.parent_path(), failed);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return fail(std::strerror(errno));
  }
  UniqueDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat facts{};
  if (!opened.ok() || ::fstat(opened.get(), &facts) != 0) return fail(std::strerror(errno));
  if (!isTrustedOwner(facts)) return fail("it belongs to another user");
  if ((facts.st_mode & writableByOthers) != 0) return fail("others may write to it (chmod go-w makes it safe)");
  return opened;
}

UniqueDescriptor openFile(int folder, const std::string& path, struct stat& facts, std::string* why) {
  const auto fail = [&](const char* reason) {
    if (why) *why = reason;
    return UniqueDescriptor();
  };
  UniqueDescriptor file(::openat(folder, path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file.ok()) {
    const int code = errno;
    return fail(code == ENOENT ? "" : code == ELOOP ? "it is a link" : std::strerror(code));
  }
  if (::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return fail("it is no regular file");
  if (!isTrustedOwner(facts)) return fail("it belongs to another user");
  if ((facts.st_mode & writableByOthers) != 0) return fail("others may write to it");
  return file;
}

bool publish(int folder, const std::string& path, std::string_view bytes) {
  static std::atomic<unsigned> serial = 0;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  // Processes of two containers may have one number.
  const std::string temporary = std::string(temporaries) + "/" + std::to_string(::getpid()) + "-" +
                                std::to_string(now.tv_sec) + "." + std::to_string(now.tv_nsec) + "-" +
                                std::to_string(serial++);
  const FileLock file(UniqueDescriptor(
      ::openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)));
  if (!file.ok()) return false;
  (void)file.lock();  // for prune(), on file systems that have locks
  ::mkdirat(folder, path.substr(0, path.find('/')).c_str(), 0700);
  const bool published = writeAll(file.get(), bytes) && ::fdatasync(file.get()) == 0 &&
                         ::renameat(folder, temporary.c_str(), folder, path.c_str()) == 0;
  if (!published) ::unlinkat(folder, temporary.c_str(), 0);
  return published;
}

}  // namespace lathe::detail::cache_folder
