// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string>

namespace lathe::detail {

/// The bitcode of a target's device code that fits the machine of `triple`. `library` is bitcode, which serves the
/// triple it was written for and all others alike, or an archive (ar) of bitcode files for machines that differ in
/// pointer width or byte order, of which the one with the triple's is taken. Empty if none fits, or the archive is
/// broken. The result points into `library`.
[[nodiscard]] std::span<const char> deviceLibraryFor(std::span<const char> library, const std::string& triple);

}  // namespace lathe::detail
