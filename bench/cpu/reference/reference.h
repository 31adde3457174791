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
  const char* march;                 ///< what it was compiled for: "native"
  const HostKernel* const* kernels;  ///< lists that a null name ends; a null pointer ends the lists
};

/// The best one built in that this machine can run.
[[nodiscard]] const CpuReference& cpuReference();

/// Arguments of kernels that no size changes.
inline constexpr float saxpyFactor = 2.5f;
inline constexpr unsigned rowColumns = 1024, heatSteps = 32, escapeLimit = 256, spmvWidth = 16, pathSteps = 32,
                          circleSamples = 64;

}  // namespace lathe::bench

// Names of one variant's tables.
#define LATHE_BENCH_TEXT_(x) #x
#define LATHE_BENCH_TEXT(x) LATHE_BENCH_TEXT_(x)
#define LATHE_BENCH_JOIN_(a, b) a##b
#define LATHE_BENCH_JOIN(a, b) LATHE_BENCH_JOIN_(a, b)
/// Declares and begins the list of one kind's kernels: `LATHE_BENCH_KERNELS(memory) = {{"saxpy", saxpy}, {}};`
#define LATHE_BENCH_LIST(kind) LATHE_BENCH_JOIN(kind##Kernels_, LATHE_BENCH_VARIANT)
#define LATHE_BENCH_KERNELS(kind)                   \
  extern const HostKernel LATHE_BENCH_LIST(kind)[]; \
  const HostKernel LATHE_BENCH_LIST(kind)[]
