// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with data: what every peer runs, sized, launched and compared in one way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lathe/image.h>
#include <lathe/runtime.h>

#include "kernels.h"
#include "measure.h"

namespace lathe::bench {

/// A kernel argument: a buffer's index, or a 32-bit value.
struct Argument {
  bool isBuffer = false;
  std::uint32_t bits = 0;  ///< the value, or the index
};

struct Workload {
  std::string kernel;
  std::string label;                 ///< "4096 × 4096"
  unsigned size = 0;                 ///< elements of a line, or of an edge
  std::vector<std::size_t> buffers;  ///< floats in each; the last one is the output
  std::vector<Argument> arguments;
  Extent3 grid, group;
  /// Elements of the output that stand for its sums: results of groups, of which each peer has its own number. Compared
  /// are the sums over all places equal modulo this. 0: compare element by element.
  unsigned folds = 0;
  double tolerance = 0;  ///< relative, of the comparison

  [[nodiscard]] LaunchOptions launch() const { return {.grid = grid, .group = group}; }
};

/// A kernel of computeKernels() or hostKernels() with `size` elements, rows, bodies or points on an edge, a multiple of
/// 256, for squares of 64. reduceTree and histogram walk their array with the grid's stride: `fillingGroups` are enough
/// to keep the device busy.
[[nodiscard]] Workload makeWorkload(std::string_view kernel, unsigned size, unsigned fillingGroups);

/// An image of the kernel, its text unique, by `lathe compile` in a process of its own; `target` as the tool takes it.
[[nodiscard]] Image compileWithTool(const ScratchFolder& folder, const KernelSource& kernel, const std::string& target);

/// Input values for one buffer: the same in every run, between -1 and 1.
void fillInput(std::span<float> values, unsigned buffer);

/// The workload by the hand-written code of cpu_reference.h on all processors; `memory` is its buffers, in order.
void runOnHost(const Workload& workload, std::span<float* const> memory);

/// The largest relative difference of two outputs of one workload, by its own measure.
[[nodiscard]] double difference(const Workload& workload, std::span<const float> one, std::span<const float> other);

/// Argument pointers for RawKernel::launch and cuLaunchKernel, which point into this object.
class ArgumentBlock {
 public:
  ArgumentBlock(const Workload& workload, std::span<void* const> addresses);
  ArgumentBlock(const ArgumentBlock&) = delete;
  ArgumentBlock& operator=(const ArgumentBlock&) = delete;
  [[nodiscard]] std::span<const void* const> pointers() const noexcept { return pointers_; }

 private:
  std::vector<std::uint64_t> values_;
  std::vector<const void*> pointers_;
};

}  // namespace lathe::bench
