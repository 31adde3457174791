// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups on a pool of threads of our own. A launch takes a slot of the pool and divides its groups into one share a
// thread. A thread works off its own share from the front, and the same thread has the same share at each launch, whose
// arrays it may still have in its cache. Then it takes from the back of others' shares (work stealing, as in Blumofe
// and Leiserson 1999, of ranges instead of tasks), but not the last bit of somebody who is at work: what lies in
// another core's cache takes longer to fetch than to finish there. Shares of threads that sleep or work elsewhere are
// taken whole, so a launch waits for none of them.
//
// Nothing is locked. Threads without work look at one line of memory, the board, with the widths of all launches. A
// thread that enters a slot says so before it reads the width again, and the launch sets the width to 0 before it reads
// who is inside (Dekker 1965): sequentially consistent order lets one of the two see the other. Who then finds nobody
// inside may use the slot again.
#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "runtimes/cpu/group_scheduler.h"
#include "runtimes/cpu/patience.h"

namespace lathe::detail {
namespace {

constexpr std::size_t cacheLine = 64;
/// Launches that are shared at once; further ones are run by their callers alone.
constexpr unsigned slotCount = 8;
/// Launches that take less (nanoseconds) wake nobody, unless they follow each other so closely that who was woken once
/// stays awake.
constexpr double worthWaking = 20000;
/// What it takes to begin the threads, in nanoseconds: until they run, a launch has to be worth that.
constexpr double startCost = 50000;
/// What is left to whoever works at a share: a quarter of it, between these nanoseconds.
constexpr double leastKept = 2000, mostKept = 20000;

struct Range {
  std::uint32_t begin = 0, end = 0;
};

/// One thread's part of a launch.
struct alignas(cacheLine) Share {
  std::atomic<std::uint64_t> range = 0;  ///< what nobody took yet: end in the upper half, begin in the lower
  std::atomic<int> inside = 0;           ///< 1 while the thread may use the slot

  void set(Range all) { range.store(pack(all), std::memory_order_relaxed); }

  /// Takes half of what is left, at least `piece`, if more than `kept` is left; from the front if it is one's own,
  /// else from the back.
  std::optional<Range> take(std::uint32_t piece, std::uint32_t kept, bool own) {
    std::uint64_t word = range.load(std::memory_order_relaxed);
    while (true) {
      const Range left{static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
      const std::uint32_t size = sizeOf(word);
      if (size <= kept) return std::nullopt;
      const std::uint32_t taken = std::min(size, std::max(piece, size / 2));
      const std::uint32_t middle = own ? left.begin + taken : left.end - taken;
      const Range mine = own ? Range{left.begin, middle} : Range{middle, left.end};
      const Range rest = own ? Range{middle, left.end} : Range{left.begin, middle};
      if (range.compare_exchange_weak(word, pack(rest), std::memory_order_relaxed)) return mine;
    }
  }

 private:
  /// `begin` never passes `end`.
  static std::uint32_t sizeOf(std::uint64_t word) {
    return static_cast<std::uint32_t>(word >> 32) - static_cast<std::uint32_t>(word);
  }
  static std::uint64_t pack(Range range) { return std::uint64_t{range.end} << 32 | range.begin; }
};

class ThreadScheduler final : public GroupScheduler {
 public:
  explicit ThreadScheduler(unsigned threads) : workers_(threads - 1) {
    for (Slot& slot : slots_) {
      slot.shares = std::vector<Share>(workers_.size() + 1);
      slot.shares[0].inside = 1;  // the caller is always at work
    }
  }
  ~ThreadScheduler() override {
    stopping_ = true;
    board_.posted.fetch_add(1);
    for (Worker& worker : workers_) {
      wake(worker);
      if (worker.thread.joinable()) worker.thread.join();
    }
  }
  [[nodiscard]] unsigned threads() const noexcept override { return static_cast<unsigned>(workers_.size()) + 1; }
  [[nodiscard]] std::string description() const override { return "Lathe's thread pool"; }

 protected:
  [[nodiscard]] double handOver() const noexcept override {
    return running_.load(std::memory_order_relaxed) ? 1000 : startCost;
  }
  void spread(const Spread& all, const ErasedBody& body) const override;

