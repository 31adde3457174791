// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/support/log.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <string>

namespace lathe {
namespace {

constexpr std::array<std::string_view, 3> names = {"warning", "info", "debug"};

void toStandardError(const LogRecord& record) {
  std::string line = "lathe: ";
  line.append(record.component).append(": ");
  if (record.level == LogLevel::warning) line += "warning: ";
  line.append(record.message) += '\n';
  (void)std::fwrite(line.data(), 1, line.size(), stderr);  // in one piece, of several threads too
}

/// Never destroyed: programs may compile while objects of static storage go.
struct Log {
  Log() {
    const char* const wanted = std::getenv("LATHE_LOG");
    const auto level = logLevelNamed(wanted ? wanted : "");
    if (!level) return;
    sink = toStandardError;
    levels = static_cast<unsigned>(*level) + 1;
  }
  static Log& get() {
    static auto& log = *new Log;
    return log;
  }

  std::shared_mutex mutex;
  LogSink sink;
  std::atomic<unsigned> levels = 0;  ///< how many of them are wanted
};

}  // namespace

std::string_view logLevelName(LogLevel level) noexcept {
  return names[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> logLevelNamed(std::string_view name) noexcept {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<LogLevel>(found - names.begin());
}

void setLog(LogSink sink, LogLevel most) {
  Log& log = Log::get();
  const std::unique_lock lock(log.mutex);
  log.levels = sink ? static_cast<unsigned>(most) + 1 : 0;
  std::swap(log.sink, sink);  // the old one is destroyed by the caller, without the lock
}

void detail::muteLog() noexcept {
  Log::get().levels = 0;
}

bool detail::logs(LogLevel level) noexcept {
  return static_cast<unsigned>(level) < Log::get().levels.load(std::memory_order_relaxed);
}

void detail::log(LogLevel level, std::string_view component, std::string_view message) {
  Log& log = Log::get();
  const std::shared_lock lock(log.mutex);
  if (log.sink && logs(level)) log.sink({level, component, message});
}

}  // namespace lathe
