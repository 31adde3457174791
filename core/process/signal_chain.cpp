// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/process/signal_chain.h"

namespace lathe::detail {

void passOn(const struct sigaction& before, int signal, siginfo_t* info, void* context) {
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
  ::sigaction(signal, &before, nullptr);
  if (info->si_code <= 0) ::raise(signal);
}

}  // namespace lathe::detail
