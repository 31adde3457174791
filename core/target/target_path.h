// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where target descriptors are looked for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lathe/sdk/variables.h>

namespace lathe::detail {

/// The folders of $LATHE_TARGET_PATH, separated by colons.
std::vector<std::filesystem::path> targetPathOf(const sdk::Variables& variables);
/// share/lathe/targets beside the library or program that holds this code; empty if that cannot be told.
std::filesystem::path installedTargetFolder();

struct DescriptorPath {
  std::string name;
  std::filesystem::path path;
};
/// NAME.yaml and NAME/NAME.yaml in a folder, by name; nothing if it is not there.
std::vector<DescriptorPath> descriptorsIn(const std::filesystem::path& folder);

}  // namespace lathe::detail
