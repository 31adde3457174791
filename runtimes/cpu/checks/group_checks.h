// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of the group that a thread runs. Items of a group take turns on one thread, so nothing here is shared.
//
// Two accesses of different items of the group to one place, of which one writes and not both are atomic, are a race
// unless something orders them:
//   - a barrier of the group lies between them: the items' epochs differ;
//   - meetings of their subgroup lead from one to the other: vector clocks of its items, joined at each meeting;
//   - both items made an atomic access together with a fence, or an ordering one, since the earlier access: the pattern
//     of "the last who is done goes on". Which of the two came first is not asked, so this errs on the silent side.
// In the device's memory one of the two has to be a plain write, neither atomic nor volatile: loops around
// compare-and-swap begin with a plain read, and flags that items of other groups wait for are volatile.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/abi/checks.h"
#include "core/group/entry/group_entry.h"
#include "runtimes/cpu/checks/findings.h"
#include "runtimes/cpu/checks/global_shadow.h"
#include "runtimes/cpu/checks/shadow.h"
#include "runtimes/cpu/checks/waits.h"
#include "runtimes/cpu/memory/buffers.h"

namespace lathe::detail {

/// What a launch's checks need to know and where they report.
struct LaunchChecks {
  LaunchChecks(const DeviceBuffers& all, std::chrono::nanoseconds patience) : buffers(&all) {
    waits.patience = patience;
  }
  const DeviceBuffers* buffers;
  Findings findings;
  LaunchWaits waits;
};

class GroupChecks {
 public:
  /// Begins a row of groups, until end(). All three outlive it.
  void begin(LaunchChecks& launch, const abi::GroupLaunch& groups, std::size_t sharedBytes);
  /// The group ended before its end: what its items did not reach says nothing.
  void abandon() noexcept;
  /// The thread leaves the launch.
  void end() noexcept {
    abandon();
    wait_.leave();
  }
  /// The group is over: who did not come to its barriers? Errors: std::bad_alloc.
  void finishGroup();

  // What kernels call (core/abi/checks.h).
  void enter(std::uint32_t item, const Finding::Position& group);
  /// True for an access of whole words which nobody else of the group touches for now, as most are; it is noted then,
  /// and there is no more to do.
  [[nodiscard]] bool isQuiet(const abi::CheckedSite& site, const void* address, const void* base, std::uint64_t bytes,
                             std::uint32_t item) noexcept {
    if (item >= items_.size() || (site.does & abi::access::atomic) != 0) return false;
    const auto place = reinterpret_cast<std::uintptr_t>(address), first = reinterpret_cast<std::uintptr_t>(base);
    const abi::CheckedObject* const object = site.object;
    if (!object || object->kind != abi::CheckedKind::shared) return isQuietGlobal(site, place, first, bytes, item);
    if (bytes != Shadow::wordBytes || bytes > object->bytes || place - first > object->bytes - bytes) return false;
    ShadowCell* const word = shadow_.wordsOf(place - shared_.first, Shadow::wordBytes, base_);
    if (!word || ((site.does & abi::access::read) != 0 && word->write.epoch < base_)) return false;
    return noteQuiet({word, 1}, site, item);
  }
  /// Null if the kernel cannot go on.
  void* access(const abi::CheckedSite& site, void* address, void* base, std::uint64_t bytes, std::uint32_t item);
  /// The memory that an argument of the launch points into.
  [[nodiscard]] MemoryRange argument(std::uintptr_t base);
  void barrier(const abi::CheckedSite& site, std::uint32_t item);
  /// `size`: items of a subgroup, a power of two of at most 64; the same all launch long.
  void meet(std::uint32_t item, std::uint64_t mask, std::uint32_t size);
  void met(std::uint32_t item);
  void fence(std::uint32_t item);
  /// Another iteration of a loop that waits. False if it is to end, because nobody goes on who could end it.
  [[nodiscard]] bool wait(const abi::CheckedSite& site, std::uint32_t item);
  void waited() noexcept { wait_.end(); }
  /// The group waits for others, to the next waited().
  void waitForGrid() noexcept { wait_.begin(); }
  /// Whether so much was found that the launch should end.
  [[nodiscard]] bool enough() const noexcept { return enough_; }

