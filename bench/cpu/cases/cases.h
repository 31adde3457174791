// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels that the CPU runs beside its peers, a file for each group of kinds. A case has a text that is CUDA C++ or
// OpenCL C by the macros of languages.cpp, three sizes and its workload; reference/ has the same work by hand.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "../workload.h"

namespace lathe::bench {

struct CpuCase {
  std::string_view name;  ///< of the kernel
  std::string_view text;  ///< in both languages; empty for those of computeKernels(), which have a text in each
  std::array<unsigned, 3> sizes;
  /// What `size` means is the case's own. Kernels that walk their array with the grid's stride keep the device busy
  /// with `fillingGroups` groups.
  Workload (*workload)(unsigned size, unsigned fillingGroups);
};

[[nodiscard]] std::span<const CpuCase> memoryCases();     ///< streams, stencils, transposes
[[nodiscard]] std::span<const CpuCase> algebraCases();    ///< dense and sparse linear algebra, graphs
[[nodiscard]] std::span<const CpuCase> reduceCases();     ///< reductions, scans, histograms, sorts
[[nodiscard]] std::span<const CpuCase> networkCases();    ///< layers of networks, quantisation
[[nodiscard]] std::span<const CpuCase> simulateCases();   ///< bodies, prices, random numbers
[[nodiscard]] std::span<const CpuCase> sequenceCases();   ///< hashes, dynamic programming
[[nodiscard]] std::span<const CpuCase> transformCases();  ///< images, transforms

/// All of them, by kind.
[[nodiscard]] std::span<const std::span<const CpuCase>> cpuCases();

/// The case in CUDA C++.
[[nodiscard]] std::string cudaText(const CpuCase& entry);
/// All cases in one OpenCL C source.
[[nodiscard]] std::string openclText();

}  // namespace lathe::bench
