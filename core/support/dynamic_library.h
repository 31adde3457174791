// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared library opened while the program runs.
#pragma once

#include <span>
#include <string>
#include <utility>

#include <lathe/result.h>

namespace lathe::detail {

class DynamicLibrary {
 public:
  /// Opens the first of `names` that is found. Errors: DriverMissing, with the loader's reason for each name as a note.
  [[nodiscard]] static Result<DynamicLibrary> open(std::span<const char* const> names);
  DynamicLibrary(DynamicLibrary&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  DynamicLibrary& operator=(DynamicLibrary&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~DynamicLibrary();
  /// Lets the library stay open when the object ends, for code of it that may still run then.
  void keepOpen() noexcept { handle_ = nullptr; }
  /// Null if the library has no such symbol.
  [[nodiscard]] void* symbol(const char* name) const noexcept;

 private:
  explicit DynamicLibrary(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace lathe::detail
