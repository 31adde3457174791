// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference of block_reduce.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

std::vector<Case> cases_cuda_block_reduce() {
  return {{.name = "sum",
           .kernel = "blockSum",
           .launch = {.grid = {3}, .group = {64}, .dynamicSharedBytes = 256},
           .arguments = {counting<float>(1000), zeros<float>(1), value(1000)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (int i = 0; i < 1000; ++i) *a[1].as<float>() += a[0].as<float>()[i];
           }}};
}

}  // namespace lathe::conformance
