// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One region of a kernel as an item loop of the group's function.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "core/group/analysis/regions.h"
#include "core/group/emit/group_frame.h"
#include "core/group/emit/item_loop.h"

namespace lathe::detail {

/// One copy of one region.
class RegionCopy {
 public:
  RegionCopy(GroupFrame& frame, const RegionGraph& graph, const LiveAcrossBarriers& live, unsigned region,
             bool tracked);

  /// Emits the items' code. `alone`: one run stands for all items.
  void emit(bool alone);

  [[nodiscard]] llvm::BasicBlock* begin() const { return loop_.before; }
  [[nodiscard]] llvm::BasicBlock* after() const { return loop_.after; }

 private:
  const Region& region() const { return graph_.regions()[number_]; }
  /// Items of this copy record where they go.
  bool records() const { return tracked_ || !region().agrees; }
  /// The code behind the loop asks where the items go: not where schedule.h says who is next.
  bool compares() const { return records() && !(tracked_ && graph_.isScheduled()); }

  void beginItems();
  llvm::Value* entryValue(llvm::Instruction& value);
  llvm::Value* atHand(llvm::Instruction& value);
  void cloneBlocks();
  void finishPhis();
  llvm::Value* wideId(const llvm::Instruction& value) const;
  llvm::Value* convergedItems(llvm::CallInst& call);
  void finishDebugRecords(llvm::Instruction& instruction);
  void endItems();
  void endItem(llvm::BasicBlock& original, unsigned continuation);
  void noteContinuation(llvm::IRBuilder<>& builder, llvm::BasicBlock& block, unsigned continuation);
  void keepValues(llvm::IRBuilder<>& builder, llvm::BasicBlock& block, unsigned continuation);
  llvm::SSAUpdater* updaterOf(llvm::Instruction& value);
  void repairValues();
  void skipIdleItems();
  void removeLoop();
  void tagAccesses();
  void removeUnused();
  bool mayBeSharedPrivate(const llvm::Value& pointer) const;
  llvm::Value* loadKept(llvm::IRBuilder<>& builder, llvm::Instruction& value);

  GroupFrame& frame_;
  const RegionGraph& graph_;
  const LiveAcrossBarriers& live_;
  unsigned number_;
  bool tracked_;
  ItemLoop loop_;
  llvm::BasicBlock* run_ = nullptr;  ///< where an item that takes part begins
  llvm::Instruction* runEnd_ = nullptr;
  llvm::PHINode* choice_ = nullptr;
  llvm::ValueToValueMapTy clones_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> entry_;  ///< values as the region finds them
  std::vector<llvm::BasicBlock*> blocks_;
  std::map<llvm::Instruction*, std::unique_ptr<llvm::SSAUpdater>> updaters_;
};

}  // namespace lathe::detail
