// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files built into Lathe for Clang: headers and precompiled preludes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lathe::detail {

/// A file built into Lathe, seen by Clang under `path`.
struct EmbeddedFile {
  std::string_view path;
  std::string_view text;
};

/// Headers built in, for all dialects.
std::span<const EmbeddedFile> embeddedHeaders();

struct EmbeddedPrelude {
  std::string_view name;
  std::string_view pch;         ///< empty: it is made where it is wanted
  std::string_view words = {};  ///< of the dialect's own prelude (preludeWords())
};
/// Those of all dialects; none in the program that makes them.
std::span<const EmbeddedPrelude> embeddedPreludes();

/// Where Clang finds a prelude in the file system of a compile.
inline std::string preludePath(std::string_view name) {
  return "/lathe/prelude/" + std::string(name) + ".pch";
}

}  // namespace lathe::detail
