// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One static library of several objects that are the same program for processors of one kind: which of them runs is
// decided when a program is loaded.
#pragma once

#include <span>
#include <string>

#include <lathe/image.h>

namespace lathe::detail {

struct EmitRules;

/// The program for one architecture.
struct LevelObject {
  const Image* image = nullptr;
  const EmitRules* rules = nullptr;  ///< of its target
};

/// Compiler::dispatchingArchive() of images whose targets are known.
[[nodiscard]] Result<std::string> archiveOfLevels(std::span<const LevelObject> levels);

}  // namespace lathe::detail
