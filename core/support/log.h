// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages to whoever listens (<lathe/log.h>).
#pragma once

#include <lathe/log.h>

namespace lathe::detail {

/// Whether anybody listens: ask before a message is put together.
[[nodiscard]] LATHE_API bool logs(LogLevel level) noexcept;
/// Has nobody listen, and leaves the sink as it is: for children that have a copy of their parent's.
LATHE_API void muteLog() noexcept;
/// Gives a message to whoever listens.
LATHE_API void log(LogLevel level, std::string_view component, std::string_view message);

}  // namespace lathe::detail
