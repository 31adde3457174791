// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of machine code, known without reading it.
#pragma once

#include <filesystem>
#include <string>

namespace lathe::detail {

/// What tells a file from another at its place: its path, size and time of change. Empty: there is none.
[[nodiscard]] std::string fileIdentity(const std::filesystem::path& path);

}  // namespace lathe::detail
