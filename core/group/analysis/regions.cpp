// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reachability between split points, and which branches decide where an item goes next.
#include "core/group/analysis/regions.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/analysis/uniformity.h"

namespace lathe::detail {

RegionGraph::RegionGraph(llvm::Function& function, llvm::ArrayRef<SplitPoint> splits,
                         const GroupUniformity& uniformity) {
  regions_.resize(splits.size() + 1);
  regions_[0].entry = &function.getEntryBlock();
  kinds_.push_back(SplitKind::speed);
  for (std::size_t i = 0; i < splits.size(); ++i) {
    regions_[i + 1].entry = splits[i].entry;
    kinds_.push_back(splits[i].kind);
    const auto first = deviceCallOf(splits[i].entry->front());
    hasSubgroups_ |= splits[i].kind == SplitKind::subgroup;
    asksWhoConverged_ |= first && first->entry == DeviceEntry::subgroupConverged;
    entries_[splits[i].entry] = static_cast<unsigned>(i + 1);
  }
  const llvm::PostDominatorTree meetings(function);
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> mixing;
  for (llvm::BasicBlock& block : function)
    if (uniformity.branchDiverges(block) && mixes(block, uniformity.cycles())) mixing.insert(&block);
  for (Region& region : regions_) {
    region.blocks = blocksFrom(*region.entry, nullptr);
    region.next = continuationsOf(region.blocks.getArrayRef());
    llvm::copy_if(region.blocks, std::back_inserter(region.mixings),
                  [&](const llvm::BasicBlock* block) { return mixing.contains(block); });
    if (region.next.size() > 1) findAgreement(region, uniformity, meetings);
  }
}

std::optional<unsigned> RegionGraph::continuationOf(const llvm::BasicBlock& block) const {
  if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) return 0;
  const llvm::BasicBlock* const next = block.getSingleSuccessor();
  const unsigned region = next ? regionAt(*next) : 0;
  return region ? std::optional(region) : std::nullopt;
}

bool RegionGraph::diverges() const {
  return llvm::any_of(regions_, [](const Region& region) { return !region.agrees; });
}

bool RegionGraph::parts() const {
  return llvm::any_of(regions_, [](const Region& region) { return !region.onlyReturnsDiverge; });
}

bool RegionGraph::mixes() const {
  return llvm::any_of(regions_, [](const Region& region) { return !region.mixings.empty(); });
}

RegionGraph::Stretch RegionGraph::untilGroupBarrier(llvm::ArrayRef<unsigned> ways) const {
  Stretch out;
  const auto add = [&](unsigned next) {
    if (next == 0) return;
    if (kindOf(next) == SplitKind::group) {
      out.barriers.insert(next);
    } else {
      out.regions.insert(next);
    }
  };
  llvm::for_each(ways, add);
  for (std::size_t i = 0; i < out.regions.size(); ++i) llvm::for_each(regions_[out.regions[i]].next, add);  // grows
  return out;
}

bool RegionGraph::keepsStep() const {
  const auto staysTogether = [&](const Region& region) {
    return region.agrees || llvm::count_if(region.next, [&](unsigned next) {
                              return next != 0 && kindOf(next) != SplitKind::group;
                            }) < 2;
  };
  return llvm::all_of(regions_, [&](const Region& region) {
    if (region.partings.empty()) return true;
    const Stretch behind = untilGroupBarrier(region.next);
    return behind.barriers.size() < 2 && staysTogether(region) &&
           llvm::all_of(behind.regions, [&](unsigned number) { return staysTogether(regions_[number]); });
  });
}

bool RegionGraph::repeats(unsigned region) const {
  llvm::SmallVector<unsigned, 4> work = regions_[region].next;
  std::vector<bool> seen(regions_.size());
  while (!work.empty()) {
    const unsigned at = work.pop_back_val();
    if (at == 0 || seen[at]) continue;
    if (at == region) return true;
    seen[at] = true;
    work.append(regions_[at].next);
  }
  return false;
}

