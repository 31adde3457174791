// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of the process looks at the seats a few times in the time after which a report is due. What it sees cannot
// tell a kernel that waits from one that works for long, so it says where the kernel is and what helps if it waits.
#include "runtimes/cpu/host/stall_report.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <lathe/kernel_reports.h>

#include "runtimes/cpu/host/stall_seats.h"

namespace lathe::detail {

std::atomic<bool> stall::watched = false;

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr const char* variable = "LATHE_CPU_STALL_SECONDS";
constexpr auto defaultPatience = std::chrono::seconds(10);
/// Threads of one launch that are asked, and how often each.
constexpr std::size_t mostAsked = 8;
constexpr int samples = 16;
constexpr std::size_t mostLines = 3;

using stall::Answer;
using stall::hall;
using stall::Seat;

std::atomic<std::int64_t> chosenPatience = nanoseconds(defaultPatience).count();
std::atomic<StallReporter> reporter = nullptr;

/// Seconds of the environment's variable; negative: it is not set; NaN: it makes no sense.
double secondsOfVariable() {
  const char* const value = std::getenv(variable);
  if (!value || *value == '\0') return -1;
  char* end = nullptr;
  const double seconds = std::strtod(value, &end);
  return *end == '\0' && seconds >= 0 && seconds <= 1e9 ? seconds : std::nan("");
}

/// A report, with the texts that its parts refer to.
struct Report {
  std::string kernel;
  bool cooperative = false;
  std::uint64_t groups = 0;
  std::vector<Answer> answers;

