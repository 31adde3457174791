// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of queries.cpp.
#include <algorithm>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

std::vector<Case> cases_kernels_queries() {
  return {{.name = "queries",
           .kernel = "queries",
           .arguments = {zeros<long>(8)},
           .reference =
               [](Arguments& a, const Environment& here) {
                 const long row[] = {
                     here.target == "cpu", here.target == "cuda", here.target == "amdgpu", 0, 1, 0, 640, 0};
                 std::copy_n(row, 8, a[0].as<long>());
               },
           .parameters = {{"width", "640"}}},
          {.name = "clock",
           .kernel = "ticks",
           .launch = {.grid = {2}, .group = {32}},
           .arguments = {zeros<int>(64), zeros<int>(64)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             std::fill_n(a[0].as<int>(), 64, 50);
             std::fill_n(a[1].as<int>(), 64, 1);
           }}};
}

}  // namespace lathe::conformance
