// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which AMD code objects run on which processor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lathe/image.h>

namespace lathe::detail {

/// "gfx942:sramecc+:xnack-", the name the driver gives, without its feature settings.
[[nodiscard]] std::string_view processorOf(std::string_view driverName);

/// The code in `image` that the processor of that name runs, best first: what was compiled for it, then for its generic
/// family. Code that was compiled for the other value of a setting is none of it; what names no setting runs with
/// either.
[[nodiscard]] std::vector<const Code*> amdCodeFor(const Image& image, std::string_view driverName);

}  // namespace lathe::detail