  void add(Seat& seat, std::uint64_t launch);
  [[nodiscard]] static std::string textOf(std::span<const KernelPlace> places);
  [[nodiscard]] std::string hint(bool haveLines) const;
  void send(double seconds) const;
};

/// Asks one thread, several times where it has lines: a loop may have more than one.
void Report::add(Seat& seat, std::uint64_t launch) {
  const std::size_t first = answers.size();
  for (int i = 0; i < samples; ++i) {
    if (!stall::ask(seat) || seat.answer.launch != launch) return;
    const Answer& now = seat.answer;
    kernel = now.kernel.view();
    cooperative = now.cooperative;
    groups = std::uint64_t{now.groupCount[0]} * now.groupCount[1] * now.groupCount[2];
    const bool known =
        std::any_of(answers.begin() + static_cast<std::ptrdiff_t>(first), answers.end(), [&](const Answer& other) {
          return now.line == 0 || (other.line == now.line && other.file.view() == now.file.view());
        });
    if (!known && answers.size() < first + mostLines) answers.push_back(now);
    if (now.waitsForGrid) return;
    std::this_thread::sleep_for(milliseconds(1));
  }
}

/// Of one thread, which was seen at these places: "group 0,0,0; a.cpp:8, a.cpp:9; in spin+0x10".
std::string Report::textOf(std::span<const KernelPlace> places) {
  const KernelPlace& first = places.front();
  const auto group = [&](std::uint32_t x) { return fmt::format("{},{},{}", x, first.group[1], first.group[2]); };
  std::string out = first.groups == 0 ? "a group" : "group " + group(first.group[0]);
  if (first.groups > 1)
    out = fmt::format("one of the groups {} to {}", group(first.group[0]), group(first.group[0] + first.groups - 1));
  if (first.waitsForGrid) return out + "; at a barrier of the grid";
  std::string_view separator = "; ";
  for (const KernelPlace& place : places) {
    if (place.file.empty()) continue;
    const bool inFolder = !place.folder.empty() && !place.file.starts_with('/');
    const std::string folder = inFolder ? fmt::format("{}/", place.folder) : std::string();
    out += fmt::format("{}{}{}:{}", separator, folder, place.file, place.line);
    separator = ", ";
  }
  if (!first.function.empty()) out += fmt::format("; in {}+{:#x}", first.function, first.offset);
  return out;
}

/// What may help; nobody here knows whether the kernel waits or works.
std::string Report::hint(bool haveLines) const {
  std::string out = "\nhint: ";
  if (cooperative || groups == 1) {
    out +=
        "if it waits for another item of its group: on the cpu these run one after another up to the next barrier; "
        "let them go on by a barrier or by lathe::yield()";
  } else {
    out +=
        "if it waits for another group: groups of a plain launch run one after another on each thread, and one that "
        "has not begun cannot be waited for; launch it cooperative, so that all run at once "
        "(LaunchOptions::cooperative, lathe run --cooperative)";
  }
  out += "; checked mode finds loops that wait (lathe run --checked, Options::checked)";
  if (!haveLines) out += "; debug information (-g) names the line";
  return out + "\n";
}

void Report::send(double seconds) const {
  std::vector<KernelPlace> places;
  for (const Answer& at : answers) {
    places.push_back({.group = at.group,
                      .groups = at.groups,
                      .waitsForGrid = at.waitsForGrid,
                      .function = at.function.view(),
                      .offset = at.offset,
                      .folder = at.folder.view(),
                      .file = at.file.view(),
                      .line = at.line});
  }
  std::string text = fmt::format("kernel '{}' on cpu: no group has been seen to end for {:g} s", kernel, seconds);
  const auto same = [](const KernelPlace& a, const KernelPlace& b) { return a.group == b.group; };
  for (auto first = places.cbegin(); first != places.cend();) {
    const auto last =
        std::find_if(first, places.cend(), [&](const KernelPlace& place) { return !same(*first, place); });
    text += (first == places.cbegin() ? "; " : "\n  and ") + textOf({first, last});
    first = last;
  }
  const bool haveLines =
      std::ranges::all_of(places, [](const KernelPlace& place) { return place.line != 0 || place.waitsForGrid; });
  text += hint(haveLines);
  const KernelStall stall{.kernel = kernel,
                          .seconds = seconds,
                          .cooperative = cooperative,
                          .groups = groups,
                          .places = places,
                          .text = text};
  if (const StallReporter wanted = reporter.load()) return wanted(stall);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

/// The thread that looks.
class Watcher {
 public:
  /// Begins, if it has not, and tells again of kernels that it told of. Errors: std::system_error.
  void start() {
    afresh_ = true;
    if (thread_.joinable()) return;
    owner_ = ::getpid();
    thread_ = std::thread([this] { watch(); });
  }
  ~Watcher() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (!thread_.joinable()) return;
    // In a child of the process there is no such thread, and a reporter may be what ends the process.
    if (owner_ == ::getpid() && thread_.get_id() != std::this_thread::get_id())
      thread_.join();
    else
      thread_.detach();
  }

 private:
  struct Watched {
    std::uint64_t signature = 0;
    Clock::time_point since;
    bool reported = false;
  };

  void watch() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      const nanoseconds patience = stall::patience();
      const nanoseconds nap = std::clamp<nanoseconds>(patience / 4, milliseconds(5), std::chrono::seconds(1));
      changed_.wait_for(lock, nap, [&] { return stopping_; });
      if (stopping_ || patience.count() == 0) continue;
      lock.unlock();
      try {
        look(patience);
      } catch (const std::bad_alloc&) {  // the next look may have more luck
      }
      lock.lock();
    }
  }
  static std::map<std::uint64_t, std::uint64_t> signatures() {
    std::map<std::uint64_t, std::uint64_t> out;
    for (std::size_t i = 0; i < hall().seats.size(); ++i) {
      const Seat& seat = *hall().seats[i];
      const std::uint64_t calls = seat.calls.begun();
      if (const std::uint64_t launch = seat.launch.load(std::memory_order_relaxed))
        out[launch] += (calls + 1) * (2 * i + 1) * 0x9e3779b97f4a7c15;
    }
    return out;
  }
  void look(nanoseconds patience) {
    std::vector<Report> reports;
    {
      const std::scoped_lock lock(hall().mutex);
      const auto now = signatures();
      std::erase_if(launches_, [&](const auto& known) { return !now.contains(known.first); });
      for (const auto& [launch, signature] : now) {
        Watched& known = launches_[launch];
        if (known.signature != signature) {
          known.signature = signature;
          known.since = Clock::now();
        } else if (!known.reported && Clock::now() - known.since >= patience) {
          known.reported = true;
          Report report = reportOf(launch);
          const auto later = signatures();
          const auto still = later.find(launch);
          if (!report.answers.empty() && still != later.end() && still->second == signature)
            reports.push_back(std::move(report));
        }
      }
    }
    if (afresh_.exchange(false)) told_.clear();
    const double seconds = std::chrono::duration<double>(patience).count();
    for (const Report& report : reports)
      if (told_.insert(report.kernel).second) report.send(seconds);
  }
  static Report reportOf(std::uint64_t launch) {
    Report out;
    std::size_t asked = 0;
    for (Seat* const seat : hall().seats) {
      if (seat->launch.load(std::memory_order_relaxed) != launch || asked++ >= mostAsked) continue;
      out.add(*seat, launch);
    }
    return out;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  pid_t owner_ = 0;
  bool stopping_ = false;
  std::map<std::uint64_t, Watched> launches_;
  std::set<std::string> told_;  ///< kernels
  std::atomic<bool> afresh_ = false;
};

}  // namespace

Result<void> stall::checkVariable() {
  if (!std::isnan(secondsOfVariable())) return {};
  return Error{
      .code = ErrorCode::InvalidArgument,
      .message = fmt::format("cpu: {} is '{}', which is no number of seconds", variable, std::getenv(variable)),
      .hint = fmt::format("unset {} or set it to a number, 0 for never", variable),
      .target = "cpu"};
}

nanoseconds stall::patience() noexcept {
  static const double fromOutside = secondsOfVariable();
  if (fromOutside >= 0) return nanoseconds(static_cast<std::int64_t>(fromOutside * 1e9));
  return nanoseconds(chosenPatience.load(std::memory_order_relaxed));
}

}  // namespace lathe::detail

namespace lathe {

void reportKernelStalls(std::chrono::milliseconds after, StallReporter report) {
  static std::mutex mutex;
  static detail::Watcher watcher;
  const std::scoped_lock lock(mutex);
  detail::reporter = report;
  detail::chosenPatience = std::chrono::nanoseconds(std::max(after, std::chrono::milliseconds(0))).count();
  if (detail::stall::patience().count() == 0) {
    detail::stall::watched = false;
    return;
  }
  detail::stall::installHandler();
  try {
    watcher.start();
  } catch (const std::system_error&) {  // no thread to be had: nothing is watched
    return;
  }
  detail::stall::watched = true;
}

}  // namespace lathe
