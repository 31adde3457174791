// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference of matmul_tiled.cu. All products and sums are exact in a float.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

std::vector<Case> cases_cuda_matmul_tiled() {
  return {
      {.name = "matmul",
       .kernel = "matmul",
       .launch = {.grid = {2, 2}, .group = {16, 16}},
       .arguments = {counting<float>(400, 0.25f, -30), counting<float>(400, -0.5f, 60), zeros<float>(400), value(20)},
       .reference = [](Arguments& a, const DeviceInfo&) {
         for (int r = 0; r < 20; ++r)
           for (int c = 0; c < 20; ++c)
             for (int k = 0; k < 20; ++k)
               a[2].as<float>()[r * 20 + c] += a[0].as<float>()[r * 20 + k] * a[1].as<float>()[k * 20 + c];
       }}};
}

}  // namespace lathe::conformance
