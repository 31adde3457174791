// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/cpu/checks/group_checks.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace lathe::detail {
namespace {

/// Bases below are null with an offset: no system maps anything there.
constexpr std::uintptr_t nullPage = 4096;
/// Redirected accesses beyond that end the group.
constexpr std::uint64_t mostSpoilt = std::uint64_t{1} << 24;
/// Bytes of the largest access of the device's memory that is looked at without a walk over its cells.
constexpr std::uint64_t mostQuiet = 16;
/// Where times are near their end, everything is forgotten instead.
constexpr std::uint32_t lastEpoch = ~std::uint32_t{0} - (1U << 28);

}  // namespace

void GroupChecks::begin(LaunchChecks& launch, const abi::GroupLaunch& groups, std::size_t sharedBytes) {
  abandon();
  launch_ = &launch;
  groups_ = &groups;
  const auto first = reinterpret_cast<std::uintptr_t>(groups.shared);
  shared_ = {first, first + sharedBytes};
  shadow_.cover(sharedBytes);
  known_.fill({});
  enough_ = false;
  wait_.enter(launch.waits);
}

void GroupChecks::startGroup(const Finding::Position& group) {
  wait_.step();
  group_ = group;
  inGroup_ = true;
  apart_ = false;
  time_ = 1;
  const std::uint32_t* const size = groups_->groupSize;
  const std::size_t count = std::size_t{size[0]} * size[1] * size[2];
  items_.assign(count, Item{.epoch = base_, .tick = 1, .ordered = 0, .fenced = false, .atomic = false});
  barriers_.clear();
}

void GroupChecks::enter(std::uint32_t, const Finding::Position& group) {
  if (inGroup_ && group == group_) return;
  if (inGroup_) finishGroup();
  startGroup(group);
}

void GroupChecks::abandon() noexcept {
  if (!inGroup_) return;
  inGroup_ = false;
  base_ += static_cast<std::uint32_t>(barriers_.size()) + 1;
  if (base_ < lastEpoch) return;
  shadow_.clear();
  global_.clear();
  subgroups_.clear();
  base_ = 1;
}

void GroupChecks::finishGroup() {
  if (!inGroup_) return;
  for (std::size_t i = 0; i < barriers_.size(); ++i) {
    const Barrier& at = barriers_[i];
    if (!at.other && at.arrived == items_.size()) continue;
    Finding out = finding(Finding::Kind::barrier, *at.site, at.item);
    out.arrived = at.arrived;
    out.expected = items_.size();
    out.other = at.other;
    const auto missing = std::ranges::find_if(items_, [&](const Item& item) { return item.epoch - base_ <= i; });
    out.otherItem = positionOf(at.other ? at.otherItem : static_cast<std::uint32_t>(missing - items_.begin()));
    report(out);
  }
  abandon();
}

void* GroupChecks::access(const abi::CheckedSite& site, void* address, void* base, std::uint64_t bytes,
                          std::uint32_t item) {
  if (bytes == 0) return address;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const MemoryRange memory = boundsOf(site, reinterpret_cast<std::uintptr_t>(base));
  if (!memory.contains(place, bytes)) {
    Finding out = finding(Finding::Kind::outOfBounds, site, item);
    out.bytes = bytes;
    out.offset = static_cast<std::int64_t>(place - memory.first);
    out.memoryBytes = memory.last - memory.first;
    out.null = memory.last == 0;
    report(out);
    return spoilt(bytes);
  }
  if ((site.does & abi::access::atomic) != 0 && item < items_.size())
    noteAtomic(items_[item], (site.does & abi::access::ordering) != 0);
  if (shared_.contains(place, bytes) || isGlobal(site, memory)) touch(site, place, bytes, memory, item);
  return address;
}

MemoryRange GroupChecks::boundsOf(const abi::CheckedSite& site, std::uintptr_t base) {
  using abi::CheckedKind;
  if (const abi::CheckedObject* const object = site.object; object && object->kind != CheckedKind::argument) {
    const bool dynamic = object->kind == CheckedKind::dynamicShared;
    return {base, base + (dynamic ? groups_->dynamicSharedBytes : object->bytes)};
  }
  return argument(base);
}

MemoryRange GroupChecks::argument(std::uintptr_t base) {
  Bounds& known = known_[bucketOf(base)];
  if (known.base != base || base == 0) known = {base, lookUp(base)};
  return known.range;
}

