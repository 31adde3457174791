// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, launches and comparisons of the four kernels.
#include "workload.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

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

constexpr float saxpyFactor = 2.5f;

constexpr Argument buffer(unsigned index) {
  return {true, index};
}
constexpr Argument value(unsigned number) {
  return {false, number};
}
Argument value(float number) {
  return {false, std::bit_cast<std::uint32_t>(number)};
}

Workload line(std::string_view kernel, unsigned n, unsigned fillingGroups) {
  Workload out;
  out.kernel = kernel;
  out.label = std::to_string(n);
  out.size = n;
  out.group = {lineGroup};
  if (kernel == "saxpy") {
    out.buffers = {n, n, n};
    out.arguments = {value(n), value(saxpyFactor), buffer(0), buffer(1), buffer(2)};
    out.grid = {(n + lineGroup - 1) / lineGroup};
    out.tolerance = 1e-6;
  } else {
    out.grid = {std::min(fillingGroups, (n + lineGroup - 1) / lineGroup)};
    out.buffers = {n, out.grid.x};
    out.arguments = {value(n), buffer(0), buffer(1)};
    out.sumsOutput = true;
    out.tolerance = 1e-4;
  }
  return out;
}

Workload square(std::string_view kernel, unsigned n) {
  if (n % stencilGroupX != 0) fail("workload: edges are multiples of " + std::to_string(stencilGroupX));
  Workload out;
  out.kernel = kernel;
  out.label = std::to_string(n) + " × " + std::to_string(n);
  out.size = n;
  const std::size_t area = std::size_t{n} * n;
  if (kernel == "stencil") {
    out.buffers = {area, area};
    out.arguments = {value(n), value(n), buffer(0), buffer(1)};
    out.group = {stencilGroupX, stencilGroupY};
    out.tolerance = 1e-5;
  } else {
    out.buffers = {area, area, area};
    out.arguments = {value(n), buffer(0), buffer(1), buffer(2)};
    out.group = {matmulTile, matmulTile};
    out.tolerance = 1e-4;
  }
  out.grid = {n / out.group.x, n / out.group.y};
  return out;
}

}  // namespace

Workload makeWorkload(std::string_view kernel, unsigned size, unsigned fillingGroups) {
  return kernel == "saxpy" || kernel == "reduceTree" ? line(kernel, size, fillingGroups) : square(kernel, size);
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
  const CpuReference& reference = cpuReference();
  if (workload.kernel == "saxpy")
    reference.saxpy(workload.size, saxpyFactor, memory[0], memory[1], memory[2]);
  else if (workload.kernel == "stencil")
    reference.stencil(workload.size, workload.size, memory[0], memory[1]);
  else if (workload.kernel == "matmul")
    reference.matmul(workload.size, memory[0], memory[1], memory[2]);
  else
    memory[1][0] = reference.sum(workload.size, memory[0]);
}

std::string throughput(const Workload& workload, double milliseconds) {
  if (workload.kernel == "matmul")
    return text(2 * std::pow(double(workload.size), 3) / milliseconds * 1e-9) + " TFLOP/s";
  double bytes = 0;
  for (std::size_t floats : workload.buffers) bytes += double(floats * sizeof(float));
  return text(bytes / milliseconds * 1e-9) + " TB/s";
}

double difference(const Workload& workload, std::span<const float> one, std::span<const float> other) {
  // Errors of a sum grow with the terms: relative to a term where the result is near nought.
  const auto relative = [](double a, double b, double scale) {
    const double error = std::abs(a - b) / std::max({std::abs(a), std::abs(b), scale});
    return std::isnan(error) ? HUGE_VAL : error;
  };
  if (workload.sumsOutput) {
    double sumOne = 0, sumOther = 0;
    for (float value : one) sumOne += double(value);
    for (float value : other) sumOther += double(value);
    return relative(sumOne, sumOther, std::sqrt(double(workload.size)));
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
