// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors' trees as bytes. The build reads the descriptors that are linked in and stores their trees beside them:
// yaml-cpp takes more than a thousand instructions a character, a third of a process's first compile.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/descriptor/yaml_tree.h"

namespace lathe::detail {

/// The bytes of a tree, for unpackTree() of the same build.
[[nodiscard]] std::string packTree(const YamlNode& root);

/// The tree that was packed; nothing if the bytes are damaged, or no tree of a descriptor.
[[nodiscard]] std::optional<YamlNode> unpackTree(std::string_view bytes);

/// A descriptor that is linked in.
struct PackedDescriptor {
  std::string_view text;
  std::string_view tree;  ///< of `text`, packed
};
/// All of them. Defined where they are linked in (targets/builtin.cpp).
[[nodiscard]] std::span<const PackedDescriptor> packedDescriptors();

/// The tree of a text that is one of packedDescriptors(), wherever it was read; nothing for others.
[[nodiscard]] std::optional<YamlNode> knownTree(std::string_view text);

}  // namespace lathe::detail
