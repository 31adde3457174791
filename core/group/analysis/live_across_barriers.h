// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens to a value that is computed in one region and used in another.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace lathe::detail {

class GroupUniformity;
class RegionGraph;

enum class LiveRange {
  recomputed,  ///< cheap arithmetic on item ids, parameters and values kept once
  once,        ///< the same for all items: one place a group
  perItem,     ///< one place an item, in the launch's context block
};

/// An array of the context block: `size` bytes an item, from `offset` × padded items.
struct ContextArray {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

class LiveAcrossBarriers {
 public:
  LiveAcrossBarriers(llvm::Function& function, const RegionGraph& graph, const GroupUniformity& uniformity,
                     unsigned subgroupSize);

  /// Values that region `region` finds computed when it begins, in program order. Item ids and private variables are
  /// not among them: they are at hand everywhere.
  [[nodiscard]] llvm::ArrayRef<llvm::Instruction*> liveInto(unsigned region) const { return liveIn_[region]; }
  [[nodiscard]] LiveRange of(const llvm::Instruction& value) const { return kinds_.lookup(&value); }
  /// Where a perItem value or a private variable lives; null for a variable that no region leaves behind.
  [[nodiscard]] const ContextArray* arrayOf(const llvm::Instruction& value) const;
  /// Which continuation each item waits for; used where regions diverge.
  [[nodiscard]] const ContextArray& waiting() const { return waiting_; }
  /// The mask of each item that waits for its subgroup; used where regions are scheduled.
  [[nodiscard]] const ContextArray& masks() const { return masks_; }
  [[nodiscard]] std::uint64_t contextBytes() const { return contextBytes_; }

 private:
  void findLiveIns(llvm::Function& function, const RegionGraph& graph);
  void close(unsigned region);
  LiveRange classify(llvm::Instruction& value, const GroupUniformity& uniformity);
  void layOut(llvm::Function& function, const RegionGraph& graph, unsigned subgroupSize);

  std::vector<std::vector<llvm::Instruction*>> liveIn_;
  llvm::DenseMap<const llvm::Instruction*, LiveRange> kinds_;
  llvm::DenseMap<const llvm::Instruction*, ContextArray> arrays_;
  ContextArray waiting_;
  ContextArray masks_;
  std::uint64_t contextBytes_ = 0;
};

/// At hand wherever an item runs, so that it never has to cross: an item id or the address of a private variable.
[[nodiscard]] bool isAtHand(const llvm::Value& value);

}  // namespace lathe::detail
