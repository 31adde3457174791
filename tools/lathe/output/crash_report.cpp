// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything the handler needs is prepared beforehand: it may only write and exit. The handlers that were there, the
// compiler's own among them, come back afterwards.
#include "tools/lathe/output/crash_report.h"

#include <array>
#include <cmath>
#include <csignal>
#include <string>
#include <utility>

#include <sys/time.h>
#include <unistd.h>

#include <lathe/kernel_reports.h>

namespace lathe::tool {
namespace {

/// How the process ends from within a handler: a report, then an exit code.
struct LastWords {
  std::string text;
  int descriptor = STDERR_FILENO;
  int exitCode = 0;

  static LastWords of(const Output& out, const Error& error) {
    return {out.failureText(error), out.json() ? STDOUT_FILENO : STDERR_FILENO, static_cast<int>(exitCodeOf(error))};
  }
  [[noreturn]] void say() const {
    [[maybe_unused]] const ssize_t written = ::write(descriptor, text.data(), text.size());
    ::_exit(exitCode);
  }
};

constexpr std::array<int, 4> signals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};

struct Prepared {
  LastWords report;
  std::array<struct sigaction, signals.size()> before = {};
  stack_t stackBefore = {};
  // A kernel that exhausts the main thread's stack leaves no room there for the handler.
  alignas(16) std::array<char, 65536> stack = {};
};

/// A signal handler has no other way to reach its data.
Prepared& prepared() {
  static Prepared state;
  return state;
}

void handle(int) {
  prepared().report.say();
}

}  // namespace

CrashReport::CrashReport(const Output& out, const Error& error) {
  Prepared& state = prepared();
  state.report = LastWords::of(out, error);
  stack_t stack{};
  stack.ss_sp = state.stack.data();
  stack.ss_size = state.stack.size();
  ::sigaltstack(&stack, &state.stackBefore);
  struct sigaction action{};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &action, &state.before[i]);
  reportKernelCrashes();  // and then passes the signal on to the handler above
  reportKernelStalls();
}

CrashReport::~CrashReport() {
  Prepared& state = prepared();
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &state.before[i], nullptr);
  ::sigaltstack(&state.stackBefore, nullptr);
}

namespace {

struct PreparedLimit {
  LastWords late;
  std::string interrupted;
  struct sigaction alarmBefore = {}, interruptBefore = {};
};

PreparedLimit& preparedLimit() {
  static PreparedLimit state;
  return state;
}

void endLate(int) {
  preparedLimit().late.say();
}

/// Comes once: the handler is the default's again.
void endInterrupted(int signal) {
  const std::string& text = preparedLimit().interrupted;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  ::raise(signal);
}

void startTimer(double seconds) {
  struct itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

LaunchLimit::LaunchLimit(const Output& out, double seconds, const Error& late, std::string interrupted) {
  PreparedLimit& state = preparedLimit();
  state.late = LastWords::of(out, late);
  state.interrupted = std::move(interrupted);
  struct sigaction action{};
  ::sigemptyset(&action.sa_mask);
  action.sa_handler = endLate;
  ::sigaction(SIGALRM, &action, &state.alarmBefore);
  action.sa_handler = endInterrupted;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, &state.interruptBefore);
  if (seconds > 0) startTimer(seconds);
}

LaunchLimit::~LaunchLimit() {
  startTimer(0);
  ::sigaction(SIGALRM, &preparedLimit().alarmBefore, nullptr);
  ::sigaction(SIGINT, &preparedLimit().interruptBefore, nullptr);
}

}  // namespace lathe::tool
