// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a compile as its caller hears of them.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>

#include <lathe/compiler.h>

#include "core/driver/pipelines.h"

namespace lathe::detail {

/// Counts steps, the front end and each stage of the target's list, and tells `told` of those that do something.
class ProgressReport {
 public:
  /// `told` must live as long as this; empty: nobody hears.
  explicit ProgressReport(const std::function<void(const CompileProgress&)>& told) : told_(told) {}
  /// The front end begins, of a compile by the stages of list `kind`.
  void begins(PipelineKind kind) const {
    if (isHeard()) told_({"frontend", 0, 1 + count(stages(), kind)});
  }
  /// One of them begins.
  void begins(const Stage& stage, PipelineKind kind) const {
    if (!isHeard()) return;
    const std::span<const Stage> all = stages();
    const std::span<const Stage> before = all.first(static_cast<std::size_t>(&stage - all.data()));
    told_({std::string(stage.name), 1 + count(before, kind), 1 + count(all, kind)});
  }
  /// Nothing more is told: what comes is for a better error.
  void end() { ended_ = true; }

 private:
  static std::uint32_t count(std::span<const Stage> some, PipelineKind kind) {
    return static_cast<std::uint32_t>(
        std::ranges::count_if(some, [&](const Stage& stage) { return stage.isIn(kind); }));
  }
  [[nodiscard]] bool isHeard() const { return told_ && !ended_; }

  const std::function<void(const CompileProgress&)>& told_;
  bool ended_ = false;
};

}  // namespace lathe::detail
