// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values and branches are the same for all items of a group. LLVM's uniformity analysis does the work (control
// dependence and temporal divergence included); this says where divergence begins on a machine without items.
#pragma once

#include <memory>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"

namespace lathe::detail {

/// Of a function that only computes: its result is the same for all items of a launch that ask alike.
inline constexpr const char* ofLaunchAttribute = "lathe.of-launch";

/// Where items may be at different times, so that what would be the same for all of them at one time is not.
struct TimeDependence {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> loads;  ///< blocks whose loads may read different states of memory
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8>
      heads;  ///< heads of loops in which items may be at different iterations
};

/// `block` may put an item's loads behind what another item has stored since the last barrier: by a fence, an atomic
/// operation that acquires, or one that locks are made of (an exchange, in whatever order), in it or in what it calls.
[[nodiscard]] bool ordersMemory(const llvm::BasicBlock& block);

class GroupUniformity {
 public:
  explicit GroupUniformity(llvm::Function& function, const TimeDependence& dependence = {});

  /// `value` is the same for all items that compute it together, wherever it is used: a value that counts the
  /// iterations of a loop which items leave one by one is not.
  [[nodiscard]] bool isUniform(const llvm::Value& value) const {
    if (llvm::isa<llvm::Constant>(value)) return true;  // of some there is no list of uses
    return llvm::none_of(value.uses(), [&](const llvm::Use& use) { return info_->isDivergentUse(use); }) &&
           info_->isUniform(&value);
  }
  /// Items may leave `block` in different directions.
  [[nodiscard]] bool branchDiverges(const llvm::BasicBlock& block) const {
    return info_->hasDivergentTerminator(block);
  }
  [[nodiscard]] const llvm::DominatorTree& dominators() const { return dominators_; }
  [[nodiscard]] const llvm::CycleInfo& cycles() const { return cycles_; }

 private:
  llvm::DominatorTree dominators_;
  llvm::CycleInfo cycles_;
  llvm::TargetTransformInfo sources_;
  std::unique_ptr<llvm::UniformityInfo> info_;
};

}  // namespace lathe::detail
