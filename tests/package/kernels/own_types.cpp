// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <vector>

#include <lathe/runtime.h>

#include "points.h"

lathe::Result<void> walkAll(const lathe::Device& device, demo::Point* points, unsigned n);

int main() {
  const auto device = lathe::Device::open("cpu");
  if (!device) return 1;
  auto points = device->allocate<demo::Point>(3);
  if (!points || !points->upload(std::vector<demo::Point>(3, {1.0, 2.0f}))) return 1;
  const auto walked = walkAll(*device, points->data(), 3);
  if (!walked) {
    std::fputs(walked.error().render().c_str(), stderr);
    return 1;
  }
  const auto result = points->read();
  if (!result) return 1;
  std::printf("%g\n", result->back().x);
  return 0;
}
