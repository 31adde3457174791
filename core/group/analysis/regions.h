// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel cut into regions. A region begins at a split point (the kernel's entry, the code after a barrier, or a place
// that all items pass alike and that is worth cutting at) and holds every block reachable from there without passing
// another split point; a block reachable from several split points belongs to several regions.
#pragma once

#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/CycleInfo.h"

namespace llvm {
class PostDominatorTree;
}

namespace lathe::detail {

class GroupUniformity;

/// What items wait for at a split.
enum class SplitKind {
  speed,     ///< nothing: the split pays, and may be taken back
  group,     ///< all items of the group
  subgroup,  ///< the items of their subgroup that the mask names
};

struct SplitPoint {
  /// First block behind the split: one predecessor, which does nothing but branch here, and no phis. In front of that
  /// branch is the barrier's call, if it is a subgroup's.
  llvm::BasicBlock* entry;
  SplitKind kind;
};

/// Region 0 begins at the kernel's entry; region i > 0 at split point i - 1. As a continuation, 0 means "returned":
/// nothing branches to a kernel's entry.
struct Region {
  llvm::BasicBlock* entry = nullptr;
  llvm::SetVector<llvm::BasicBlock*> blocks;
  /// Where items go from here, in rising order.
  llvm::SmallVector<unsigned, 4> next;
  /// All items that run the region together go to the same continuation.
  bool agrees = true;
  /// Where `agrees` is false: items either return or go on to the same continuation at the same time.
  bool onlyReturnsDiverge = true;
  /// Blocks at whose ends items part, if they do more than return.
  llvm::SmallVector<const llvm::BasicBlock*, 2> partings;
  /// Blocks from whose ends items go round one loop, or into it again, by different ways: of those that wait at one
  /// split then, some are in another iteration than others.
  llvm::SmallVector<const llvm::BasicBlock*, 2> mixings;
};

class RegionGraph {
 public:
  RegionGraph(llvm::Function& function, llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity);

  [[nodiscard]] llvm::ArrayRef<Region> regions() const { return regions_; }
  /// Which region begins at `block`; 0 if none does.
  [[nodiscard]] unsigned regionAt(const llvm::BasicBlock& block) const { return entries_.lookup(&block); }
  /// The continuation at the end of `block`, if an item's run through a region ends there.
  [[nodiscard]] std::optional<unsigned> continuationOf(const llvm::BasicBlock& block) const;
  [[nodiscard]] SplitKind kindOf(unsigned region) const { return kinds_[region]; }
  /// Some region leaves items waiting at different places, or returned.
  [[nodiscard]] bool diverges() const;
  /// Some region leaves items waiting at different places.
  [[nodiscard]] bool parts() const;
  /// Some region leaves items waiting in different iterations of a loop.
  [[nodiscard]] bool mixes() const;
  /// Some split is a subgroup's barrier.
  [[nodiscard]] bool hasSubgroups() const { return hasSubgroups_; }
  /// Who may go on has to be found out while the kernel runs: schedule.h.
  [[nodiscard]] bool isScheduled() const { return (parts() && !keepsStep()) || (diverges() && asksWhoConverged_); }
  /// From some continuations on, what items can run before they come to a barrier of the group.
  struct Stretch {
    llvm::SmallSetVector<unsigned, 8> regions;
    llvm::SmallSetVector<unsigned, 4> barriers;
  };
  [[nodiscard]] Stretch untilGroupBarrier(llvm::ArrayRef<unsigned> ways) const;
  /// `region` can run more than once.
  [[nodiscard]] bool repeats(unsigned region) const;

 private:
  /// Where items part, some wait at a barrier of the group, and the rest stay together until they come to the same one.
  bool keepsStep() const;
  /// The blocks that items reach from the beginning of `from` up to the next splits, without passing `avoided`.
  llvm::SetVector<llvm::BasicBlock*> blocksFrom(llvm::BasicBlock& from, const llvm::BasicBlock* avoided) const;
  /// Where items go from the ends of `blocks`, in rising order.
  llvm::SmallVector<unsigned, 4> continuationsOf(llvm::ArrayRef<llvm::BasicBlock*> blocks) const;
  llvm::SmallVector<unsigned, 4> reachable(llvm::BasicBlock& from, const llvm::BasicBlock* avoided) const;
  /// Whether some of `blocks` leads to a split.
  bool goesOn(llvm::ArrayRef<llvm::BasicBlock*> blocks) const;
  /// Whether items that part at the end of `block` and go on come by different ways, in front of the next splits, to
  /// the entry of a loop around it in which they can wait.
  bool mixes(llvm::BasicBlock& block, const llvm::CycleInfo& cycles) const;
  void findAgreement(Region& region, const GroupUniformity& uniformity, const llvm::PostDominatorTree& meetings) const;

  std::vector<Region> regions_;
  std::vector<SplitKind> kinds_;  ///< by region; `speed` for the first
  bool hasSubgroups_ = false;
  bool asksWhoConverged_ = false;  ///< some code behind a subgroup's barrier
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> entries_;
};

}  // namespace lathe::detail
