// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions outside of its image that host code may call: memory functions, libm, vector mathematics, what a
// compiler calls for operations the processor lacks, and the runtime's own few (host_functions.h). Nothing else in the
// process is reachable by name.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/support/dynamic_library.h"

namespace lathe::detail {

class Externals {
 public:
  /// The address of `name`; null if it is not on the list, or the library that has it is not on this machine.
  [[nodiscard]] void* find(std::string_view name);

 private:
  enum Library : unsigned { c, math, vectorMath, compiler, libraryCount };
  static std::optional<Library> libraryOf(std::string_view name);
  /// Opened as needed and held as long as the code that calls into them.
  std::array<std::optional<DynamicLibrary>, libraryCount> libraries_;
};

}  // namespace lathe::detail
