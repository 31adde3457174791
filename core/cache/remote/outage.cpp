// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/cache/remote/outage.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "core/support/file.h"
#include "core/support/unique_descriptor.h"

namespace lathe::detail {
namespace {

constexpr std::chrono::seconds pause{60};
constexpr std::size_t mostReason = 400;

/// The reason that a file gives; `isOver` is set if it gave one a minute ago.
std::optional<std::string> told(const std::filesystem::path& file, bool& isOver) {
  struct stat facts{};
  if (file.empty() || ::lstat(file.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const auto age = now.tv_sec - facts.st_mtim.tv_sec;
  if (age < 0 || age >= pause.count()) {  // a clock that was set back does not prolong it
    isOver = true;
    return std::nullopt;
  }
  auto text = readFile(file);
  return text ? text->substr(0, mostReason) : "it did not work";
}

}  // namespace

/// `isOver` is set if there was an outage, and a minute has passed since.
std::optional<std::string> Outage::known(bool& isOver) const {
  isOver = false;
  if (!reason_.empty()) {
    if (std::chrono::steady_clock::now() - since_ < pause) return reason_;
    isOver = true;
  }
  if (auto own = told(file_, isOver)) return own;
  bool isOthersOver = false;  // theirs to mend
  return told(others_, isOthersOver);
}

std::optional<std::string> Outage::reason() {
  const std::lock_guard lock(mutex_);
  bool isOver = false;
  auto out = known(isOver);
  if (isOver) {  // this one tries
    if (!reason_.empty()) since_ = std::chrono::steady_clock::now();
    if (!file_.empty()) (void)::utimensat(AT_FDCWD, file_.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  }
  return out;
}

std::optional<std::string> Outage::peek() const {
  const std::lock_guard lock(mutex_);
  bool isOver = false;
  return known(isOver);
}

void Outage::begin(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  since_ = std::chrono::steady_clock::now();
  reason_ = reason.empty() ? "it did not work" : reason;
  if (file_.empty()) return;
  // In place: a temporary file would be left over by a process that is killed, and a reason that is cut is one too.
  const UniqueDescriptor file(::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.ok()) (void)writeAll(file.get(), reason_);
}

void Outage::end() {
  const std::lock_guard lock(mutex_);
  reason_.clear();
  if (!file_.empty()) (void)::unlink(file_.c_str());
}

}  // namespace lathe::detail
