// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels as one would write them by hand for a host: OpenMP for the cores, OpenMP SIMD for the vectors.
#pragma once

namespace lathe::bench {

/// One of them on all processors: `size` as the workload has it, its buffers in order, the output last.
struct HostKernel {
  const char* name;
  void (*run)(unsigned size, float* const* memory);
};

struct CpuReference {
  const char* march;            ///< what it was compiled for: "native"
  const HostKernel* streaming;  ///< of cpu_reference.cpp, ended by a null name
  const HostKernel* grouped;    ///< of cpu_reference_groups.cpp, likewise
};

/// The best one built in that this machine can run.
[[nodiscard]] const CpuReference& cpuReference();

inline constexpr float saxpyFactor = 2.5f;
inline constexpr unsigned softmaxColumns = 1024, heatSteps = 32, escapeLimit = 256, spmvWidth = 16;

}  // namespace lathe::bench

// Names of one variant's tables.
#define LATHE_BENCH_TEXT_(x) #x
#define LATHE_BENCH_TEXT(x) LATHE_BENCH_TEXT_(x)
#define LATHE_BENCH_JOIN_(a, b) a##b
#define LATHE_BENCH_JOIN(a, b) LATHE_BENCH_JOIN_(a, b)
