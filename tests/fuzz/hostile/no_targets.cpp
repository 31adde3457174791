// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readers alone know no built-in target: every descriptor is parsed.
#include "core/descriptor/packed_tree.h"

std::span<const lathe::detail::PackedDescriptor> lathe::detail::packedDescriptors() {
  return {};
}