/// What nobody told us of may be any memory of the host's.
MemoryRange GroupChecks::lookUp(std::uintptr_t base) const {
  if (base < nullPage) return {};
  if (shared_.contains(base)) return shared_;
  return launch_->buffers->find(base).value_or(everything);
}

bool GroupChecks::isQuietGlobal(const abi::CheckedSite& site, std::uintptr_t place, std::uintptr_t base,
                                std::uint64_t bytes, std::uint32_t item) noexcept {
  if ((site.object && site.object->kind != abi::CheckedKind::argument) || bytes > mostQuiet) return false;
  const Bounds& known = known_[bucketOf(base)];
  if (known.base != base || !known.range.contains(place, bytes) || known.range.last == everything.last ||
      shared_.contains(place))
    return false;
  const auto size = static_cast<std::size_t>(bytes);
  ShadowCell* const words = global_.wordsOf(place, size, base_);
  if (!words) return false;
  if (size == Shadow::wordBytes) return noteQuiet({words, 1}, site, item);
  return noteQuiet({words, size / Shadow::wordBytes}, site, item);
}

/// Items' own variables take turns at one place, and so may memory that nobody told us of.
bool GroupChecks::isGlobal(const abi::CheckedSite& site, const MemoryRange& memory) {
  using abi::CheckedKind;
  if (site.object && site.object->kind != CheckedKind::argument) return site.object->kind == CheckedKind::global;
  return memory.last != everything.last;
}

void* GroupChecks::spoilt(std::uint64_t bytes) {
  if (bytes > mostSpoilt) return nullptr;
  const std::size_t wanted = static_cast<std::size_t>(bytes) / sizeof(std::max_align_t) + 1;
  if (spoilt_.size() < wanted) spoilt_.resize(std::max<std::size_t>(wanted, 64));
  std::memset(spoilt_.data(), 0, static_cast<std::size_t>(bytes));
  return spoilt_.data();
}

void GroupChecks::touch(const abi::CheckedSite& site, std::uintptr_t address, std::uint64_t bytes,
                        const MemoryRange& memory, std::uint32_t item) {
  const bool known = item < items_.size();
  Touch now{.epoch = base_, .tick = 0, .time = time_, .item = abi::noItem, .site = &site};
  if (known) {
    now.epoch = items_[item].epoch;
    now.tick = items_[item].tick;
    now.item = item;
  }
  const bool writes = (site.does & abi::access::write) != 0, reads = (site.does & abi::access::read) != 0;
  std::optional<Touch> rival;
  std::uintptr_t rivalAt = 0, unwrittenAt = 0;
  std::size_t cells = 0, unwritten = 0;
  const bool shared = shared_.contains(address);
  const auto visit = [&](ShadowCell& cell, std::uintptr_t at) {
    ++cells;
    if (shared && reads && cell.write.epoch < base_ && unwritten++ == 0) unwrittenAt = at;
    const auto look = [&](const Touch& earlier) {
      if (rival || !conflicts(earlier, now)) return;
      if (!shared && !earlier.writesPlainly() && !now.writesPlainly()) return;
      rival = earlier;
      rivalAt = at;
    };
    look(cell.write);
    if (writes) {
      look(cell.reads[0]);
      look(cell.reads[1]);
    }
    if (writes || known) cell.note(now, writes);
  };
  if (shared) {
    shadow_.forCells(address - shared_.first, static_cast<std::size_t>(bytes), base_,
                     [&](ShadowCell& cell, std::size_t at) { visit(cell, shared_.first + at); });
  } else {
    global_.forCells(address, static_cast<std::size_t>(bytes), base_, visit);
  }
  const auto reportAt = [&](Finding::Kind kind, std::uintptr_t at) {
    Finding out = finding(kind, site, item);
    out.bytes = bytes;
    out.offset = static_cast<std::int64_t>(std::max(at, address) - memory.first);
    out.shared = shared;
    out.memoryBytes = memory.last - memory.first;
    if (rival && kind == Finding::Kind::race) {
      out.other = rival->site;
      out.otherItem = positionOf(rival->item);
    }
    report(out);
  };
  const bool neighbours = (site.does & abi::access::neighbours) != 0, padding = (site.does & abi::access::padding) != 0;
  if (unwritten != 0 && !neighbours && (!padding || unwritten == cells))
    reportAt(Finding::Kind::uninitialised, unwrittenAt);
  if (rival) reportAt(Finding::Kind::race, rivalAt);
}

