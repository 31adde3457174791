// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of kernels `(const unsigned* in, unsigned* out, unsigned n)` whose reference is the kernel itself, run item by
// item on the host, for blocks of all sizes that matter: fewer than a subgroup's items, as many, one more; several full
// subgroups, and some that are not.
#pragma once

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

using FlowKernel = void (*)(const unsigned* in, unsigned* out, unsigned n);

[[nodiscard]] Case flowCase(const std::string& name, FlowKernel kernel);

}  // namespace lathe::conformance
