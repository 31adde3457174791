// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/libbpf.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace lathe::detail {
namespace {

/// Where the messages of this thread go; null: nowhere.
thread_local std::string* listener = nullptr;

int keepMessage(LibbpfLevel level, const char* format, std::va_list arguments) {
  // The verifier's log of an accepted program is libbpf's only word at this level that anyone asks for.
  const bool isLog = std::strstr(format, "BEGIN PROG LOAD LOG") != nullptr;
  if (!listener || (level == LibbpfLevel::debug && !isLog)) return 0;
  std::va_list measured;
  va_copy(measured, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, measured);
  va_end(measured);
  if (size <= 0) return size;
  const std::size_t before = listener->size();
  listener->resize(before + static_cast<std::size_t>(size) + 1);
  (void)std::vsnprintf(listener->data() + before, static_cast<std::size_t>(size) + 1, format, arguments);
  listener->resize(before + static_cast<std::size_t>(size));
  return size;
}

Error lacks(std::string_view symbol) {
  return {.code = ErrorCode::DriverTooOld,
          .message = fmt::format("bpf: the library lacks the function {}; install libbpf 1.0 or later", symbol),
          .target = "bpf"};
}

}  // namespace

Result<Libbpf> Libbpf::open(std::span<const char* const> libraries) {
  auto library = DynamicLibrary::open(libraries);
  if (!library) {
    Error error = std::move(library).error();
    error.message = "bpf: the library " + error.message;
    error.hint = "install libbpf 1.x (Debian: libbpf1), or set LATHE_LIBBPF_LIBRARY to its file";
    error.target = "bpf";
    return error;
  }
  Libbpf out{.library = *std::move(library)};
#define LATHE_LIBBPF(name, result, parameters)                                \
  out.name = reinterpret_cast<decltype(out.name)>(out.library.symbol(#name)); \
  if (!out.name) return lacks(#name);
#include "runtimes/bpf/libbpf_functions.def"
  (void)out.libbpf_set_print(keepMessage);
  return out;
}

const Result<Libbpf>& libbpf() {
  static const auto& library = *new Result<Libbpf>([] {
    const char* const named = std::getenv("LATHE_LIBBPF_LIBRARY");
    const std::array names = {named && *named ? named : "libbpf.so.1"};
    return Libbpf::open(names);
  }());
  return library;
}

LibbpfMessages::LibbpfMessages(const Libbpf& library) : outer_(listener) {
  // A program that uses libbpf too may have set its own since.
  (void)library.libbpf_set_print(keepMessage);
  listener = &text_;
}

LibbpfMessages::~LibbpfMessages() {
  listener = outer_;
}

std::string LibbpfMessages::reason() const {
  std::string out;
  bool inLog = false;
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    std::string_view line = std::string_view(text_).substr(at, end - at);
    at = end + 1;
    if (line.find("-- BEGIN ") != std::string_view::npos) inLog = true;
    const bool ends = line.find("-- END ") != std::string_view::npos;
    if (inLog || ends || line.empty()) {
      inLog = inLog && !ends;
      continue;
    }
    if (line.starts_with("libbpf: ")) line.remove_prefix(std::strlen("libbpf: "));
    const bool empty = line.starts_with("failed to load object") || line.starts_with("failed to load BPF skeleton") ||
                       line.find(": failed to load: -") != std::string_view::npos;
    if (!empty) out = line;
  }
  return out;
}

Error bpfError(int status, std::string_view doing, std::string reason) {
  const int number = std::abs(status);
  if (reason.empty()) reason = std::strerror(number);
  Error out{.code = ErrorCode::DriverError, .message = fmt::format("{}: {}", doing, reason), .target = "bpf"};
  switch (number) {
    case EPERM:
    case EACCES:
      out.code = ErrorCode::PermissionDenied;
      out.hint = "`lathe doctor` says what this kernel permits to this user, and why";
      break;
    case EOPNOTSUPP:
    case ENOSYS:
    case 524:  // the kernel's ENOTSUPP, which is no errno of C
      out.code = ErrorCode::Unsupported;
      break;
    case EINVAL:
    case ENOENT:
    case ESRCH:
    case ENODEV:
    case EBUSY:
    case EEXIST:
    case ENAMETOOLONG:
      out.code = ErrorCode::InvalidArgument;
      break;
    case ENOMEM:
      out.code = ErrorCode::OutOfHostMemory;
      break;
    default:
      break;
  }
  return out;
}

}  // namespace lathe::detail
