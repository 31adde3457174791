// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, launches and comparisons of the kernels.
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "reference/reference.h"

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

Workload workload(Extent3 grid, Extent3 group, BufferSizes buffers, ArgumentList arguments, double tolerance) {
  Workload out;
  out.buffers = std::move(buffers);
  out.arguments = std::move(arguments);
  out.grid = grid;
  out.group = group;
  out.tolerance = tolerance;
  return out;
}

/// Groups along an edge.
unsigned along(unsigned n, unsigned items) {
  if (n % items != 0) fail("workload: edges are multiples of their groups': " + std::to_string(n));
  return n / items;
}

}  // namespace

Workload lines(unsigned n, BufferSizes buffers, ArgumentList arguments, double tolerance) {
  return rows((n + lineGroup - 1) / lineGroup, lineGroup, std::move(buffers), std::move(arguments), tolerance);
}

Workload rows(unsigned n, unsigned items, BufferSizes buffers, ArgumentList arguments, double tolerance) {
  return workload({n}, {items}, std::move(buffers), std::move(arguments), tolerance);
}

Workload squares(unsigned n, Extent3 group, BufferSizes buffers, ArgumentList arguments, double tolerance) {
  Workload out =
      workload({along(n, group.x), along(n, group.y)}, group, std::move(buffers), std::move(arguments), tolerance);
  out.label = std::to_string(n) + " × " + std::to_string(n);
  return out;
}

Workload cubes(unsigned n, Extent3 group, BufferSizes buffers, ArgumentList arguments, double tolerance) {
  Workload out = squares(n, group, std::move(buffers), std::move(arguments), tolerance);
  out.grid.z = along(n, group.z);
  out.label += " × " + std::to_string(n);
  return out;
}

Workload folded(unsigned n, unsigned groups, unsigned folds, double tolerance) {
  groups = std::min(groups, along(n, lineGroup));
  Workload out = rows(groups, lineGroup, {n, std::size_t{groups} * folds}, {value(n), buffer(0), buffer(1)}, tolerance);
  out.folds = folds;
  out.scale = std::sqrt(double(n));
  return out;
}

Workload sums(Workload workload, unsigned terms) {
  workload.scale = std::sqrt(double(terms));
  return workload;
}

Workload total(Workload workload) {
  workload.folds = 1;
  return workload;
}

void fillInput(std::span<float> values, unsigned buffer) {
  std::uint32_t state = 0x9e3779b9u + buffer;
  for (float& out : values) {
    state = state * 1664525u + 1013904223u;
    out = float(std::int32_t(state)) * 0x1p-31f;
  }
}

void runOnHost(const Workload& workload, std::span<float* const> memory) {
  for (const HostKernel* const* list = cpuReference().kernels; *list; ++list) {
    for (const HostKernel* kernel = *list; kernel->name; ++kernel)
      if (workload.kernel == kernel->name) return kernel->run(workload.size, memory.data());
  }
  fail("workload: nothing is written by hand for " + workload.kernel);
}

double difference(const Workload& workload, std::span<const float> one, std::span<const float> other) {
  const auto relative = [&](double a, double b) {
    const double error = std::abs(a - b) / std::max({std::abs(a), std::abs(b), workload.scale});
    return std::isnan(error) ? HUGE_VAL : error;
  };
  if (workload.folds != 0) {
    std::vector<double> sums(2 * std::size_t{workload.folds});
    for (std::size_t i = 0; i < one.size(); ++i) sums[i % workload.folds] += double(one[i]);
    for (std::size_t i = 0; i < other.size(); ++i) sums[workload.folds + i % workload.folds] += double(other[i]);
    double worst = 0;
    for (std::size_t i = 0; i < workload.folds; ++i)
      worst = std::max(worst, relative(sums[i], sums[workload.folds + i]));
    return worst;
  }
  double worst = 0;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
    worst = std::max(worst, relative(double(one[i]), double(other[i])));
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
