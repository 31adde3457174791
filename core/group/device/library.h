// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device code of machines without items: what of it a compile for one of them may link.
#pragma once

#include <vector>

#include "core/lower/device_libraries.h"

namespace lathe::detail {

struct Descriptor;

/// The libraries for the descriptor's machine; none if it has items. Its subgroup size and limit of items are the
/// descriptor's.
[[nodiscard]] std::vector<PortableLibrary> groupLibraries(const Descriptor& descriptor);

}  // namespace lathe::detail