 private:
  /// What threads without work look at: one line.
  struct alignas(cacheLine) Board {
    std::atomic<unsigned> posted = 0;                      ///< launches so far
    std::array<std::atomic<unsigned>, slotCount> width{};  ///< threads of the launch in each slot, 0: none is there
  };
  struct Slot {
    alignas(cacheLine) std::atomic<bool> taken = false;
    Clock::time_point finished;  ///< when the last launch here ended

    // Read inside of a launch only.
    alignas(cacheLine) const ErasedBody* body = nullptr;
    std::uint64_t first = 0, last = 0;  ///< parts of the launch
    std::uint64_t unit = 1;             ///< parts in one step of a Range
    std::uint32_t piece = 1, kept = 0;  ///< steps
    bool wake = false;                  ///< whether sleeping threads are woken
    std::vector<Share> shares;          ///< share 0 is the caller's

    void run(Range range) const { (*body)(first + range.begin * unit, std::min(last, first + range.end * unit)); }
  };
  struct alignas(cacheLine) Worker {
    std::atomic<int> asleep = 0;
    std::thread thread;
  };

  /// Which worker has share `share` (not 0) of a slot, and back. Each slot begins with another worker, so that small
  /// launches at once do not all ask for the same few.
  [[nodiscard]] unsigned offset(unsigned slot) const {
    return static_cast<unsigned>(slot * workers_.size() / slotCount);
  }
  [[nodiscard]] unsigned workerOf(unsigned slot, unsigned share) const {
    return static_cast<unsigned>((share - 1 + offset(slot)) % workers_.size());
  }
  [[nodiscard]] unsigned shareOf(unsigned slot, unsigned worker) const {
    return static_cast<unsigned>((worker + workers_.size() - offset(slot)) % workers_.size()) + 1;
  }

  void start() const;
  std::optional<unsigned> takeSlot() const;
  bool wake(Worker& worker) const;
  void wakeBelow(unsigned slot, unsigned share, unsigned width) const;
  static void work(Slot& slot, unsigned share, unsigned width);
  bool help(unsigned slot, unsigned worker) const;
  void serve(unsigned me) const;

