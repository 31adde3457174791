// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// load_imports FILE MODE: loads an object, or an image for the cpu, whose code calls functions of this program and uses
// its variables, and runs its kernel. MODE says what the program gives; prints "all correct", or the error.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/fat_image.h>
#include <lathe/runtime.h>

namespace {

std::atomic<int> calls = 0;
float weights[4] = {1, 10, 100, 1000};
long long total = 0;

float half(float x) {
  ++calls;
  return x / 2;
}
int pick(const float* from, unsigned char at, bool negative) {
  const int value = static_cast<int>(from[at]);
  return negative ? -value : value;
}
double doubled(double x) {
  return x * 2;
}

lathe::HostSymbols given(std::string_view mode) {
  lathe::HostSymbols out;
  if (mode == "nothing") return out;
  out.variable("weights", weights).function("pick", &pick);
  if (mode == "some") return out;
  out.variable("total", total);
  if (mode == "type") return out.function("half", &doubled);
  if (mode == "kind") return out.variable("half", weights);
  if (mode == "size") return out.function("half", &half).memory("weights", weights, 8);
  // The later one counts; what nobody asks for does not matter.
  return out.function("half", &doubled).function("half", &half).function("other", &doubled);
}

lathe::Result<lathe::Module> load(const std::string& path, std::string_view mode) {
  const lathe::HostSymbols symbols = given(mode);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (path.ends_with(".limg")) {
    auto image = lathe::FatImage::fromBytes(std::as_bytes(std::span(bytes)));
    if (!image) return image.error();
    auto device = lathe::Device::open("cpu");
    if (!device) return device.error();
    return device->load(*image, symbols);
  }
  if (mode == "bytes") return lathe::loadObject(std::as_bytes(std::span(bytes)), symbols);
  return mode == "nothing" ? lathe::loadObject(path) : lathe::loadObject(path, symbols);
}

/// Launches when the thread's own objects are gone.
struct AtEnd {
  ~AtEnd() {
    if (!kernel) return;
    float x[4] = {2, 4, 6, 8};
    int out[4] = {};
    const auto done = (*kernel)({.grid = {1}, .group = {4}}, static_cast<const float*>(x), static_cast<int*>(out));
    std::puts(done && out[0] == 2 ? "launched at the end" : "not launched at the end");
  }
  std::optional<lathe::Kernel<const float*, int*>> kernel;
} atEnd;

lathe::Result<bool> run(const lathe::Result<lathe::Module>& module) {
  if (!module) return module.error();
  auto kernel = module->kernel<const float*, int*>("mix");
  if (!kernel) return kernel.error();
  constexpr unsigned n = 8;
  const std::vector<float> x{2, 4, 6, 8, 10, 12, 14, 16};
  std::vector<int> out(n);
  if (auto done = (*kernel)({.grid = {2}, .group = {4}}, x.data(), out.data()); !done) return done.error();
  atEnd.kernel = *kernel;
  bool good = calls == n && total == 72 && weights[3] == 1001;
  for (unsigned i = 0; i < n; ++i) {
    const int picked = static_cast<int>(i % 4 == 3 ? 1000 : weights[i % 4]) * (i % 2 != 0 ? -1 : 1);
    good &= out[i] == static_cast<int>(x[i] / 2) + picked;
  }
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const auto good = run(load(arguments[1], arguments[2]));
  if (!good) {
    std::fputs(good.error().render().c_str(), stderr);
    return 1;
  }
  std::puts(*good ? "all correct" : "wrong");
  return *good ? 0 : 1;
}
