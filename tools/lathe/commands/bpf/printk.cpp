// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/commands/bpf/printk.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace lathe::tool {
namespace {

constexpr const char* mountPoint = "/sys/kernel/tracing";
constexpr std::string_view prefix = "lathe-";

std::string instances() {
  return std::string(mountPoint) + "/instances";
}

/// Removes the instances of processes that are gone.
void removeLeftBehind() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(instances(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const int process = std::atoi(name.c_str() + prefix.size());
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) ::rmdir(entry.path().c_str());
  }
}

bool enable(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool done = ::write(descriptor, "1", 1) == 1;
  ::close(descriptor);
  return done;
}

Error failure(std::string_view what) {
  return {errno == EPERM || errno == EACCES ? ErrorCode::PermissionDenied : ErrorCode::Unsupported,
          fmt::format("bpf_printk: {}: {}", what, std::strerror(errno))};
}

}  // namespace

bool provideTracefs() {
  if (::access(instances().c_str(), F_OK) == 0) return true;
  return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tracefs", mountPoint, "tracefs", 0, nullptr) == 0;
}

Result<PrintkReader> PrintkReader::open() {
  if (!provideTracefs()) return failure("tracefs, where its texts go, is not mounted");
  removeLeftBehind();
  std::string folder = fmt::format("{}/{}{}", instances(), prefix, ::getpid());
  constexpr mode_t ownerOnly = 0700;
  if (::mkdir(folder.c_str(), ownerOnly) != 0) return failure(folder);
  PrintkReader reader(folder, -1);  // removes the folder
  if (!enable(folder + "/events/bpf_trace/bpf_trace_printk/enable")) return failure("its event cannot be enabled");
  reader.pipe_ = ::open((folder + "/trace_pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (reader.pipe_ < 0) return failure("its texts cannot be read");
  return reader;
}

PrintkReader::PrintkReader(PrintkReader&& other) noexcept
    : folder_(std::exchange(other.folder_, {})),
      pending_(std::move(other.pending_)),
      pipe_(std::exchange(other.pipe_, -1)) {}

PrintkReader::~PrintkReader() {
  if (pipe_ >= 0) ::close(pipe_);
  if (!folder_.empty()) ::rmdir(folder_.c_str());
}

std::vector<PrintkReader::Line> PrintkReader::take() {
  std::array<char, 8192> buffer{};
  // Not for ever: showing a line may make the next.
  constexpr int mostReads = 64;
  ssize_t got = 0;
  for (int i = 0; i < mostReads && (got = ::read(pipe_, buffer.data(), buffer.size())) > 0; ++i)
    pending_.append(buffer.data(), static_cast<std::size_t>(got));
  std::vector<Line> out;
  std::size_t end = 0;
  for (std::size_t at = 0; (end = pending_.find('\n', at)) != std::string::npos; at = end + 1) {
    // "      bash-1234    [001] ...11  5678.123456: bpf_trace_printk: text"
    const std::string_view line = std::string_view(pending_).substr(at, end - at);
    constexpr std::string_view mark = ": bpf_trace_printk: ";
    const std::size_t text = line.find(mark);
    if (text == std::string_view::npos) continue;
    const std::size_t from = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t to = line.find_last_not_of(' ', std::min(line.find('['), line.size()) - 1);
    out.push_back({std::string(line.substr(from, to + 1 - from)), std::string(line.substr(text + mark.size()))});
  }
  pending_.erase(0, pending_.rfind('\n') + 1);
  return out;
}

}  // namespace lathe::tool