  mutable Board board_;
  mutable std::atomic<unsigned> sleeping_ = 0;
  std::atomic<bool> stopping_ = false;
  mutable std::array<Slot, slotCount> slots_;
  mutable std::vector<Worker> workers_;
  mutable std::once_flag started_;
  mutable std::atomic<bool> running_ = false;
};

/// Begins the workers, at the first launch that is worth several threads.
void ThreadScheduler::start() const {
  running_.store(true, std::memory_order_relaxed);
  try {
    for (unsigned i = 0; i < workers_.size(); ++i) workers_[i].thread = std::thread([this, i] { serve(i); });
  } catch (const std::system_error&) {
    // With fewer threads than cores, the others take the missing ones' shares.
  }
}

/// A thread looks at the same slot first each time, and so meets the same workers.
std::optional<unsigned> ThreadScheduler::takeSlot() const {
  static std::atomic<unsigned> callers = 0;
  static thread_local const unsigned caller = callers.fetch_add(1, std::memory_order_relaxed);
  for (unsigned i = 0; i < slotCount; ++i) {
    const unsigned slot = (caller + i) % slotCount;
    if (!slots_[slot].taken.load(std::memory_order_relaxed) && !slots_[slot].taken.exchange(true)) return slot;
  }
  return std::nullopt;
}

/// False if it was awake.
bool ThreadScheduler::wake(Worker& worker) const {
  if (worker.asleep.load() == 0 || worker.asleep.exchange(0) == 0) return false;
  sleeping_.fetch_sub(1);
  worker.asleep.notify_one();
  return true;
}

/// Wakes the two workers below `share` in the tree of shares, who wake the next: to wake a thread takes microseconds of
/// the one who does it. What is below a thread that is awake is woken from here; it may work elsewhere.
void ThreadScheduler::wakeBelow(unsigned slot, unsigned share, unsigned width) const {
  if (sleeping_.load() == 0) return;
  for (unsigned child = 2 * share + 1; child <= 2 * share + 2 && child < width; ++child) {
    if (!wake(workers_[workerOf(slot, child)])) wakeBelow(slot, child, width);
  }
}

void ThreadScheduler::work(Slot& slot, unsigned share, unsigned width) {
  for (unsigned i = 0; i < width; ++i) {
    Share& from = slot.shares[(share + i) % width];
    const std::uint32_t kept = i != 0 && from.inside.load(std::memory_order_relaxed) != 0 ? slot.kept : 0;
    while (const auto range = from.take(slot.piece, kept, i == 0)) slot.run(*range);
  }
}

void ThreadScheduler::spread(const Spread& all, const ErasedBody& body) const {
  std::call_once(started_, [this] { start(); });
  const auto index = takeSlot();
  if (!index) return body(all.first, all.last);
  Slot& slot = slots_[*index];
  const std::uint64_t count = all.last - all.first;
  slot.body = &body;
  slot.first = all.first;
  slot.last = all.last;
  slot.unit = (count >> 31) + 1;
  const std::uint64_t steps = (count + slot.unit - 1) / slot.unit;
  slot.piece = static_cast<std::uint32_t>((all.piece + slot.unit - 1) / slot.unit);
  slot.kept = 0;
  if (const double each = all.nanoseconds / static_cast<double>(steps); each > 0) {
    const double quarter = static_cast<double>(steps) / (4.0 * all.threads);
    slot.kept = static_cast<std::uint32_t>(std::clamp(quarter, leastKept / each, mostKept / each));
  }
  slot.wake = all.nanoseconds == 0 || all.nanoseconds > worthWaking || all.now - slot.finished < Patience::least;
  for (std::uint64_t i = 0; i < all.threads; ++i) {
    slot.shares[i].set({static_cast<std::uint32_t>(steps * i / all.threads),
                        static_cast<std::uint32_t>(steps * (i + 1) / all.threads)});
  }
  board_.width[*index].store(all.threads, std::memory_order_release);
  board_.posted.fetch_add(1);
  if (slot.wake) wakeBelow(*index, 0, all.threads);
  work(slot, 0, all.threads);
  board_.width[*index].store(0);
  for (unsigned i = 1; i < all.threads; ++i) {
    Share& share = slot.shares[i];
    const auto left = [&] { return share.inside.load() == 0; };
    if (!left()) (void)lookUntil(Patience().end(), left);
    // Who takes longer may have been interrupted; who came too late has left the share as it was.
    while (const auto range = share.take(slot.piece, 0, false)) slot.run(*range);
    while (!left()) share.inside.wait(1);
  }
  slot.finished = Clock::now();
  slot.taken.store(false, std::memory_order_release);
}

/// False if the slot has no launch in which this worker has a share.
bool ThreadScheduler::help(unsigned index, unsigned worker) const {
  const unsigned share = shareOf(index, worker);
  const std::atomic<unsigned>& width = board_.width[index];
  if (share >= width.load(std::memory_order_relaxed)) return false;
  Slot& slot = slots_[index];
  Share& mine = slot.shares[share];
  mine.inside.store(1);
  const unsigned now = width.load();
  const bool open = share < now;
  if (open) {
    if (slot.wake) wakeBelow(index, share, now);
    work(slot, share, now);
  }
  mine.inside.store(0);
  mine.inside.notify_one();
  return open;
}

void ThreadScheduler::serve(unsigned me) const {
  Worker& self = workers_[me];
  Patience patience;
  auto end = patience.end();
  while (!stopping_) {
    const unsigned seen = board_.posted.load();
    bool helped = false;
    for (unsigned slot = 0; slot < slotCount; ++slot) helped |= help(slot, me);
    if (helped) {
      patience.paid();
      end = patience.end();
    }
    // Launches that are not for this thread do not keep it awake.
    const auto news = [&] { return board_.posted.load() != seen || stopping_.load(); };
    if (lookUntil(end, news)) continue;
    patience.failed();
    sleeping_.fetch_add(1);
    self.asleep.store(1);
    if (news()) wake(self);  // perhaps of a launch that found nobody to wake
    self.asleep.wait(1);
    end = patience.end();
  }
}

}  // namespace

std::unique_ptr<GroupScheduler> makeThreadScheduler(unsigned threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  return std::make_unique<ThreadScheduler>(threads);
}

}  // namespace lathe::detail
