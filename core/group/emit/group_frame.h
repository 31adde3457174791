// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a group's function that all its groups share: stack slots, extents, and the arrays of the context block.
#pragma once

#include <array>
#include <map>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

#include "core/group/analysis/live_across_barriers.h"
#include "core/group/entry/group_function.h"

namespace lathe::detail {

class RegionGraph;

/// What all regions of one group share.
class GroupFrame {
 public:
  /// `joined`: the groups of a call are run as one, as seesGridAlongX() allows.
  GroupFrame(GroupFunction& group, const RegionGraph& graph, const LiveAcrossBarriers& live, bool joined);

  [[nodiscard]] llvm::Function& function() const { return *group_.function; }
  [[nodiscard]] const std::array<llvm::Value*, 3>& sizes() const { return sizes_; }
  [[nodiscard]] llvm::AllocaInst* onceSlot(const llvm::Instruction& value) const { return once_.lookup(&value); }
  /// A private variable that items use one after another; null if each has its own.
  [[nodiscard]] llvm::AllocaInst* sharedPrivate(const llvm::Instruction& variable) const {
    return private_.lookup(&variable);
  }
  [[nodiscard]] bool privateEscapes() const { return privateEscapes_; }
  /// Element `index` of a context array.
  llvm::Value* element(llvm::IRBuilder<>& builder, const ContextArray& array, llvm::Value* index) const;
  /// Items of a group, or of all of a call's groups if they are run as one; i64.
  [[nodiscard]] llvm::Value* items() const { return items_; }
  [[nodiscard]] unsigned subgroupSize() const { return group_.subgroupSize; }
  /// The start of a context array.
  [[nodiscard]] llvm::Value* array(const ContextArray& array) const { return arrays_.at(array.offset); }
  /// The least and the greatest continuation that the items of the current region have chosen.
  [[nodiscard]] llvm::AllocaInst* least() const { return least_; }
  [[nodiscard]] llvm::AllocaInst* greatest() const { return greatest_; }
  /// Connects the frame with the code of a group, which begins at `first` and ends at `last`, a block without a
  /// terminator: from there on to the next group, or back to the caller.
  void close(llvm::BasicBlock& first, llvm::BasicBlock& last);

 private:
  GroupFunction& group_;
  bool joined_;
  llvm::BasicBlock* entry_;
  std::array<llvm::Value*, 3> sizes_{};
  llvm::Value* items_ = nullptr;
  llvm::Value* paddedItems_ = nullptr;
  llvm::DenseMap<const llvm::Instruction*, llvm::AllocaInst*> once_;
  llvm::DenseMap<const llvm::Instruction*, llvm::AllocaInst*> private_;
  std::map<std::uint64_t, llvm::Value*> arrays_;  // by offset
  llvm::AllocaInst* least_ = nullptr;
  llvm::AllocaInst* greatest_ = nullptr;
  bool privateEscapes_ = false;
};

}  // namespace lathe::detail
