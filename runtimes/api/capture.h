// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a stream keeps while it is given work for a graph.
#pragma once

#include <memory>
#include <vector>

#include "runtimes/common/driver.h"

namespace lathe::detail {

class Capture {
 public:
  /// `recorded`: the graph that takes the work; null: the driver takes it.
  explicit Capture(std::unique_ptr<GraphDriver> recorded) : recorded_(std::move(recorded)) {}
  [[nodiscard]] GraphDriver* recorded() const noexcept { return recorded_.get(); }
  /// A kernel that was queued for the driver's graph, which does not keep it.
  void keep(GraphDriver::Node kernel) { kernels_.push_back(std::move(kernel)); }
  /// The recorded graph, or `captured` with the kernels.
  [[nodiscard]] std::unique_ptr<GraphDriver> finish(std::unique_ptr<GraphDriver> captured) {
    if (recorded_) return std::move(recorded_);
    for (auto& kernel : kernels_) captured->note(std::move(kernel));
    return captured;
  }

 private:
  std::unique_ptr<GraphDriver> recorded_;
  std::vector<GraphDriver::Node> kernels_;
};

}  // namespace lathe::detail
