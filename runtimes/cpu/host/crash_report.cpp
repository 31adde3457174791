// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the handler nothing is allocated and no lock is taken. What it says is put together in a block of its own.
#include "runtimes/cpu/host/crash_report.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <mutex>

#include <lathe/kernel_reports.h>

#include "core/process/signal_chain.h"
#include "runtimes/cpu/code/code_place.h"
#include "runtimes/cpu/host/host_functions.h"

namespace lathe::detail {

std::atomic<bool> crash::reported = false;

namespace {

constexpr std::array signals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
constexpr std::size_t signalStackBytes = std::size_t{64} << 10;

std::atomic<CrashReporter> reporter = nullptr;
std::array<struct sigaction, signals.size()> previous;
/// The launch that was reported last; its other threads may crash too.
std::atomic<const void*> lastLaunch = nullptr;
std::atomic_flag busy;
thread_local bool reporting = false;

/// Text of a fixed length; what does not fit is lost.
class Text {
 public:
  Text& operator<<(std::string_view text) {
    const std::size_t count = std::min(text.size(), data_.size() - size_);
    std::memcpy(data_.data() + size_, text.data(), count);
    size_ += count;
    return *this;
  }
  Text& operator<<(std::uint64_t value) { return number(value, 10); }
  Text& hex(std::uint64_t value) { return *this << "0x", number(value, 16); }
  [[nodiscard]] std::string_view view() const { return {data_.data(), size_}; }

 private:
  Text& number(std::uint64_t value, int base) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  std::array<char, 4096> data_;
  std::size_t size_ = 0;
};

std::string_view nameOf(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGILL:
      return "SIGILL";
    default:
      return "SIGFPE";
  }
}

void writeGroups(Text& out, const KernelCrash& crash) {
  const auto write = [&](std::uint32_t x) {
    out << std::uint64_t{x} << "," << std::uint64_t{crash.group[1]} << "," << std::uint64_t{crash.group[2]};
  };
  out << (crash.groups > 1 ? "; in one of the groups " : "; group ");
  write(crash.group[0]);
  if (crash.groups < 2) return;
  out << " to ";
  write(crash.group[0] + crash.groups - 1);
}

void describe(Text& out, const KernelCrash& crash) {
  out << (crash.kernel.empty() ? "code of a kernel" : "kernel '");
  if (!crash.kernel.empty()) out << crash.kernel << "'";
  out << " crashed on cpu: " << nameOf(crash.signal);
  const bool access = crash.signal == SIGSEGV || crash.signal == SIGBUS;
  if (access && crash.address) out << " at address ", out.hex(crash.address);
  if (crash.groups) writeGroups(out, crash);
  if (!crash.file.empty()) {
    const bool inFolder = !crash.folder.empty() && !crash.file.starts_with('/');
    out << "; ";
    if (inFolder) out << crash.folder << "/";
    out << crash.file << ":" << std::uint64_t{crash.line};
  }
  if (!crash.function.empty()) out << "; in " << crash.function << "+", out.hex(crash.offset);
  out << "\nhint: checked mode names the access, the memory and the item (lathe run --checked, Options::checked)";
  if (crash.file.empty()) out << "; debug information (-g) names the line";
  out << "\n";
}

void report(int signal, const siginfo_t& info, const HostLaunch::Place& at, std::uint64_t counter,
            std::span<const std::byte> object) {
  KernelCrash crash{.signal = signal};
  crash.address = signal == SIGSEGV || signal == SIGBUS ? reinterpret_cast<std::uintptr_t>(info.si_addr) : counter;
  crash.kernel = at.kernel;
  if (at.groups) {
    std::memcpy(crash.group.data(), at.groups->groupId, sizeof(at.groups->groupId));
    crash.groups = at.groups->groups;
  }
  const CodePlace place = placeOf(object, counter);
  crash.function = place.function;
  crash.offset = place.offset;
  crash.folder = place.folder;
  crash.file = place.file;
  crash.line = place.line;
  Text text;
  describe(text, crash);
  crash.text = text.view();
  if (const CrashReporter wanted = reporter.load()) return wanted(crash);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, crash.text.data(), crash.text.size());
}

/// One thread at a time; the others wait, because the process may end as soon as one goes on.
void reportOnce(int signal, const siginfo_t& info, const HostLaunch::Place& at, std::uint64_t counter,
                std::span<const std::byte> object) {
  reporting = true;
  while (busy.test_and_set()) {
    const timespec moment{0, 1'000'000};
    ::nanosleep(&moment, nullptr);
  }
  if (!at.launch || lastLaunch.exchange(at.launch) != at.launch) report(signal, info, at, counter, object);
  busy.clear();
  reporting = false;
}

void onSignal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const std::uint64_t counter = crash::counterOf(context);
  const auto object = findCode(counter);
  const HostLaunch::Place at = HostLaunch::place();
  if (!reporting && (at.launch || !object.empty())) reportOnce(signal, *info, at, counter, object);
  errno = error;
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (signals[i] == signal) return passOn(previous[i], signal, info, context);
}

/// Given back when the thread ends.
class SignalStack {
 public:
  SignalStack() {
    stack_t now{};
    if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
    void* const memory = ::mmap(nullptr, signalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memory_ = memory;
    const stack_t mine{.ss_sp = memory, .ss_flags = 0, .ss_size = signalStackBytes};
    ::sigaltstack(&mine, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  ~SignalStack() {
    if (!memory_) return;
    stack_t now{};
    // Somebody else's may have taken its place.
    if (::sigaltstack(nullptr, &now) == 0 && now.ss_sp == memory_) {
      const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
      ::sigaltstack(&none, nullptr);
    }
    ::munmap(memory_, signalStackBytes);
  }

 private:
  void* memory_ = nullptr;
};

}  // namespace

std::uint64_t crash::counterOf([[maybe_unused]] const void* context) noexcept {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

void crash::giveSignalStack() noexcept {
  static thread_local const SignalStack stack;
  (void)stack;
}

}  // namespace lathe::detail

namespace lathe {

void reportKernelCrashes(CrashReporter report) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  detail::reporter = report;
  struct sigaction mine{};
  mine.sa_sigaction = detail::onSignal;
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&mine.sa_mask);
  for (std::size_t i = 0; i < detail::signals.size(); ++i) {
    struct sigaction now{};
    ::sigaction(detail::signals[i], nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == detail::onSignal) continue;
    detail::previous[i] = now;
    ::sigaction(detail::signals[i], &mine, nullptr);
  }
  detail::crash::reported = true;
}

}  // namespace lathe
