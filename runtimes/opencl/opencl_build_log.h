// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device's compiler says of a program.
#pragma once

#include <string>
#include <string_view>

namespace lathe::detail {

/// The log with the kernel in front of each message that names a line of `text`, a program in OpenCL C:
///
///   before: 1:12:3: error: no matching function    after: kernel 'k': 1:12:3: error: no matching function
[[nodiscard]] std::string withKernels(std::string_view log, std::string_view text);

}  // namespace lathe::detail
