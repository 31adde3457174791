// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether this processor has what an image was compiled for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/image.h>

namespace lathe::detail {

/// The features that `info` asks for (in `features`, `requires_` or as the level in `arch`) and that this processor is
/// known to lack, each once. Names are LLVM's; one that is not known here counts as present.
[[nodiscard]] std::vector<std::string> missingFeatures(const ImageInfo& info);
/// How many of the features in a list ("+avx,+fma") this processor is known to have: those that instructions depend on.
[[nodiscard]] std::size_t presentFeatures(std::string_view list);

}  // namespace lathe::detail
