// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels that every benchmark compiles and runs, as CUDA text that Lathe, NVRTC and nvcc all take unchanged, and
// the four that OpenCL runs, in OpenCL C with the same names, parameters and algorithms.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include <lathe/image.h>

#include "measure.h"

namespace lathe::bench {

struct KernelSource {
  std::string_view name;  ///< of the kernel and of the source
  std::string_view text;  ///< CUDA C++, `extern "C"`
};

/// saxpy, stencil, matmul (shared tiles), reduceTree (shared tree).
[[nodiscard]] const std::array<KernelSource, 4>& computeKernels();
/// What compile latency is measured on: small and large, plain and with shared memory, shuffles and mathematics.
[[nodiscard]] const std::array<KernelSource, 6>& compileKernels();
/// The kernel of that name; ends the program if there is none, since names are constants of the benchmarks.
[[nodiscard]] const KernelSource& kernelNamed(std::string_view name);
/// A kernel that does nothing, for the cost of a launch.
[[nodiscard]] const KernelSource& emptyKernel();
/// computeKernels() in one OpenCL C source.
[[nodiscard]] std::string_view openclKernels();

/// The text with a function in front that no other call's has, so that no cache can answer.
[[nodiscard]] std::string uniqueText(const KernelSource& kernel);

/// An image of the kernel, its text unique, by `lathe compile` in a process of its own; `target` as the tool takes it.
[[nodiscard]] Image compileWithTool(const ScratchFolder& folder, const KernelSource& kernel, const std::string& target);

/// Group sizes that the kernels are written for.
inline constexpr unsigned lineGroup = 256;  ///< saxpy, reduceTree: one dimension
inline constexpr unsigned stencilGroupX = 64, stencilGroupY = 4;
inline constexpr unsigned matmulTile = 16;  ///< both dimensions

}  // namespace lathe::bench
