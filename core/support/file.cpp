// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files by POSIX calls: streams can neither sync nor say why they failed.
#include "core/support/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <optional>
#include <system_error>

#include "core/support/unique_descriptor.h"

namespace lathe::detail {
namespace {

Error failure(ErrorCode code, const std::filesystem::path& path, std::string_view what, int reason) {
  return {
      .code = code,
      .message = path.string() + ": cannot be " + std::string(what) + ": " + std::generic_category().message(reason)};
}

/// Opens for reading and tells the size. Folders open without complaint and fail later with a puzzle: refused here.
Result<std::size_t> openToRead(const std::filesystem::path& path, std::optional<UniqueDescriptor>& out) {
  out.emplace(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts{};
  if (!out->ok() || ::fstat(out->get(), &facts) != 0) return failure(ErrorCode::FileUnreadable, path, "read", errno);
  if (S_ISDIR(facts.st_mode)) return failure(ErrorCode::FileUnreadable, path, "read", EISDIR);
  return static_cast<std::size_t>(facts.st_size);
}

/// Creates a file beside `path` under a name nobody uses; `name` becomes its path. The umask says who may read it,
/// which mkstemp would not let it.
int createBeside(const std::filesystem::path& path, std::string& name) {
  static std::atomic<unsigned> serial = 0;
  while (true) {
    name = path.string() + '.' + std::to_string(::getpid()) + '-' + std::to_string(serial++) + ".tmp";
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
}

/// The file that a symbolic link leads to, which is replaced in the link's stead.
std::filesystem::path behindLinks(const std::filesystem::path& path) {
  constexpr int mostLinks = 40;  // as the system has it: a longer chain is a circle
  std::error_code failed;
  std::filesystem::path out = path;
  for (int i = 0; i < mostLinks && std::filesystem::is_symlink(out, failed); ++i)
    out = out.parent_path() / std::filesystem::read_symlink(out, failed);
  return failed ? path : out;
}

/// What exists and is no regular file (/dev/stdout, a pipe) is written to: renaming over it would replace it.
Result<void> writeInPlace(const std::filesystem::path& path, const std::function<bool(int)>& write) {
  const UniqueDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.ok() || !write(file.get())) return failure(ErrorCode::FileUnwritable, path, "written", errno);
  return {};
}

}  // namespace

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

std::optional<std::string> contentsOf(int file, std::size_t size) {
  std::string out(size, '\0');
  for (std::size_t filled = 0; filled < size;) {
    const ssize_t got = ::read(file, out.data() + filled, size - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    filled += static_cast<std::size_t>(got);
  }
  return out;
}

Result<std::string> readFile(const std::filesystem::path& path) {
  std::optional<UniqueDescriptor> file;
  const auto size = openToRead(path, file);
  if (!size) return size.error();
  // The size is a hint: pipes and /proc say 0, and a file may grow meanwhile.
  std::string out;
  std::size_t filled = 0;
  out.resize(*size + 1);
  while (true) {
    const ssize_t got = ::read(file->get(), out.data() + filled, out.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure(ErrorCode::FileUnreadable, path, "read", errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled == out.size()) out.resize(out.size() * 2);
  }
  out.resize(filled);
  return out;
}

Result<void> writeFile(const std::filesystem::path& path, std::string_view bytes) {
  return writeFile(path, [&](int descriptor) { return writeAll(descriptor, bytes); });
}

Result<void> writeFile(const std::filesystem::path& asked, const std::function<bool(int)>& write) {
  const std::filesystem::path path = behindLinks(asked);
  struct stat facts{};
  if (::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) return writeInPlace(path, write);
  std::string temporary;
  UniqueDescriptor file(createBeside(path, temporary));
  if (!file.ok()) return failure(ErrorCode::FileUnwritable, path, "written", errno);
  const bool published =
      write(file.get()) && ::fsync(file.get()) == 0 && file.close() && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (published) return {};
  const int reason = errno;
  ::unlink(temporary.c_str());
  return failure(ErrorCode::FileUnwritable, path, "written", reason);
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  std::optional<UniqueDescriptor> file;
  const auto size = openToRead(path, file);
  if (!size) return size.error();
  if (*size == 0) return MappedFile();
  void* const start = ::mmap(nullptr, *size, PROT_READ, MAP_PRIVATE, file->get(), 0);
  if (start == MAP_FAILED) return failure(ErrorCode::FileUnreadable, path, "mapped", errno);
  return MappedFile({static_cast<const std::byte*>(start), *size});
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace lathe::detail
