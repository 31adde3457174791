// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a server that does not work, shared by the processes of one cache folder or user: who asks a dead
// server waits for a time-out, and one such wait a minute is enough for all of them.
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace lathe::detail {

/// Thread-safe.
class Outage {
 public:
  /// `file`: where processes share it, its text the reason; empty: each process learns for itself. `others`: a file
  /// that is only read, of those who write elsewhere; empty: there are none.
  explicit Outage(std::filesystem::path file, std::filesystem::path others = {})
      : file_(std::move(file)), others_(std::move(others)) {}
  /// The reason why the server is not to be asked now; nothing: it may be. After a minute one may, and the others wait
  /// for what that one learns.
  [[nodiscard]] std::optional<std::string> reason();
  /// The same for those who do not ask.
  [[nodiscard]] std::optional<std::string> peek() const;
  void begin(const std::string& reason);
  void end();

 private:
  [[nodiscard]] std::optional<std::string> known(bool& isOver) const;

  std::filesystem::path file_, others_;
  mutable std::mutex mutex_;
  std::chrono::steady_clock::time_point since_ = {};
  std::string reason_;
};

}  // namespace lathe::detail
