// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build of the compiler that runs in this process.
#pragma once

#include <filesystem>
#include <string>

namespace lathe::detail {

/// The build IDs of Lathe, and of LLVM, Clang and the mathematical library where they are libraries of their own: two
/// processes with equal texts compile alike. One that has no build ID is known by its file's size and time.
[[nodiscard]] const std::string& buildIdentity();

/// What tells a file of machine code from another at its place, without reading it: its path, size and time of change.
/// Empty: there is none.
[[nodiscard]] std::string fileIdentity(const std::filesystem::path& path);

}  // namespace lathe::detail