bool GroupChecks::conflicts(const Touch& earlier, const Touch& now) const {
  if (earlier.epoch != now.epoch || earlier.item == now.item || apart_) return false;
  if (earlier.item == abi::noItem || now.item == abi::noItem) return false;
  if (earlier.isAtomic() && now.isAtomic()) return false;
  if (items_[earlier.item].ordered > earlier.time && items_[now.item].ordered > earlier.time) return false;
  const std::uint32_t subgroup = now.item / subgroupSize_;
  if (earlier.item / subgroupSize_ != subgroup || subgroup >= subgroups_.size()) return true;
  const Subgroup& ours = subgroups_[subgroup];
  return ours.group != base_ || earlier.tick > ours.clocks[now.item % subgroupSize_][earlier.item % subgroupSize_];
}

void GroupChecks::barrier(const abi::CheckedSite& site, std::uint32_t item) {
  if (item >= items_.size()) return;
  const std::size_t which = items_[item].epoch++ - base_;
  if (which == barriers_.size()) barriers_.push_back({.site = &site, .item = item});
  Barrier& at = barriers_[which];
  ++at.arrived;
  if (at.site == &site || at.other) return;
  at.other = &site;
  at.otherItem = item;
  apart_ = true;
}

GroupChecks::Subgroup& GroupChecks::subgroupOf(std::uint32_t item) {
  const std::size_t which = item / subgroupSize_;
  if (which >= subgroups_.size()) subgroups_.resize(items_.size() / subgroupSize_ + 1);
  Subgroup& out = subgroups_[which];
  if (out.group != base_) {
    out.group = base_;
    out.waiting = 0;
    for (std::uint32_t i = 0; i < subgroupSize_; ++i) std::fill_n(out.clocks[i].begin(), subgroupSize_, 0U);
  }
  return out;
}

void GroupChecks::meet(std::uint32_t item, std::uint64_t mask, std::uint32_t size) {
  if (item >= items_.size()) return;
  if (size != subgroupSize_) {
    subgroups_.clear();
    subgroupSize_ = size;
  }
  Subgroup& subgroup = subgroupOf(item);
  const std::uint32_t lane = item % subgroupSize_;
  subgroup.waiting |= std::uint64_t{1} << lane;
  subgroup.masks[lane] = mask | std::uint64_t{1} << lane;
}

/// The first who goes on finds all who met, for nobody goes on before.
void GroupChecks::met(std::uint32_t item) {
  if (item >= items_.size()) return;
  Subgroup& subgroup = subgroupOf(item);
  const std::uint32_t lane = item % subgroupSize_, first = item - lane;
  if ((subgroup.waiting >> lane & 1U) == 0) return;
  const std::uint64_t together = subgroup.waiting & subgroup.masks[lane];
  subgroup.waiting &= ~together;
  std::array<std::uint32_t, mostSubgroupItems> joined{};
  for (std::uint32_t i = 0; i < subgroupSize_; ++i) {
    if ((together >> i & 1U) == 0) continue;
    subgroup.clocks[i][i] = items_[first + i].tick++;
    for (std::uint32_t j = 0; j < subgroupSize_; ++j) joined[j] = std::max(joined[j], subgroup.clocks[i][j]);
  }
  for (std::uint32_t i = 0; i < subgroupSize_; ++i) {
    if ((together >> i & 1U) != 0) std::copy_n(joined.begin(), subgroupSize_, subgroup.clocks[i].begin());
  }
}

void GroupChecks::fence(std::uint32_t item) {
  if (item >= items_.size()) return;
  Item& at = items_[item];
  at.fenced = true;
  if (at.atomic) at.ordered = ++time_;
}

bool GroupChecks::wait(const abi::CheckedSite& site, std::uint32_t item) {
  if (!wait_.again()) return true;
  Finding endless = finding(Finding::Kind::wait, site, item);
  endless.waited = launch_->waits.patience;
  report(endless);
  return false;
}

void GroupChecks::noteAtomic(Item& item, bool orders) {
  item.atomic = true;
  if (item.fenced || orders) item.ordered = ++time_;
}

Finding::Position GroupChecks::positionOf(std::uint32_t item) const {
  const std::uint32_t* const size = groups_->groupSize;
  return {item % size[0], item / size[0] % size[1], item / size[0] / size[1]};
}

Finding GroupChecks::finding(Finding::Kind kind, const abi::CheckedSite& site, std::uint32_t item) const {
  Finding out{.kind = kind, .site = &site, .group = group_};
  out.itemKnown = item != abi::noItem;
  if (out.itemKnown) out.item = positionOf(item);
  return out;
}

}  // namespace lathe::detail
