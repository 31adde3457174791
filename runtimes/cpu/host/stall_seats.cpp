// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler, on the thread that is asked, looks up its place itself: as long as it is in there, the kernel's module
// stays loaded.
#include "runtimes/cpu/host/stall_seats.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <thread>

#include "core/process/signal_chain.h"
#include "runtimes/cpu/code/code_place.h"
#include "runtimes/cpu/host/crash_report.h"
#include "runtimes/cpu/host/host_functions.h"

namespace lathe::detail {
namespace {

using stall::Answer;
using stall::hall;
using stall::Seat;

/// Ignored where nobody handles it, and seldom used.
constexpr int askingSignal = SIGURG;

struct sigaction previous;
/// Read in the handler, so found without a call.
[[gnu::tls_model("initial-exec")]] thread_local Seat* mine = nullptr;

void answer(const void* context) noexcept {
  Seat* const seat = mine;
  if (!seat || !seat->asked.exchange(false)) return;
  Answer& out = seat->answer;
  const HostLaunch::Place at = HostLaunch::place();
  out.launch = at.launch ? at.launch->number() : 0;
  out.kernel.keep(at.kernel);
  out.cooperative = at.launch && at.launch->isCooperative();
  out.waitsForGrid = at.waitsForGrid;
  out.groups = 0;
  if (at.groups) {
    std::memcpy(out.group.data(), at.groups->groupId, sizeof(at.groups->groupId));
    std::memcpy(out.groupCount.data(), at.groups->groupCount, sizeof(at.groups->groupCount));
    out.groups = at.groups->groups;
  }
  const std::uint64_t counter = crash::counterOf(context);
  const CodePlace place = placeOf(findCode(counter), counter);
  out.function.keep(place.function);
  out.offset = place.offset;
  out.folder.keep(place.folder);
  out.file.keep(place.file);
  out.line = place.line;
  seat->answered.store(true);
}

void onSignal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (mine && mine->asked.load() && info->si_pid == ::getpid()) {
    answer(context);
  } else if ((previous.sa_flags & SA_SIGINFO) != 0 ||
             (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)) {
    passOn(previous, signal, info, context);
  }
  errno = error;
}

/// A thread's seat, which it gives up when it ends.
class Sitting {
 public:
  /// Errors: std::bad_alloc.
  Sitting() : seat_(new Seat) {
    seat_->thread = ::pthread_self();
    const std::scoped_lock lock(hall().mutex);
    hall().seats.push_back(seat_);
    mine = seat_;
  }
  Sitting(const Sitting&) = delete;
  Sitting& operator=(const Sitting&) = delete;
  ~Sitting() {
    mine = nullptr;
    const std::scoped_lock lock(hall().mutex);
    std::erase(hall().seats, seat_);
    delete seat_;
  }

 private:
  Seat* seat_;
};

}  // namespace

stall::Hall& stall::hall() {
  static auto& out = *new Hall;
  return out;
}

void stall::installHandler() {
  struct sigaction now{};
  ::sigaction(askingSignal, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == onSignal) return;
  previous = now;
  struct sigaction ours{};
  ours.sa_sigaction = onSignal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&ours.sa_mask);
  ::sigaction(askingSignal, &ours, nullptr);
}

bool stall::ask(Seat& seat) {
  seat.answered = false;
  seat.asked = true;
  if (::pthread_kill(seat.thread, askingSignal) != 0) return false;
  for (int i = 0; i < 100; ++i) {
    if (seat.answered) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return !seat.asked.exchange(false) && seat.answered;
}

std::uint64_t stall::nextLaunch() noexcept {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

stall::Seat* stall::enter(std::uint64_t launch) noexcept {
  if (!mine) {
    try {
      static thread_local const Sitting sitting;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  if (!mine) return nullptr;  // the thread is at its end
  mine->calls.count();
  mine->launch.store(launch, std::memory_order_relaxed);
  return mine;
}

void stall::leave(Seat& seat, std::uint64_t outer) noexcept {
  seat.calls.count();
  seat.launch.store(outer, std::memory_order_relaxed);
}

stall::Calls& stall::callsOf(Seat& seat) noexcept {
  return seat.calls;
}

}  // namespace lathe::detail
