// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many threads a launch is worth.
#include "runtimes/cpu/group_scheduler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <thread>

namespace lathe::detail {
namespace {

/// Below so many hand-overs of work, the caller is done sooner alone. Each thread gets one hand-over's worth at least.
constexpr double worthSharing = 4;
/// What a thread takes at once, at least, in nanoseconds.
constexpr double worthPiece = 500;
/// Nanoseconds of which reading the clock (20 to 30 each time) would be a large part.
constexpr double tooShortToTime = 1000;

/// So many items of a kernel that never ran are begun alone: a program that launches little then never starts the
/// scheduler's threads, which takes longer (oneTBB: 0.6 ms) than all that it does.
constexpr std::uint64_t fewItems = 2048;

/// A clock for such launches, which is read in less than ten nanoseconds. It counts at least once a nanosecond, nearly,
/// so what takes few ticks takes few nanoseconds.
std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(GroupScheduler::Clock::now().time_since_epoch()).count());
#endif
}

double nanosecondsSince(GroupScheduler::Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(GroupScheduler::Clock::now() - start).count();
}

/// Parts that take `nanoseconds` at `each` nanoseconds a part; at least 1 and at most `most`, which is at least 1.
std::uint64_t partsOf(double nanoseconds, double each, std::uint64_t most) {
  const double parts = nanoseconds / each;
  if (!(parts < static_cast<double>(most))) return most;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(parts));
}

/// Threads for that much work, where each should get `worth` nanoseconds of it. Powers of two, or all: a number that
/// changed with every launch would give each thread other parts of the arrays than the ones in its cache.
unsigned threadsFor(double nanoseconds, double worth, std::uint64_t parts, unsigned all) {
  const auto most = static_cast<unsigned>(std::min<std::uint64_t>(parts, all));
  if (nanoseconds == 0) return most;
  const auto wanted = static_cast<unsigned>(partsOf(nanoseconds, worth, most));
  return wanted == most ? most : std::clamp(std::bit_floor(wanted), 2u, most);
}

}  // namespace

void GroupCost::learn(double perItem) noexcept {
  const double known = perItem_.load(std::memory_order_relaxed);
  // Two threads that learn at once may forget one finding; there will be others.
  double next = perItem;
  if (known > 0) next = perItem > known ? std::min(perItem, 4 * known) : (known + perItem) / 2;
  perItem_.store(static_cast<float>(next), std::memory_order_relaxed);
}

void GroupScheduler::runErased(std::uint64_t count, std::uint64_t items, GroupCost& cost,
                               const ErasedBody& body) const {
  const double handOver = this->handOver(), alone = worthSharing * handOver;
  const auto perPart = static_cast<double>(items);
  std::uint64_t done = 0;
  if (count > 1 && cost.perItem() == 0 && items != 0 && count <= fewItems / items) {
    const auto begin = Clock::now();
    body(0, 1);
    const double first = std::max(nanosecondsSince(begin), 1.0);
    cost.learn(first / perPart);
    if (first * static_cast<double>(count - 1) < alone) return body(1, count);
    done = 1;
  }
  const unsigned all = count <= 1 ? 1 : threads();
  if (all == 1) {
    if (done < count) body(done, count);
    return;
  }
  double each = cost.perItem() * perPart;  // nanoseconds of one part
  if (done == 0 && each > 0 && each * static_cast<double>(count) < tooShortToTime) {
    const std::uint64_t first = (count + 63) / 64, begin = ticks();
    body(0, first);
    if (static_cast<double>(ticks() - begin) * static_cast<double>(count) < alone * static_cast<double>(first))
      return body(first, count);
    // Other arguments, perhaps: how long the rest takes is not known.
    cost.learn(4 * cost.perItem());
    done = first;
    each = 0;
  }
  const auto start = Clock::now();
  // What was known comes from other arguments, perhaps: where it speaks for few threads, a little is run first and
  // counts instead.
  if (done == 0 && each > 0 && each * static_cast<double>(count) < std::max(alone, handOver * all)) {
    for (const std::uint64_t last : {(count + 63) / 64, (count + 3) / 4, count}) {
      if (last == done) continue;
      if (done != 0 && each * static_cast<double>(count - done) >= alone) break;
      body(done, last);
      done = last;
      each = std::max(nanosecondsSince(start), 1.0) / static_cast<double>(done);
    }
    cost.learn(each / perPart);
    if (done == count) return;
  }

  Spread work{.first = done,
              .last = count,
              .threads = 1,
              .piece = 1,
              .nanoseconds = each * static_cast<double>(count - done),
              .now = start};
  work.threads = threadsFor(work.nanoseconds, handOver, count - done, all);
  if (work.threads < 2) return body(work.first, work.last);
  if (each > 0) work.piece = partsOf(worthPiece, each, count - done);
  // The caller's own share tells what a part takes.
  struct Sample {
    const ErasedBody& body;
    const std::thread::id caller = std::this_thread::get_id();
    double nanoseconds = 0;
    std::uint64_t parts = 0;
  } sample{.body = body};
  spread(work, {[](const void* erased, std::uint64_t first, std::uint64_t last) {
                  auto& mine = *static_cast<Sample*>(const_cast<void*>(erased));
                  if (std::this_thread::get_id() != mine.caller) return mine.body(first, last);
                  const auto begin = Clock::now();
                  mine.body(first, last);
                  mine.nanoseconds += nanosecondsSince(begin);
                  mine.parts += last - first;
                },
                &sample});
  if (sample.parts != 0) cost.learn(sample.nanoseconds / static_cast<double>(sample.parts) / perPart);
}

std::span<const SchedulerKind> schedulerKinds() noexcept {
  static constexpr std::array kinds = {
#ifdef LATHE_CPU_TBB
      SchedulerKind{"tbb", makeTbbScheduler},
#endif
      SchedulerKind{"threads", [] { return makeThreadScheduler(); }}};
  return kinds;
}

}  // namespace lathe::detail
