// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signal handlers that leave what is not theirs to those that were there before.
#pragma once

#include <csignal>

namespace lathe::detail {

/// Does what `before` would have done with a signal that its successor was given. Where that is the default, the
/// default is set again and the instruction, or raise(), meets it: the process ends as if nobody had looked.
/// Async-signal-safe.
void passOn(const struct sigaction& before, int signal, siginfo_t* info, void* context);

}  // namespace lathe::detail
