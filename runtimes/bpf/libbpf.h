// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The package's libbpf, opened when the first object or device is asked for, and what it says while it works.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/support/dynamic_library.h"
#include "runtimes/bpf/libbpf_types.h"

namespace lathe::detail {

/// The library with its functions bound.
struct Libbpf {
  /// Opens the first of `libraries` that is there. Errors: DriverMissing, DriverTooOld (a function is not there).
  [[nodiscard]] static Result<Libbpf> open(std::span<const char* const> libraries);

#define LATHE_LIBBPF(name, result, parameters) result(*name) parameters = nullptr;
#include "runtimes/bpf/libbpf_functions.def"

  DynamicLibrary library;
};

/// The library of this process, opened once and never closed; LATHE_LIBBPF_LIBRARY names another. Errors: as
/// Libbpf::open().
[[nodiscard]] const Result<Libbpf>& libbpf();

/// Keeps what libbpf says on this thread while it lives; otherwise nothing is printed. The innermost one of a thread
/// listens.
class LibbpfMessages {
 public:
  explicit LibbpfMessages(const Libbpf& library);
  LibbpfMessages(const LibbpfMessages&) = delete;
  LibbpfMessages& operator=(const LibbpfMessages&) = delete;
  ~LibbpfMessages();
  /// Warnings and information, a line each.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The last line of `text()` that is no part of a log and says more than that loading failed; without libbpf's
  /// prefix. Empty if there is none.
  [[nodiscard]] std::string reason() const;

 private:
  std::string text_;
  std::string* outer_;
};

/// An errno of libbpf or the kernel as an error: PermissionDenied for EPERM and EACCES, Unsupported, InvalidArgument,
/// DriverError. `doing` names the subject and the failed step, "map 'x': reading a value"; `status` may be negative.
[[nodiscard]] Error bpfError(int status, std::string_view doing, std::string reason = {});

}  // namespace lathe::detail
