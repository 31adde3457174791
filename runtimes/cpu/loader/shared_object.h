// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared object in memory, loaded by the system.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include <lathe/result.h>

#include "core/support/dynamic_library.h"

namespace lathe::detail {

class SharedObject {
 public:
  /// Functions that it leaves undefined may be any of the process's, the C library's or the mathematical ones. `bytes`
  /// are not needed afterwards. Errors: ImageCorrupt, IncompatibleDevice (another machine's), UndefinedFunction,
  /// OutOfHostMemory.
  [[nodiscard]] static Result<SharedObject> open(std::span<const std::byte> bytes);

  /// The address of a function that the object defines, or null.
  [[nodiscard]] void* function(std::string_view name) const;
  /// Address and size of a variable of its own, or null and 0.
  [[nodiscard]] std::pair<void*, std::size_t> variable(std::string_view name) const;

 private:
  explicit SharedObject(DynamicLibrary library) : library_(std::move(library)) {}
  DynamicLibrary library_;
};

}  // namespace lathe::detail
