// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest complete program: compile a kernel, run it, read the result. Every call can fail; must() ends the
// program with the reason, which is enough here. Larger programs test each Result, as ../image_filter does.
#include <cstdio>
#include <cstdlib>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

template <class T>
T must(lathe::Result<T> result) {
  if (!result) std::exit((std::fputs(result.error().render().c_str(), stderr), 1));
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

int main() {
  lathe::Job job;
  job.source.text = R"(
    #include <lathe/device.h>
    LATHE_KERNEL void saxpy(float a, const float* x, float* y) {
      const unsigned i = lathe::global_id().x;
      y[i] += a * x[i];
    })";
  const lathe::Image image = must(must(lathe::Compiler::create()).compile(job)).image;
  const lathe::Device device = must(lathe::Device::open("cpu"));
  const auto saxpy = must(must(device.load(image)).kernel<float, const float*, float*>("saxpy"));
  auto x = must(device.allocate<float>(1024)), y = must(device.allocate<float>(1024));
  must(x.upload(std::vector<float>(1024, 20.0f)));
  must(y.upload(std::vector<float>(1024, 2.0f)));
  must(saxpy({.grid = {4}, .group = {256}}, 2.0f, x.data(), y.data()));
  const std::vector<float> result = must(y.read());
  std::printf("hello from %zu items, the last one says %g\n", result.size(), static_cast<double>(result.back()));
}
