// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX file access with the reason of each failure kept.
#include "tools/lathe/arguments/files.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace lathe::tool {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ > STDERR_FILENO) ::close(value_);
  }
  [[nodiscard]] int get() const { return value_; }
  /// Closes and reports what the last writes met.
  [[nodiscard]] bool close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

Error unreadable(std::string_view path) {
  return {ErrorCode::FileUnreadable, fmt::format("{}: cannot be read: {}", path, std::strerror(errno))};
}

Error unwritable(const std::filesystem::path& path) {
  return {ErrorCode::FileUnwritable, fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno))};
}

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// The file that a symbolic link leads to: the link stays, and the file is replaced.
std::filesystem::path behindLinks(const std::filesystem::path& path) {
  constexpr int mostLinks = 40;  // as the system has it: a longer chain is a circle
  std::error_code failed;
  std::filesystem::path out = path;
  for (int i = 0; i < mostLinks && std::filesystem::is_symlink(out, failed); ++i)
    out = out.parent_path() / std::filesystem::read_symlink(out, failed);
  return out;
}

/// The file that `path` is or will be; empty: none of its own.
std::filesystem::path fileAt(const std::string& path) {
  std::error_code failed;
  const auto kind = std::filesystem::status(path, failed).type();
  if (path.empty() || path == "-" ||
      (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found))
    return {};
  return std::filesystem::weakly_canonical(path, failed);
}

Result<void> writeInPlace(const std::filesystem::path& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0 || !writeAll(file.get(), bytes) || !file.close()) return unwritable(path);
  return {};
}

}  // namespace

Result<std::string> readFile(const std::string& path) {
  // Standard input can be read once only, and commands look at their file before they compile it.
  static std::optional<std::string> input;
  const bool standardInput = path == "-";
  if (standardInput && input) return *input;
  const std::string_view shown = standardInput ? "standard input" : std::string_view(path);
  const Descriptor file(standardInput ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return unreadable(shown);
  std::string bytes;
  struct stat status{};
  if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode))
    bytes.reserve(static_cast<std::size_t>(status.st_size) + 1);
  std::array<char, 65536> chunk;
  for (;;) {
    const ssize_t count = ::read(file.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(shown);
    if (count == 0) break;
    bytes.append(chunk.data(), static_cast<std::size_t>(count));
  }
  if (standardInput) input = bytes;
  return bytes;
}

Result<void> writeFile(const std::filesystem::path& asked, std::string_view bytes) {
  const std::filesystem::path path = behindLinks(asked);
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return writeInPlace(path, bytes);
  std::string temporary = path.string() + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return unwritable(path);
  // mkostemp gives 0600; the result gets what an ordinary creation would, or keeps the replaced file's mode.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = status.st_mode ? status.st_mode & 07777 : 0666 & ~mask;
  if (::fchmod(file.get(), mode) == 0 && writeAll(file.get(), bytes) && ::fsync(file.get()) == 0 && file.close() &&
      ::rename(temporary.c_str(), path.c_str()) == 0)
    return {};
  Error error = unwritable(path);
  ::unlink(temporary.c_str());
  return error;
}

Result<void> writeIfChanged(const std::string& path, std::string_view bytes) {
  if (const auto old = readFile(path); old && *old == bytes) return {};
  return writeFile(path, bytes);
}

Result<void> checkOutputs(std::span<const std::string> outputs, std::span<const std::string> inputs) {
  std::set<std::filesystem::path> read, written;
  for (const std::string& input : inputs) read.insert(fileAt(input));
  for (const std::string& output : outputs) {
    const std::filesystem::path file = fileAt(output);
    if (file.empty()) continue;
    if (read.contains(file))
      return Error{.code = ErrorCode::InvalidArgument,
                   .message = output + ": the output is one of the inputs, and would take its place",
                   .hint = "name another file with -o"};
    if (!written.insert(file).second)
      return Error{.code = ErrorCode::InvalidArgument, .message = output + ": two outputs are this file"};
  }
  return {};
}

}  // namespace lathe::tool
