// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line on a terminal that says how far a command is. Where standard error is none, there is no such line.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include <unistd.h>

namespace lathe::tool {

class ProgressLine {
 public:
  /// For a command that was asked to be quiet.
  void hide() noexcept { isShown_ = false; }
  /// What takes the line away, to be written before other lines; empty: there is none.
  [[nodiscard]] std::string_view cleared() const noexcept { return isShown_ ? "\r\x1b[K" : ""; }
  void clear() const { std::fputs(std::string(cleared()).c_str(), stderr); }
  void show(std::size_t done, std::size_t total, const std::string& name) const {
    if (!isShown_) return;
    clear();
    std::fprintf(stderr, "[%zu/%zu] %s", done, total, name.c_str());
    std::fflush(stderr);
  }

 private:
  bool isShown_ = ::isatty(STDERR_FILENO) == 1;
};

}  // namespace lathe::tool
