// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "core/descriptor/descriptor.h"
#include "core/descriptor/yaml_tree.h"

namespace lathe::detail {

/// Reports the keys of `document` that have no effect on the target it makes: one that is ignored in silence hides a
/// mistake. Keys of the documents that it extends are theirs. `whole`: all documents merged.
void checkEffects(const Descriptor& whole, const YamlNode& document, std::vector<YamlDiagnostic>& diagnostics);

}  // namespace lathe::detail
