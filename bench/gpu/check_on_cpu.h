// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test of the kernels that needs no GPU.
#pragma once

#include <string>
#include <vector>

#include "case.h"

namespace lathe::bench::gpu {

/// Compiles the kernel files of these cases for the CPU and for `arch`, whose PTX ptxas has to take if it is here, and
/// runs the cases on the CPU at their small size against their references. Prints what fails; true if nothing does.
[[nodiscard]] bool checkOnCpu(const std::vector<const Kind*>& wanted, const std::vector<std::string>& kernels,
                              const std::string& arch);

}  // namespace lathe::bench::gpu
