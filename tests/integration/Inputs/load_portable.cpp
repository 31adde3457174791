// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// load_portable FILE: runs the kernel `scale` of a fat image on the CPU with the runtime library alone, and says
// whether the compiler was opened for it.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <lathe/runtime.h>

namespace {

bool compilerIsHere() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    for (const char* const library : {"/libLLVM", "/liblathe.so"})
      if (line.find(library) != std::string::npos) return true;
  }
  return false;
}

lathe::Result<float> scaled(const char* path) {
  const auto images = lathe::FatImage::open(path);
  if (!images) return images.error();
  const auto device = lathe::Device::open("cpu");
  if (!device) return device.error();
  const auto module = device->load(*images);
  if (!module) return module.error();
  const auto scale = module->kernel<float*>("scale");
  if (!scale) return scale.error();
  std::vector<float> data(64, 21.0F);
  if (auto done = (*scale)({.grid = {1}, .group = {64}}, data.data()); !done) return done.error();
  return data[63];
}

}  // namespace

int main(int count, char** arguments) {
  const auto start = std::chrono::steady_clock::now();
  const auto result = scaled(count > 1 ? arguments[1] : "");
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().render().c_str());
    return 1;
  }
  std::printf("%g, %s\n", static_cast<double>(*result), compilerIsHere() ? "compiled" : "without the compiler");
  std::fprintf(stderr, "%.3f ms\n", time.count());
  return 0;
}
