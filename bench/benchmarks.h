// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The benchmarks of lathe_bench. Each takes what stands after its name on the command line, prints markdown and returns
// an exit code: 0 also where a goal is missed, since a benchmark reports and a test judges; 1 where a result is wrong.
#pragma once

#include <span>
#include <string>

namespace lathe::bench {

using Arguments = std::span<const std::string>;

int compileLatency(Arguments arguments);  ///< source to PTX in process, beside NVRTC; memory; threads
int compileChild(Arguments arguments);    ///< what compileLatency runs in fresh processes
int processLatency(Arguments arguments);  ///< `lathe compile` as a whole process
int cpuKernels(Arguments arguments);      ///< the CPU target beside PoCL and OpenMP
int gpuKernels(Arguments arguments);      ///< the CUDA target beside nvcc; launch cost beside cuLaunchKernel

}  // namespace lathe::bench
