// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with data: what every peer runs, sized, launched and compared in one way.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lathe/image.h>
#include <lathe/runtime.h>

#include "../kernels.h"
#include "../measure.h"

namespace lathe::bench {

/// A kernel argument: a buffer's index, or a 32-bit value.
struct Argument {
  bool isBuffer = false;
  std::uint32_t bits = 0;  ///< the value, or the index
};
[[nodiscard]] constexpr Argument buffer(unsigned index) {
  return {true, index};
}
[[nodiscard]] constexpr Argument value(unsigned number) {
  return {false, number};
}
[[nodiscard]] constexpr Argument value(float number) {
  return {false, std::bit_cast<std::uint32_t>(number)};
}

struct Workload {
  std::string kernel;
  std::string label;                 ///< "4096 × 4096"
  unsigned size = 0;                 ///< as the case has it
  std::vector<std::size_t> buffers;  ///< floats in each; the last one is the output
  std::vector<Argument> arguments;
  Extent3 grid, group;
  /// Elements of the output that stand for its sums: results of groups, of which each peer has its own number. Compared
  /// are the sums over all places equal modulo this. 0: compare element by element.
  unsigned folds = 0;
  double tolerance = 0;  ///< relative, of the comparison
  double scale = 1;      ///< errors are relative to the result, or to this where the result is smaller

  [[nodiscard]] LaunchOptions launch() const { return {.grid = grid, .group = group}; }
};

using BufferSizes = std::vector<std::size_t>;
using ArgumentList = std::vector<Argument>;

/// An item for each of `n` elements, in groups of lineGroup.
[[nodiscard]] Workload lines(unsigned n, BufferSizes buffers, ArgumentList arguments, double tolerance);
/// A group of `items` for each of `n` rows.
[[nodiscard]] Workload rows(unsigned n, unsigned items, BufferSizes buffers, ArgumentList arguments, double tolerance);
/// An item for each point of a square or a cube, whose edges the group divides.
[[nodiscard]] Workload squares(unsigned n, Extent3 group, BufferSizes buffers, ArgumentList arguments,
                               double tolerance);
[[nodiscard]] Workload cubes(unsigned n, Extent3 group, BufferSizes buffers, ArgumentList arguments, double tolerance);
/// At most `groups` groups that walk `n` elements with the grid's stride, each of which gives `folds` sums.
[[nodiscard]] Workload folded(unsigned n, unsigned groups, unsigned folds, double tolerance);
/// Each result is a sum of `terms` products, whose errors grow with the terms.
[[nodiscard]] Workload sums(Workload workload, unsigned terms);
/// Compares the sum of all results.
[[nodiscard]] Workload total(Workload workload);

/// Input values for one buffer: the same in every run, between -1 and 1.
void fillInput(std::span<float> values, unsigned buffer);

/// The workload by the hand-written code of reference/ on all processors; `memory` is its buffers, in order.
void runOnHost(const Workload& workload, std::span<float* const> memory);

/// The largest relative difference of two outputs of one workload, by its own measure.
[[nodiscard]] double difference(const Workload& workload, std::span<const float> one, std::span<const float> other);

/// Argument pointers for RawKernel::launch, which point into this object.
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
