// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of a host target runs in this very process: when it reads outside its arrays, the tool should say so in its
// own words and with its own exit code, not die of a signal without one.
#pragma once

#include <string>

#include "tools/lathe/output/output.h"

namespace lathe::tool {

/// While alive, SIGSEGV, SIGBUS, SIGILL and SIGFPE on any thread report `error` and end the process with its exit code.
/// Where a kernel of the CPU raised them, the runtime's report of it is on standard error first.
class CrashReport {
 public:
  CrashReport(const Output& out, const Error& error);
  CrashReport(const CrashReport&) = delete;
  CrashReport& operator=(const CrashReport&) = delete;
  ~CrashReport();
};

/// A launch cannot be called back. While alive, `interrupted` is written to standard error where the user interrupts
/// the process, which then ends as by that signal; and after `seconds`, if not 0, `late` is reported and the process
/// ends with its exit code, whatever still runs.
class LaunchLimit {
 public:
  LaunchLimit(const Output& out, double seconds, const Error& late, std::string interrupted);
  LaunchLimit(const LaunchLimit&) = delete;
  LaunchLimit& operator=(const LaunchLimit&) = delete;
  ~LaunchLimit();
};

}  // namespace lathe::tool
