// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference of host_and_device.cu.
#include <algorithm>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

std::vector<Case> cases_cuda_host_and_device() {
  return {{.name = "clamp",
           .kernel = "clampAll",
           .launch = {.grid = {2}, .group = {64}},
           .arguments = {counting<float>(100, 0.5f, -10), value(100), value(-1.0f), value(3.0f)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (int i = 0; i < 100; ++i) a[0].as<float>()[i] = std::clamp(a[0].as<float>()[i], -1.0f, 3.0f);
           }}};
}

}  // namespace lathe::conformance
