// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a kernel that has been cut: which values are the same for all items, and where items go.
//
// The two depend on each other. Where items part and wait at different splits, some go round a loop while others are
// still in an earlier iteration: a counter of iterations, the same for all items that take an iteration together, then
// has several values at one time, and which way its value leads may part items again.
#pragma once

#include <memory>

#include "core/group/analysis/regions.h"
#include "core/group/analysis/uniformity.h"

namespace lathe::detail {

class KernelFlow {
 public:
  KernelFlow(llvm::Function& function, llvm::ArrayRef<SplitPoint> splits);

  [[nodiscard]] const GroupUniformity& uniformity() const { return *uniformity_; }
  [[nodiscard]] const RegionGraph& graph() const { return *graph_; }

 private:
  std::unique_ptr<GroupUniformity> uniformity_;
  std::unique_ptr<RegionGraph> graph_;
};

}  // namespace lathe::detail
