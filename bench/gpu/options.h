// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of bench_gpu_kernels.
#pragma once

#include <string>
#include <vector>

#include "../measure.h"
#include "case.h"

namespace lathe::bench::gpu {

struct Options {
  std::vector<std::string> kernels, kinds;  ///< both empty: all
  unsigned device = 0, samples = 30, launches = 10000;
  std::string code, writeCode, arch;
  bool list = false, checkOnCpu = false, specialise = false, child = false;
  bool choosesKernels = false;
};

/// Ends the program for --help, and with exit code 2 for what it does not know.
[[nodiscard]] Options readOptions(Arguments words);

struct Selected {
  const Kind* kind;
  MakeCase make;
  std::string kernel;
};
/// The kernels that the options name, by kind. Ends the program, with exit code 2, for names that no kernel or kind
/// has.
[[nodiscard]] std::vector<Selected> select(const Options& options);

}  // namespace lathe::bench::gpu
