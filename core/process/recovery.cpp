// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containing crashes. LLVM's CrashRecoveryContext is not used: its handlers run on the faulting stack, so they die on
// overflow, and they uninstall themselves when a signal is not theirs. The compile that a crash interrupts is not
// unwound: its memory is lost, which is why the library moves to a worker process after a few crashes.
#include "core/process/recovery.h"

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string_view>

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/thread.h"

#include "core/process/signal_chain.h"

namespace lathe::detail {
namespace {

constexpr unsigned compileStackBytes = 8U << 20;
constexpr std::size_t signalStackBytes = std::size_t{64} << 10;
constexpr std::array signals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};

/// Where to go back to from a fault on this thread.
struct Recovery {
  sigjmp_buf place;
  int signal = 0;                ///< what happened; 0: an LLVM fatal error
  std::array<char, 512> text{};  ///< its message; fixed size, for nothing may be allocated in a handler
};

thread_local Recovery* current = nullptr;
std::atomic<unsigned> crashes = 0;
std::array<struct sigaction, signals.size()> previous;

void leave(Recovery& recovery) {
  current = nullptr;
  siglongjmp(recovery.place, 1);
}

void onSignal(int signal, siginfo_t* info, void* context) {
  if (Recovery* const recovery = current) {
    recovery->signal = signal;
    leave(*recovery);
  }
  // Not ours: what would have happened without us.
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (signals[i] == signal) return passOn(previous[i], signal, info, context);
}

void onFatalError(void*, const char* reason, bool) {
  Recovery* const recovery = current;
  if (!recovery) return;  // LLVM then prints and ends the process, as it would have without us
  std::strncpy(recovery->text.data(), reason, recovery->text.size() - 1);
  leave(*recovery);
}

/// The thread's alternate signal stack, without which a stack overflow cannot be handled.
class SignalStack {
 public:
  SignalStack() {
    stack_t mine{};
    mine.ss_sp = memory_.get();
    mine.ss_size = signalStackBytes;
    sigaltstack(&mine, &old_);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  ~SignalStack() { sigaltstack(&old_, nullptr); }

 private:
  std::unique_ptr<char[]> memory_ = std::make_unique<char[]>(signalStackBytes);
  stack_t old_{};
};

/// Runs `work`; true if it came back by itself. A function of its own: nothing in this frame lives across the jump.
bool runGuarded(const std::function<void()>& work, Recovery& recovery) {
  if (sigsetjmp(recovery.place, /*savemask=*/1) != 0) return false;
  current = &recovery;
  work();
  current = nullptr;
  return true;
}

std::string describe(const Recovery& recovery) {
  if (recovery.signal == 0) return "LLVM gave up: " + std::string(recovery.text.data());
  const char* const name = sigabbrev_np(recovery.signal);
  return std::string("the compiler crashed with SIG") + (name ? name : "?");
}

}  // namespace

void installFatalErrorHandler() {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_fatal_error_handler(onFatalError); });
}

void installCrashHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction mine{};
    mine.sa_sigaction = onSignal;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&mine.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &mine, &previous[i]);
  });
}

unsigned containedCrashes() {
  return crashes.load(std::memory_order_relaxed);
}

std::optional<std::string> fatalErrorIn(const std::function<void()>& work) {
  Recovery* const outer = current;
  auto recovery = std::make_unique<Recovery>();
  const bool finished = runGuarded(work, *recovery);
  current = outer;
  if (finished) return std::nullopt;
  if (recovery->signal != 0 && outer) {
    outer->signal = recovery->signal;
    leave(*outer);
  }
  return std::string(recovery->text.data());
}

Result<void> runContained(const std::function<void()>& work) {
  auto recovery = std::make_unique<Recovery>();
  bool finished = false;
  llvm::thread thread(std::optional<unsigned>(compileStackBytes), [&] {
    const SignalStack stack;
    finished = runGuarded(work, *recovery);
  });
  thread.join();
  if (finished) return {};
  crashes.fetch_add(1, std::memory_order_relaxed);
  return Error{.code = ErrorCode::CompilerCrash,
               .message = describe(*recovery),
               .hint =
                   "this is a defect of Lathe or LLVM: please report it with the source; a simpler form of the "
                   "kernel may compile"};
}

}  // namespace lathe::detail
