// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled preludes: a dialect's headers as Clang's serialised AST, made when Lathe is built and embedded. A prelude
// only saves time: whenever it does not fit, the same headers are read as text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/job.h>
#include <lathe/result.h>

namespace lathe::detail {

struct Dialect;

struct EmbeddedPrelude {
  std::string_view name;
  std::string_view pch;
};
/// All of them; empty in the program that makes them.
std::span<const EmbeddedPrelude> embeddedPreludes();

/// What a prelude holds: the dialect's own header, or its library too.
enum class PreludeScope { own, library };
[[nodiscard]] std::string preludeName(const Dialect& dialect, PreludeScope scope);

/// Where Clang finds a prelude in the file system of a compile.
inline std::string preludePath(std::string_view name) {
  return "/lathe/prelude/" + std::string(name) + ".pch";
}

/// The preludes that a job can be compiled with.
struct PreludeChoice {
  /// To be tried in this order; none: the headers are read as text. A library's brings names that the source has not
  /// asked for: if it does not compile with them, it may without.
  std::vector<PreludeScope> scopes;
  std::string reason;  ///< for people
};
PreludeChoice choosePrelude(const Job& job, const Dialect& dialect);

/// Writes the prelude: the build's own step. Errors: Internal with Clang's text.
Result<void> buildPrelude(const Dialect& dialect, PreludeScope scope, const std::string& outputPath);

}  // namespace lathe::detail
