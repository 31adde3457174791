// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What somebody may have meant: the known names closest to one that is unknown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lathe::detail {

/// At most `most` of `candidates` that are plausible misspellings of `name`, the closest first, equals in alphabetical
/// order. Case counts little: "SM_90" is near "sm_90".
[[nodiscard]] std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates,
                                               std::size_t most);

/// "; did you mean 'x'?" for the end of a message, or nothing if no candidate is near.
[[nodiscard]] std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace lathe::detail
