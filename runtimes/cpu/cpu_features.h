// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether this processor has what an image was compiled for.
#pragma once

#include <optional>
#include <string>

#include <lathe/image.h>

namespace lathe::detail {

/// The first feature that `info` asks for (in `features`, `requires_` or as the level in `arch`) and that this
/// processor is known to lack. Names are LLVM's; one that is not known here counts as present.
[[nodiscard]] std::optional<std::string> missingFeature(const ImageInfo& info);

}  // namespace lathe::detail
