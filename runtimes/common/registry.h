// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtimes built in, from the list that lathe_add_runtime() writes: no runtime registers itself by running code
// before main().
#pragma once

#include <array>

#include "runtimes/common/driver.h"

namespace lathe::detail {

#define LATHE_BUILTIN_RUNTIME(name) const Runtime& name##Runtime();
#include "runtimes/builtin_runtimes.inc"
#undef LATHE_BUILTIN_RUNTIME

inline std::span<const Runtime* const> builtinRuntimes() {
  static const std::array all = {
#define LATHE_BUILTIN_RUNTIME(name) &name##Runtime(),
#include "runtimes/builtin_runtimes.inc"
#undef LATHE_BUILTIN_RUNTIME
  };
  return all;
}

}  // namespace lathe::detail
