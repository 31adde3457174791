// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs print with bpf_printk(), read from an instance of tracefs of its own: nobody else's lines are taken,
// and none are there from before.
#pragma once

#include <string>
#include <vector>

#include <lathe/result.h>

namespace lathe::tool {

/// Mounts tracefs where only this process sees it, unless it is mounted. False, with errno, if that is not possible.
[[nodiscard]] bool provideTracefs();

class PrintkReader {
 public:
  /// Where tracefs is not mounted, mounts it where only this process sees it. Instances that killed processes left
  /// behind are removed. Errors: PermissionDenied, Unsupported.
  [[nodiscard]] static Result<PrintkReader> open();
  PrintkReader(PrintkReader&& other) noexcept;
  PrintkReader& operator=(PrintkReader&&) = delete;
  ~PrintkReader();

  struct Line {
    std::string task;  ///< "name-thread"
    std::string text;
  };
  /// The lines that are there; does not wait.
  [[nodiscard]] std::vector<Line> take();

 private:
  PrintkReader(std::string folder, int pipe) : folder_(std::move(folder)), pipe_(pipe) {}
  std::string folder_, pending_;
  int pipe_;
};

}  // namespace lathe::tool
