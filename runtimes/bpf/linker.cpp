// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several objects as one, by libbpf's static linker, which works on files: they are files in memory here.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "runtimes/bpf/object_state.h"

namespace lathe::bpf {
namespace {

/// A file without a name, which libbpf opens by the process's descriptor.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(::memfd_create(name, MFD_CLOEXEC)) {}
  [[nodiscard]] bool ok() const { return descriptor_.ok(); }
  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_.get()); }
  [[nodiscard]] bool write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t done = ::write(descriptor_.get(), bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
    return true;
  }
  [[nodiscard]] Result<std::vector<std::byte>> read() const {
    struct stat about{};
    if (::fstat(descriptor_.get(), &about) != 0) return detail::bpfError(errno, "link: reading the object");
    std::vector<std::byte> out(static_cast<std::size_t>(about.st_size));
    for (std::size_t at = 0; at < out.size();) {
      const ssize_t done = ::pread(descriptor_.get(), out.data() + at, out.size() - at, static_cast<off_t>(at));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return detail::bpfError(errno, "link: reading the object");
      at += static_cast<std::size_t>(done);
    }
    return out;
  }

 private:
  detail::UniqueDescriptor descriptor_;
};

Error linkError(int status, const detail::LibbpfMessages& messages, std::string_view name) {
  const std::string reason = messages.reason();
  return {.code = ErrorCode::InvalidArgument,
          .message = fmt::format("{}: it cannot be linked with the objects before it: {}", name,
                                 reason.empty() ? std::strerror(-status) : reason),
          .hint =
              "a program, map or variable of external linkage is defined once, and declared alike elsewhere: "
              "`extern` with the same type; maps are `extern` in SEC(\".maps\")",
          .target = "bpf"};
}

}  // namespace

Result<std::vector<std::byte>> linkObjects(std::span<const LinkInput> objects) {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  if (objects.empty())
    return Error{.code = ErrorCode::InvalidArgument, .message = "link: there are no objects", .target = "bpf"};
  const MemoryFile out("linked");
  if (!out.ok()) return detail::bpfError(errno, "link: making a file in memory");
  const detail::LibbpfMessages messages(*library);
  const std::unique_ptr<bpf_linker, void (*)(bpf_linker*)> linker(library->bpf_linker__new(out.path().c_str(), nullptr),
                                                                  library->bpf_linker__free);
  if (!linker) return detail::bpfError(detail::lastStatus(), "link: beginning", messages.reason());
  for (const LinkInput& object : objects) {
    const MemoryFile in("object");
    if (!in.ok() || !in.write(object.elf)) return detail::bpfError(errno, "link: making a file in memory");
    if (const int status = library->bpf_linker__add_file(linker.get(), in.path().c_str(), nullptr); status < 0)
      return linkError(status, messages, object.name);
  }
  if (const int status = library->bpf_linker__finalize(linker.get()); status < 0)
    return linkError(status, messages, objects.back().name);
  return out.read();
}

}  // namespace lathe::bpf
