// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of what Lathe does, while it does it: which results come from a cache, what is compiled and how long it takes, what
// devices and modules are opened, what is left out because the machine lacks it. Failures of a call are not said here:
// the call returns them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include <lathe/export.h>

namespace lathe {

/// The weight of a message.
enum class LogLevel : std::uint8_t {
  warning,  ///< something does not work and is done without: a cache's folder or server, a worker
  info,     ///< work of note: a compile, a device opened, a plugin loaded
  debug,    ///< every step: hits of the cache, modules loaded, the assembler's own words
};
/// "warning", "info" or "debug".
[[nodiscard]] LATHE_API std::string_view logLevelName(LogLevel level) noexcept;
/// The level of that name; nothing if there is none.
[[nodiscard]] LATHE_API std::optional<LogLevel> logLevelNamed(std::string_view name) noexcept;

/// One message. The texts are valid during the call that gives it.
struct LogRecord {
  LogLevel level = LogLevel::info;
  std::string_view component;  ///< "compiler", "cache", "worker", "plugin" or "runtime"
  std::string_view message;    ///< one line, or several of another program's text; no newline at the end
};

/// A function that takes messages. It is called on the threads that do the work, on several at once, and must neither
/// throw nor call setLog().
using LogSink = std::function<void(const LogRecord&)>;

/// Sends messages up to `most` to `sink` from now on; an empty one: nobody gets any. It is one for the process; what
/// was set before is not called any more when this returns. Without a call of it, $LATHE_LOG ("warning", "info" or
/// "debug") says what goes to standard error; unset: nothing does. Thread-safe.
LATHE_API void setLog(LogSink sink, LogLevel most = LogLevel::info);

}  // namespace lathe
