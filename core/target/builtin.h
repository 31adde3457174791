// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is linked into Lathe and handed to the core: targets, the trees of their descriptors and device libraries
// (targets/builtin.cpp), and dialects (the generated list of dialects/CMakeLists.txt).
#pragma once

#include <span>
#include <string_view>

#include <lathe/sdk/dialect.h>
#include <lathe/sdk/plugin.h>

#include "core/descriptor/packed_tree.h"

namespace lathe::detail {

/// Registers all targets that are linked in, as a plugin registers its own.
extern const sdk::Plugin builtinTargets;

/// The dialects that are linked in. The first is the default.
std::span<const Dialect* const> builtinDialects();

/// A library of bitcode that descriptors name by `embedded`.
struct EmbeddedLibrary {
  std::string_view name;
  std::string_view bitcode;
};
std::span<const EmbeddedLibrary> embeddedLibraries();

}  // namespace lathe::detail
