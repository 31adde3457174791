// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build of the compiler that runs in this process.
#pragma once

#include <string>
#include <vector>

namespace lathe::detail {

/// The build IDs of Lathe, and of LLVM, Clang and the mathematical library where they are libraries of their own: two
/// processes with equal texts compile alike. One that has no build ID is known by its file's size and time.
[[nodiscard]] const std::string& buildIdentity();

/// The files of those libraries, as they are loaded.
[[nodiscard]] std::vector<std::string> buildFiles();

}  // namespace lathe::detail
