// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of a descriptor as one error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lathe/result.h>

#include "core/descriptor/yaml_tree.h"

namespace lathe::detail {

/// DescriptorInvalid with all of `faults`, of which there is one at least, in the order of their places in `text`.
/// `origin` names the file.
[[nodiscard]] Error invalidDescriptor(std::vector<YamlDiagnostic> faults, std::string_view text,
                                      const std::string& origin);

}  // namespace lathe::detail
