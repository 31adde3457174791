// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Job::emit says: "image", "image:FORMAT,FORMAT" or a format.
#pragma once

#include <string_view>
#include <vector>

namespace lathe::detail {

/// Whether an image is wanted as a runtime loads it, rather than code that others launch.
[[nodiscard]] bool asksForImage(std::string_view emit);
/// The formats that are named, in order; none: those that the target's images have.
[[nodiscard]] std::vector<std::string_view> formatsNamed(std::string_view emit);

}  // namespace lathe::detail
