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
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"

namespace llvm {
class PostDominatorTree;
}

namespace lathe::detail {

class GroupUniformity;

struct SplitPoint {
  /// First block behind the split: one predecessor, which does nothing but branch here, and no phis.
  llvm::BasicBlock* entry;
  /// A barrier of the source. Others were put there for speed and may be taken back.
  bool barrier;
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
};

class RegionGraph {
 public:
  RegionGraph(llvm::Function& function, llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity);

  [[nodiscard]] llvm::ArrayRef<Region> regions() const { return regions_; }
  /// Which region begins at `block`; 0 if none does.
  [[nodiscard]] unsigned regionAt(const llvm::BasicBlock& block) const { return entries_.lookup(&block); }
  /// The continuation at the end of `block`, if an item's run through a region ends there.
  [[nodiscard]] std::optional<unsigned> continuationOf(const llvm::BasicBlock& block) const;
  /// Some region leaves items waiting at different places.
  [[nodiscard]] bool diverges() const;
  /// `region` can run more than once.
  [[nodiscard]] bool repeats(unsigned region) const;

 private:
  /// Continuations reachable from `from` within a region, without passing `avoided`.
  llvm::SmallVector<unsigned, 4> reachable(const llvm::BasicBlock& from, const llvm::BasicBlock* avoided) const;
  void findBlocks(Region& region) const;
  void findAgreement(Region& region, const GroupUniformity& uniformity, const llvm::PostDominatorTree& meetings) const;

  std::vector<Region> regions_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> entries_;
};

}  // namespace lathe::detail
