// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole files in, whole files out. A file is written beside its destination and renamed: nobody sees half of one, and a
// failed write leaves nothing behind.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <lathe/result.h>

namespace lathe::tool {

/// The bytes of `path`, or of standard input for "-", the same at each call. Errors: FileUnreadable.
[[nodiscard]] Result<std::string> readFile(const std::string& path);
/// Errors: FileUnwritable. A destination that is no regular file (/dev/null, a pipe) is written in place.
[[nodiscard]] Result<void> writeFile(const std::filesystem::path& path, std::string_view bytes);
/// The same, but a file that has these bytes already keeps its time, so that nothing is built again for it.
[[nodiscard]] Result<void> writeIfChanged(const std::string& path, std::string_view bytes);
/// Refuses outputs that are an input, or one file. Devices and pipes, "-" and "" are no files. Errors: InvalidArgument.
[[nodiscard]] Result<void> checkOutputs(std::span<const std::string> outputs, std::span<const std::string> inputs);

}  // namespace lathe::tool
