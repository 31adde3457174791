// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of each kernel file, and what their definitions share.
#pragma once

#include "../case.h"

namespace lathe::bench::gpu {

#define LATHE_BENCH_KIND(name) std::vector<MakeCase> name##Cases();
#include "kinds.def"
#undef LATHE_BENCH_KIND

/// A reference that computes its results one by one: `compute(host, i)` for each i below n.
template <class F>
[[nodiscard]] std::function<void(Host&)> each(std::size_t n, F compute) {
  return [n, compute](Host& host) {
    for (std::size_t i = 0; i < n; ++i) compute(host, i);
  };
}

}  // namespace lathe::bench::gpu
