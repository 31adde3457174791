// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything the handler needs is prepared beforehand: it may only write and exit. The handlers that were there, the
// compiler's own among them, come back afterwards.
#include "crash_report.h"

#include <array>
#include <csignal>
#include <string>

#include <unistd.h>

namespace lathe::tool {
namespace {

constexpr std::array<int, 4> signals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};

struct Prepared {
  std::string report;
  int descriptor = STDERR_FILENO;
  int exitCode = 0;
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
  const Prepared& state = prepared();
  [[maybe_unused]] const ssize_t written = ::write(state.descriptor, state.report.data(), state.report.size());
  ::_exit(state.exitCode);
}

}  // namespace

CrashReport::CrashReport(const Output& out, const Error& error) {
  Prepared& state = prepared();
  state.report = out.failureText(error);
  state.descriptor = out.json() ? STDOUT_FILENO : STDERR_FILENO;
  state.exitCode = static_cast<int>(exitCodeOf(error));
  stack_t stack{};
  stack.ss_sp = state.stack.data();
  stack.ss_size = state.stack.size();
  ::sigaltstack(&stack, &state.stackBefore);
  struct sigaction action{};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &action, &state.before[i]);
}

CrashReport::~CrashReport() {
  Prepared& state = prepared();
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &state.before[i], nullptr);
  ::sigaltstack(&state.stackBefore, nullptr);
}

}  // namespace lathe::tool
