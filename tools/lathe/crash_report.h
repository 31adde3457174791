// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of a host target runs in this very process: when it reads outside its arrays, the tool should say so in its
// own words and with its own exit code, not die of a signal without one.
#pragma once

#include "output.h"

namespace lathe::tool {

/// While alive, SIGSEGV, SIGBUS, SIGILL and SIGFPE on any thread report `error` and end the process with its exit code.
class CrashReport {
 public:
  CrashReport(const Output& out, const Error& error);
  CrashReport(const CrashReport&) = delete;
  CrashReport& operator=(const CrashReport&) = delete;
  ~CrashReport();
};

}  // namespace lathe::tool
