// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches its own kernels from four threads at once, and prints a result. No compiler may come into the process.
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "kernels.h"

namespace {

lathe::Result<float> computed(const lathe::Device& device) {
  const unsigned n = 1000;
  auto x = device.allocate<float>(n), y = device.allocate<float>(n);
  if (!x || !y) return x ? y.error() : x.error();
  if (auto done = x->upload(std::vector<float>(n, 20.0f)); !done) return done.error();
  if (auto done = y->upload(std::vector<float>(n, 2.0f)); !done) return done.error();
#if defined(WRONG_POINTER)
  std::vector<double> wrong(n);
  if (auto done = kernels::saxpy(device, {.grid = {4}, .group = {256}}, n, 2.0f, wrong.data(), y->data()); !done) return done.error();
#elif defined(WRONG_CONST)
  const float* wrong = y->data();
  if (auto done = kernels::saxpy(device, {.grid = {4}, .group = {256}}, n, 2.0f, x->data(), wrong); !done) return done.error();
#elif defined(WRONG_COUNT)
  if (auto done = kernels::saxpy(device, {.grid = {4}, .group = {256}}, n, 2.0f, x->data()); !done) return done.error();
#elif defined(WRONG_RECORD)
  struct { int by; } wrong{1};
  if (auto done = kernels::demo::walk(device, {}, wrong, nullptr, 0); !done) return done.error();
#elif defined(WRONG_NAME)
  if (auto done = kernels::daxpy(device, {}, n, 2.0f, x->data(), y->data()); !done) return done.error();
#else
  if (auto done = kernels::saxpy(device, {.grid = {4}, .group = {256}}, n, 2.0f, x->data(), y->data()); !done) return done.error();
#endif
  auto points = device.allocate<kernels::demo_Point>(1);
  if (!points) return points.error();
  const kernels::demo_Point start{1.0, 0.5f};
  if (auto done = points->upload({&start, 1}); !done) return done.error();
  if (auto done = kernels::demo::walk(device, {.group = {1}}, kernels::demo_Step{2.0, 3}, points->data(), 1); !done) return done.error();
  auto moved = points->read();
  if (!moved) return moved.error();
  if (moved->front().x != 4.0) return lathe::Error{.message = "walk: wrong result"};
  // A launch that is not possible is an error, not an end.
  if (kernels::saxpy(device, {.grid = {0}, .group = {1}}, n, 2.0f, x->data(), y->data())) return lathe::Error{.message = "an empty grid was taken"};
  auto result = y->read();
  if (!result) return result.error();
  return result->back();
}

int report(const lathe::Error& error) {
  std::fputs(error.render().c_str(), stderr);
  return 1;
}

}  // namespace

int main() {
  const auto device = lathe::Device::open("cpu");
  if (!device) return report(device.error());
  std::vector<lathe::Result<float>> results(4, 0.0f);
  std::vector<std::thread> threads;
  for (auto& result : results) threads.emplace_back([&] { result = computed(*device); });
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) {
    if (!result) return report(result.error());
    if (*result != *results.front()) return 2;
  }
  kernels::from_saxpy_images.unload(*device);
  const auto again = computed(*device);
  if (!again) return report(again.error());
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("LLVM") != std::string::npos || line.find("liblathe.so") != std::string::npos) return 3;
  }
  // No device has code for this runtime.
  const auto null = lathe::Device::open("null");
  if (null && kernels::saxpy(*null, {}, 0, 0.0f, nullptr, nullptr)) return 4;
  std::printf("%g\n", *again);
  return 0;
}
