// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, launches and comparisons of the kernels.
#include "workload.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "cpu_reference.h"

namespace lathe::bench {

#ifdef LATHE_BENCH_NATIVE
extern const CpuReference cpuReference_native;
const CpuReference& cpuReference() {
  return cpuReference_native;
}
#else
extern const CpuReference cpuReference_x86_64_v3;
extern const CpuReference cpuReference_x86_64_v4;
const CpuReference& cpuReference() {
  return __builtin_cpu_supports("x86-64-v4") ? cpuReference_x86_64_v4 : cpuReference_x86_64_v3;
}
#endif

namespace {

constexpr Argument buffer(unsigned index) {
  return {true, index};
}
constexpr Argument value(unsigned number) {
  return {false, number};
}
Argument value(float number) {
  return {false, std::bit_cast<std::uint32_t>(number)};
}

/// What a kernel reads and writes, in units of its size or area.
struct Shape {
  std::string_view kernel;
  std::vector<std::size_t> buffers;
  std::vector<Argument> arguments;
  Extent3 group;
  double tolerance;
};

/// A group for each 256 elements.
Workload line(std::string_view kernel, unsigned n, unsigned fillingGroups) {
  const std::size_t all = n;
  const unsigned groups = (n + lineGroup - 1) / lineGroup, filling = std::min(fillingGroups, groups);
  const Shape shapes[] = {
      {"saxpy", {all, all, all}, {value(n), value(saxpyFactor), buffer(0), buffer(1), buffer(2)}, {}, 1e-6},
      {"reduceTree", {all, filling}, {value(n), buffer(0), buffer(1)}, {}, 1e-4},
      {"convolve", {all, 17, all}, {value(n), buffer(0), buffer(1), buffer(2)}, {}, 1e-5},
      {"scanBlocks", {all, all}, {value(n), buffer(0), buffer(1)}, {}, 1e-4},
      {"bitonicSort", {all, all}, {value(n), buffer(0), buffer(1)}, {}, 0},
      {"blackScholes", {all, all, all}, {value(n), buffer(0), buffer(1), buffer(2)}, {}, 1e-4},
      {"nbodyStep", {4 * all, 3 * all}, {value(n), buffer(0), buffer(1)}, {}, 1e-3},
      {"histogram", {all, std::size_t{filling} * 256}, {value(n), buffer(0), buffer(1)}, {}, 0},
      {"spmv",
       {spmvWidth * all, spmvWidth * all, all, all},
       {value(n), buffer(0), buffer(1), buffer(2), buffer(3)},
       {},
       1e-4},
      {"heatSteps", {all, all}, {value(heatSteps), buffer(0), buffer(1)}, {}, 1e-5},
      {"softmaxRows",
       {all * softmaxColumns, all * softmaxColumns},
       {value(softmaxColumns), buffer(0), buffer(1)},
       {},
       1e-5},
  };
  const auto* const shape = std::ranges::find(shapes, kernel, &Shape::kernel);
  if (shape == std::end(shapes)) fail("workload: no kernel is called " + std::string(kernel));
  Workload out;
  out.buffers = shape->buffers;
  out.arguments = shape->arguments;
  out.tolerance = shape->tolerance;
  out.label = std::to_string(n);
  out.group = {lineGroup};
  out.grid = {groups};
  if (kernel == "softmaxRows") out.grid = {n};
  if (kernel == "reduceTree" || kernel == "histogram") {
    out.grid = {filling};
    out.folds = kernel == "histogram" ? 256 : 1;
  }
  return out;
}

/// Groups of two dimensions; nothing if the kernel is none of these.
std::optional<Workload> square(std::string_view kernel, unsigned n) {
  const std::size_t area = std::size_t{n} * n;
  const Shape shapes[] = {
      {"stencil", {area, area}, {value(n), value(n), buffer(0), buffer(1)}, {stencilGroupX, stencilGroupY}, 1e-5},
      {"matmul", {area, area, area}, {value(n), buffer(0), buffer(1), buffer(2)}, {matmulTile, matmulTile}, 1e-4},
      {"transpose", {area, area}, {value(n), buffer(0), buffer(1)}, {16, 16}, 0},
      // A point at the very edge may leave a step earlier or later, by rounding.
      {"escapeTime", {area}, {value(n), value(escapeLimit), buffer(0)}, {16, 16}, 1e-3},
      {"dct8", {64, area, area}, {value(n), buffer(0), buffer(1), buffer(2)}, {8, 8}, 1e-5},
  };
  const auto* const shape = std::ranges::find(shapes, kernel, &Shape::kernel);
  if (shape == std::end(shapes)) return {};
  if (n % stencilGroupX != 0) fail("workload: edges are multiples of " + std::to_string(stencilGroupX));
  Workload out;
  out.buffers = shape->buffers;
  out.arguments = shape->arguments;
  out.tolerance = shape->tolerance;
  out.label = std::to_string(n) + " × " + std::to_string(n);
  out.group = shape->group;
  out.grid = {n / out.group.x, n / out.group.y};
  if (kernel == "escapeTime") out.folds = 1;
  return out;
}

}  // namespace

Workload makeWorkload(std::string_view kernel, unsigned size, unsigned fillingGroups) {
  auto area = square(kernel, size);
  Workload out = area ? *std::move(area) : line(kernel, size, fillingGroups);
  out.kernel = kernel;
  out.size = size;
  return out;
}

Image compileWithTool(const ScratchFolder& folder, const KernelSource& kernel, const std::string& target) {
  const std::string name(kernel.name);
  const std::string source = folder.write(name + ".cu", uniqueText(kernel)), out = folder.path(name + ".limg");
  const ChildResult child = runChild({toolPath(), "compile", source, "--target", target, "-o", out}, true);
  if (!child.ok)
    fail("lathe: " + name + " does not compile for " + target + " ($LATHE_TOOL names the tool):\n" + child.output);
  return need(Image::open(out));
}

void fillInput(std::span<float> values, unsigned buffer) {
  std::uint32_t state = 0x9e3779b9u + buffer;
  for (float& out : values) {
    state = state * 1664525u + 1013904223u;
    out = float(std::int32_t(state)) * 0x1p-31f;
  }
}

void runOnHost(const Workload& workload, std::span<float* const> memory) {
  for (const HostKernel* list : {cpuReference().streaming, cpuReference().grouped}) {
    for (const HostKernel* kernel = list; kernel->name; ++kernel)
      if (workload.kernel == kernel->name) return kernel->run(workload.size, memory.data());
  }
  fail("workload: nothing is written by hand for " + workload.kernel);
}

double difference(const Workload& workload, std::span<const float> one, std::span<const float> other) {
  // Errors of a sum grow with the terms: relative to a term where the result is near nought.
  const auto relative = [](double a, double b, double scale) {
    const double error = std::abs(a - b) / std::max({std::abs(a), std::abs(b), scale});
    return std::isnan(error) ? HUGE_VAL : error;
  };
  if (workload.folds != 0) {
    std::vector<double> sums(2 * std::size_t{workload.folds});
    for (std::size_t i = 0; i < one.size(); ++i) sums[i % workload.folds] += double(one[i]);
    for (std::size_t i = 0; i < other.size(); ++i) sums[workload.folds + i % workload.folds] += double(other[i]);
    double worst = 0;
    for (std::size_t i = 0; i < workload.folds; ++i)
      worst = std::max(worst, relative(sums[i], sums[workload.folds + i], std::sqrt(double(workload.size))));
    return worst;
  }
  const double scale = workload.kernel == "matmul" ? std::sqrt(double(workload.size)) : 1.0;
  double worst = 0;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
    worst = std::max(worst, relative(double(one[i]), double(other[i]), scale));
  return one.size() == other.size() ? worst : HUGE_VAL;
}

ArgumentBlock::ArgumentBlock(const Workload& workload, std::span<void* const> addresses)
    : values_(workload.arguments.size()) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Argument& argument = workload.arguments[i];
    if (argument.isBuffer)
      std::memcpy(&values_[i], &addresses[argument.bits], sizeof(void*));
    else
      std::memcpy(&values_[i], &argument.bits, sizeof(argument.bits));
    pointers_.push_back(&values_[i]);
  }
}

}  // namespace lathe::bench