llvm::SetVector<llvm::BasicBlock*> RegionGraph::blocksFrom(llvm::BasicBlock& from,
                                                           const llvm::BasicBlock* avoided) const {
  llvm::SetVector<llvm::BasicBlock*> out;
  out.insert(&from);
  for (std::size_t i = 0; i < out.size(); ++i) {  // grows
    llvm::BasicBlock* const block = out[i];
    if (continuationOf(*block)) continue;
    for (llvm::BasicBlock* successor : llvm::successors(block))
      if (successor != avoided) out.insert(successor);
  }
  return out;
}

llvm::SmallVector<unsigned, 4> RegionGraph::continuationsOf(llvm::ArrayRef<llvm::BasicBlock*> blocks) const {
  llvm::SmallVector<unsigned, 4> out;
  for (const llvm::BasicBlock* block : blocks)
    if (const auto continuation = continuationOf(*block); continuation && !llvm::is_contained(out, *continuation))
      out.push_back(*continuation);
  llvm::sort(out);
  return out;
}

llvm::SmallVector<unsigned, 4> RegionGraph::reachable(llvm::BasicBlock& from, const llvm::BasicBlock* avoided) const {
  return continuationsOf(blocksFrom(from, avoided).getArrayRef());
}

bool RegionGraph::goesOn(llvm::ArrayRef<llvm::BasicBlock*> blocks) const {
  return llvm::any_of(blocks, [&](const llvm::BasicBlock* block) { return continuationOf(*block).value_or(0) != 0; });
}

bool RegionGraph::mixes(llvm::BasicBlock& block, const llvm::CycleInfo& cycles) const {
  llvm::SmallVector<const llvm::Cycle*, 4> around;
  for (const llvm::Cycle* cycle = cycles.getCycle(&block); cycle; cycle = cycle->getParentCycle()) {
    const auto waitsIn = [&](const auto& split) { return cycle->contains(split.first); };
    if (llvm::any_of(entries_, waitsIn)) around.push_back(cycle);
  }
  if (around.empty()) return false;
  // What is behind each successor that does not only return, in front of the next splits; the successor is the first.
  using Way = llvm::SetVector<llvm::BasicBlock*>;
  llvm::SmallVector<Way> ways;
  const llvm::SmallPtrSet<llvm::BasicBlock*, 4> targets(llvm::from_range, llvm::successors(&block));
  for (llvm::BasicBlock* target : targets) {
    Way way = blocksFrom(*target, nullptr);
    if (goesOn(way.getArrayRef())) ways.push_back(std::move(way));
  }
  const auto differ = [&](const Way& one, const Way& other, llvm::BasicBlock* entry) {
    if (!one.contains(entry)) return false;
    if (!other.contains(entry)) return true;
    return llvm::any_of(llvm::predecessors(entry), [&](llvm::BasicBlock* before) {
      return before == &block ? one.front() == entry && other.front() != entry
                              : one.contains(before) && !continuationOf(*before) && !other.contains(before);
    });
  };
  for (const llvm::Cycle* cycle : around)
    for (llvm::BasicBlock* entry : cycle->getEntries())
      for (const Way& one : ways)
        for (const Way& other : ways)
          if (&one != &other && differ(one, other, entry)) return true;
  return false;
}

void RegionGraph::findAgreement(Region& region, const GroupUniformity& uniformity,
                                const llvm::PostDominatorTree& meetings) const {
  const bool oneWayOn = region.next.size() == 2 && region.next.front() == 0;
  for (llvm::BasicBlock* block : region.blocks) {
    if (!uniformity.branchDiverges(*block)) continue;
    // Items meet again, within the region, at a block that every way out of here passes.
    const llvm::DomTreeNode* const node = meetings.getNode(block);
    llvm::BasicBlock* const meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    const bool meet = meeting && region.blocks.contains(meeting) && reachable(*block, meeting).empty();
    if (meet || reachable(*block, nullptr).size() < 2) continue;
    region.agrees = false;
    const auto leadsOn = [&](llvm::BasicBlock* successor) {
      return goesOn(blocksFrom(*successor, nullptr).getArrayRef());
    };
    llvm::SmallPtrSet<llvm::BasicBlock*, 4> targets(llvm::from_range, llvm::successors(block));
    if (oneWayOn || llvm::count_if(targets, leadsOn) < 2) continue;
    region.onlyReturnsDiverge = false;
    region.partings.push_back(block);
  }
}

}  // namespace lathe::detail
