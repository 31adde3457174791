// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference of transpose.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

std::vector<Case> cases_cuda_transpose() {
  return {{.name = "transpose",
           .kernel = "transpose",
           .launch = {.grid = {2, 2}, .group = {32, 8}},
           .arguments = {zeros<float>(2000), counting<float>(2000), value(50), value(40)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (int y = 0; y < 40; ++y)
               for (int x = 0; x < 50; ++x) a[0].as<float>()[x * 40 + y] = a[1].as<float>()[y * 50 + x];
           }}};
}

}  // namespace lathe::conformance