 private:
  static constexpr std::uint32_t mostSubgroupItems = 64;
  struct Item {
    std::uint32_t epoch;
    std::uint32_t tick;
    std::uint32_t ordered;  ///< time of its last ordering
    bool fenced, atomic;    ///< it made one
  };
  struct Subgroup {
    std::uint32_t group = 0;  ///< the epoch in which the group began that the rest is of
    std::uint64_t waiting = 0;
    std::array<std::uint64_t, mostSubgroupItems> masks;
    std::array<std::array<std::uint32_t, mostSubgroupItems>, mostSubgroupItems>
        clocks;  ///< what each item knows of the others
  };
  struct Barrier {
    const abi::CheckedSite* site;
    std::uint32_t item;
    const abi::CheckedSite* other = nullptr;
    std::uint32_t otherItem = 0;
    std::uint64_t arrived = 0;
  };
  /// What an access may touch.
  struct Bounds {
    std::uintptr_t base = 0;
    MemoryRange range;
  };

  static constexpr MemoryRange everything{0, std::numeric_limits<std::uintptr_t>::max()};

  /// isQuiet() of memory that is not the group's.
  [[nodiscard]] bool isQuietGlobal(const abi::CheckedSite& site, std::uintptr_t place, std::uintptr_t base,
                                   std::uint64_t bytes, std::uint32_t item) noexcept;
  /// Notes the access if nobody else was here. What is noted goes from registers to its place: a copy by way of the
  /// stack would wait for it.
  [[nodiscard]] bool noteQuiet(std::span<ShadowCell> words, const abi::CheckedSite& site, std::uint32_t item) noexcept {
    const Item& at = items_[item];
    const bool writes = (site.does & abi::access::write) != 0;
    const Touch now{.epoch = at.epoch, .tick = at.tick, .time = time_, .item = item, .site = &site};
    for (const ShadowCell& word : words)
      if (!word.isQuiet(now, writes)) return false;
    for (ShadowCell& word : words) word.note(now, writes);
    return true;
  }
  [[nodiscard]] static std::size_t bucketOf(std::uintptr_t base) noexcept { return (base >> 4 ^ base >> 10) % buckets; }

  void startGroup(const Finding::Position& group);
  [[nodiscard]] MemoryRange boundsOf(const abi::CheckedSite& site, std::uintptr_t base);
  [[nodiscard]] MemoryRange lookUp(std::uintptr_t base) const;
  void touch(const abi::CheckedSite& site, std::uintptr_t address, std::uint64_t bytes, const MemoryRange& memory,
             std::uint32_t item);
  void noteAtomic(Item& item, bool orders);
  [[nodiscard]] Subgroup& subgroupOf(std::uint32_t item);
  /// Whether items of the group share the memory of an access that is not in the group's own.
  [[nodiscard]] static bool isGlobal(const abi::CheckedSite& site, const MemoryRange& memory);
  [[nodiscard]] bool conflicts(const Touch& earlier, const Touch& now) const;
  [[nodiscard]] Finding::Position positionOf(std::uint32_t item) const;
  [[nodiscard]] Finding finding(Finding::Kind kind, const abi::CheckedSite& site, std::uint32_t item) const;
  void report(const Finding& finding) { enough_ |= !launch_->findings.add(finding); }
  [[nodiscard]] void* spoilt(std::uint64_t bytes);

  LaunchChecks* launch_ = nullptr;
  const abi::GroupLaunch* groups_ = nullptr;
  MemoryRange shared_;
  Finding::Position group_{};
  bool inGroup_ = false, enough_ = false;
  bool apart_ = false;  ///< items wait at different barriers: epochs no longer say what is ordered
  std::uint32_t base_ = 1, time_ = 0;
  ThreadWait wait_;
  std::vector<Item> items_;
  std::uint32_t subgroupSize_ = mostSubgroupItems;  ///< of what met last
  std::vector<Subgroup> subgroups_;
  std::vector<Barrier> barriers_;  ///< that items of the group came to, in order
  Shadow shadow_;                  ///< of the group's memory
  GlobalShadow global_;
  static constexpr std::size_t buckets = 64;
  std::array<Bounds, buckets> known_;  ///< bounds that were looked up, by a hash of the base
  std::vector<std::max_align_t> spoilt_;
};

}  // namespace lathe::detail
