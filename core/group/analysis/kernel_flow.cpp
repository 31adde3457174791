// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Apart: from where items part until they all wait at one barrier of the group, they run the code between at different
// times. What they load there may differ although the address does not, and so may what the heads of loops choose. What
// they load may differ, too, where they order memory among themselves, until the next barrier of the group.
#include "core/group/analysis/kernel_flow.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

namespace lathe::detail {
namespace {

/// Adds the blocks of `regions`; true if that is more than before.
bool addBlocks(const RegionGraph& graph, llvm::ArrayRef<unsigned> regions, TimeDependence& found) {
  bool grew = false;
  for (const unsigned number : regions)
    for (const llvm::BasicBlock* block : graph.regions()[number].blocks) grew |= found.loads.insert(block).second;
  return grew;
}

class ApartFinder {
 public:
  ApartFinder(const RegionGraph& graph, const GroupUniformity& uniformity, TimeDependence& found)
      : graph_(graph), uniformity_(uniformity), found_(found) {}

  /// Adds what is known now; true if that is more than before.
  bool run() {
    const std::size_t before = found_.loads.size() + found_.heads.size();
    for (const Region& region : graph_.regions()) {
      if (!region.partings.empty()) partFrom(region.partings);
      if (!region.mixings.empty()) partFrom(region.mixings);
    }
    addHeads();
    return found_.loads.size() + found_.heads.size() > before;
  }

 private:
  using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 32>;

  void partFrom(llvm::ArrayRef<const llvm::BasicBlock*> partings) {
    llvm::SmallVector<const llvm::BasicBlock*> work;
    for (const llvm::BasicBlock* block : partings) llvm::append_range(work, llvm::successors(block));
    Blocks behind;
    llvm::SmallSetVector<unsigned, 8> ways;
    while (!work.empty()) {
      const llvm::BasicBlock* const block = work.pop_back_val();
      if (!behind.insert(block).second) continue;
      if (const auto continuation = graph_.continuationOf(*block)) {
        ways.insert(*continuation);
      } else {
        llvm::append_range(work, llvm::successors(block));
      }
    }
    apart_.insert(behind.begin(), behind.end());
    for (const unsigned number : regionsApart(ways.getArrayRef())) {
      apart_.insert(graph_.regions()[number].blocks.begin(), graph_.regions()[number].blocks.end());
      (void)addBlocks(graph_, number, found_);
    }
  }

  /// What items can run until they meet at the one barrier of the group that all `ways` lead to. If these lead to
  /// several, which items then pass at the same time, everything behind.
  llvm::SmallVector<unsigned, 8> regionsApart(llvm::ArrayRef<unsigned> ways) const {
    RegionGraph::Stretch stretch = graph_.untilGroupBarrier(ways);
    if (stretch.barriers.size() < 2) return stretch.regions.takeVector();
    llvm::SmallSetVector<unsigned, 8> all(ways.begin(), ways.end());
    for (std::size_t i = 0; i < all.size(); ++i) {  // grows; of 0, nothing
      if (all[i] != 0) all.insert(graph_.regions()[all[i]].next.begin(), graph_.regions()[all[i]].next.end());
    }
    all.remove(0);
    return all.takeVector();
  }

  /// Loops that items reach or go round while they are apart, and in which they can wait.
  void addHeads() {
    llvm::SmallVector<const llvm::Cycle*> cycles(uniformity_.cycles().toplevel_cycles());
    while (!cycles.empty()) {
      const llvm::Cycle* const cycle = cycles.pop_back_val();
      llvm::append_range(cycles, cycle->children());
      const bool waits = llvm::any_of(graph_.regions(), [&](const Region& region) {
        return graph_.regionAt(*region.entry) != 0 && cycle->contains(region.entry);
      });
      const auto isApart = [&](const llvm::BasicBlock* head) { return apart_.contains(head); };
      if (waits && llvm::any_of(cycle->getEntries(), isApart)) {
        found_.heads.insert(cycle->getEntries().begin(), cycle->getEntries().end());
      }
    }
  }

  const RegionGraph& graph_;
  const GroupUniformity& uniformity_;
  TimeDependence& found_;
  Blocks apart_;
};

/// Adds what is behind a block that orders memory; true if there is any.
bool addOrdered(const RegionGraph& graph, TimeDependence& found) {
  bool grew = false;
  for (unsigned number = 0; number < graph.regions().size(); ++number) {
    const Region& region = graph.regions()[number];
    if (llvm::none_of(region.blocks, [](const llvm::BasicBlock* block) { return ordersMemory(*block); })) continue;
    grew |= addBlocks(graph, number, found);
    grew |= addBlocks(graph, graph.untilGroupBarrier(region.next).regions.getArrayRef(), found);
  }
  return grew;
}

}  // namespace

KernelFlow::KernelFlow(llvm::Function& function, llvm::ArrayRef<SplitPoint> splits) {
  TimeDependence dependence;
  bool isFirst = true, grew = false;
  do {
    uniformity_ = std::make_unique<GroupUniformity>(function, dependence);
    graph_ = std::make_unique<RegionGraph>(function, splits, *uniformity_);
    grew = isFirst && addOrdered(*graph_, dependence);  // regions are the same every time
    isFirst = false;
  } while (grew || ((graph_->parts() || graph_->mixes()) && ApartFinder(*graph_, *uniformity_, dependence).run()));
}

}  // namespace lathe::detail
