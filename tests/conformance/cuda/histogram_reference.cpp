// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference of histogram.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

std::vector<Case> cases_cuda_histogram() {
  return {{.name = "bytes",
           .kernel = "histogram",
           .launch = {.grid = {3}, .group = {64}},
           .arguments = {array(scrambled<unsigned char>(1000, 3)), value(1000u), zeros<unsigned>(256)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (int i = 0; i < 1000; ++i) ++a[2].as<unsigned>()[a[0].as<unsigned char>()[i]];
           }}};
}

}  // namespace lathe::conformance
