// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containing what goes wrong inside the compiler. Compiles run on threads of their own with a deep stack; LLVM's fatal
// errors always come back as errors, and, where the host opted in, so do crashes and stack overflows.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <lathe/result.h>

namespace lathe::detail {

/// Handles LLVM's fatal errors on compile threads. Idempotent.
void installFatalErrorHandler();
/// Installs signal handlers that act on compile threads only and otherwise pass signals to the handlers they found.
/// Idempotent; they stay for the life of the process.
void installCrashHandlers();

/// Runs `work` on a new thread with an 8 MiB stack and an alternate signal stack. Errors: CompilerCrash.
Result<void> runContained(const std::function<void()>& work);

/// Runs `work` on this thread. Returns LLVM's fatal error if that ended it, else nothing; a crash is one of the
/// contained compile around it. What was interrupted is not unwound.
std::optional<std::string> fatalErrorIn(const std::function<void()>& work);

/// How many compiles of this process crashed and were contained.
unsigned containedCrashes();

}  // namespace lathe::detail
