// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists that targets/builtin.cpp hands in: the targets and device libraries that are linked into Lathe.
#pragma once

#include <span>
#include <string_view>

#include <lathe/sdk/plugin.h>

namespace lathe::detail {

/// Registers all targets that are linked in, as a plugin registers its own.
extern const sdk::Plugin builtinTargets;

/// A library of bitcode that descriptors name by `embedded`.
struct EmbeddedLibrary {
  std::string_view name;
  std::string_view bitcode;
};
std::span<const EmbeddedLibrary> embeddedLibraries();

}  // namespace lathe::detail
