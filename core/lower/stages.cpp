// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of stages: the whole lowering core at a glance.
#include "core/lower/lowering.h"

namespace lathe::detail {

std::span<const Stage> stages() {
  static constexpr Stage table[] = {
      {"import", "annotations become attributes, front-end leaks go, the portable rules are checked", &stage::import},
      {"select", "keep what the job asks for", &stage::select},
      {"specialise", "what the job fixes becomes constant", &stage::specialise},
      {"retarget", "triple, data layout and address spaces of the target", &stage::retarget},
      {"device_abi", "calls of the device ABI become intrinsics and instructions", &stage::deviceAbi},
      {"libraries", "link device libraries, fold their switches", &stage::libraries},
      {"kernel_abi", "calling convention, parameter passing, launch bounds", &stage::kernelAbi},
      {"simplify", "inline and simplify", &stage::simplify},
      {"work_groups", "items become loops where hardware has none", &stage::workGroups},
      {"optimise", "the target's optimisation pipeline", &stage::optimise},
      {"late", "what the optimiser made, dead code", &stage::late},
      {"validate", "report everything the target cannot run", &stage::validate},
      {"emit", "code generation", &stage::emit},
      {"link", "in-memory linking", &stage::link},
      {"image", "entry points, layouts, code and provenance in one file", &stage::image},
  };
  return table;
}

}  // namespace lathe::detail
