// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled preludes: a dialect's headers as Clang's serialised AST, made when Lathe is built and embedded. A prelude
// only saves time: whenever it does not fit, the same headers are read as text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <lathe/job.h>
#include <lathe/result.h>

namespace lathe::detail {

struct Dialect;

struct EmbeddedPrelude {
  std::string_view dialect;
  std::string_view pch;
};
/// All of them; empty in the program that makes them.
std::span<const EmbeddedPrelude> embeddedPreludes();

/// Where Clang finds a dialect's prelude in the file system of a compile.
inline std::string preludePathOf(std::string_view dialect) {
  return "/lathe/prelude/" + std::string(dialect) + ".pch";
}

/// Whether a job can use its dialect's prelude, or why not and the headers are read as text.
struct PreludeChoice {
  bool usable;
  std::string reason;  ///< for people
};
PreludeChoice choosePrelude(const Job& job, const Dialect& dialect);

/// Writes the prelude of `dialect`: the build's own step. Errors: Internal with Clang's text.
Result<void> buildPrelude(const Dialect& dialect, const std::string& outputPath);

}  // namespace lathe::detail
