// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `lathe bpf attach` and `lathe bpf trace` share: programs attached where the command line or their sections say,
// until a signal or the end of a duration.
#pragma once

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include <lathe/bpf_host.h>

#include "tools/lathe/arguments/job_options.h"

namespace lathe::tool {

/// Lets Ctrl-C and SIGTERM end the waiting instead of the process, as long as it lives. One at a time.
class EndBySignal {
 public:
  EndBySignal();
  EndBySignal(const EndBySignal&) = delete;
  EndBySignal& operator=(const EndBySignal&) = delete;
  ~EndBySignal();
  /// True once a signal came.
  [[nodiscard]] static bool came() noexcept;
  /// Sleeps up to `time`, in steps short enough to notice a signal at once.
  static void sleepFor(std::chrono::duration<double> time);

 private:
  struct sigaction interrupt_{};
  struct sigaction end_{};
};

/// A program at work.
struct Attached {
  std::string program;
  bpf::Link link;
};

/// --at and --duration.
class Attachment {
 public:
  void configure(CLI::App& app);
  /// The links of all loaded programs: where --at says, else where their sections do. Says so in notes. Errors:
  /// InvalidArgument (--at; nothing was attached), those of Program::attach().
  [[nodiscard]] Result<std::vector<Attached>> attach(const bpf::Object& object, Output& out) const;
  /// Begins the duration.
  void start() { end_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<Clock>(Seconds(duration_)); }
  /// True when it is over or a signal came.
  [[nodiscard]] bool isOver() const {
    return EndBySignal::came() || (duration_ > 0 && std::chrono::steady_clock::now() >= end_);
  }

 private:
  using Clock = std::chrono::steady_clock::duration;
  using Seconds = std::chrono::duration<double>;
  std::vector<std::string> places_;
  double duration_ = 0;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace lathe::tool
