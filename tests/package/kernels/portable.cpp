// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

#include "kernels.h"

int main() {
  const auto device = lathe::Device::open("cpu");
  if (!device) return 1;
  auto y = device->allocate<float>(1);
  const float two = 2;
  if (!y || !y->upload({&two, 1})) return 1;
  const auto done = kernels::saxpy(*device, {}, 1, 20.0f, y->data(), y->data());
  if (!done) {
    std::fputs(done.error().render().c_str(), stderr);
    return 1;
  }
  const auto result = y->read();
  if (!result) return 1;
  std::printf("%g\n", result->front());
  return 0;
}
