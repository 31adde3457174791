// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel files, which bench/CMakeLists.txt embeds, with their cases.
#include "cases.h"

#define LATHE_BENCH_KIND(name) extern "C" const char lathe_bench_##name[], lathe_bench_##name##_end[];
#include "kinds.def"
#undef LATHE_BENCH_KIND

namespace lathe::bench::gpu {

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
#define LATHE_BENCH_KIND(name) {#name, {lathe_bench_##name, lathe_bench_##name##_end}, name##Cases()},
#include "kinds.def"
#undef LATHE_BENCH_KIND
  };
  return all;
}

}  // namespace lathe::bench::gpu
