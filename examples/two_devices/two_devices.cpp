// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel on two devices at once: the CPU takes one half of an integral and a GPU the other. Where there is no GPU,
// two streams of the CPU share the work instead. The kernel's source is the same for both; each device gets its own
// image.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <vector>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

namespace {

constexpr const char* source = R"(
#include <lathe/device.h>

/// Midpoint rule for the integral of 4 / (1 + x^2) over [0, 1]: item i writes the area of slice first + i.
LATHE_KERNEL void slices(unsigned first, unsigned count, double width, double* areas) {
  const unsigned i = lathe::global_id().x;
  if (i >= count) return;
  const double x = (first + i + 0.5) * width;
  areas[i] = 4.0 / (1.0 + x * x) * width;
})";

constexpr unsigned sliceCount = 1u << 20;

/// One share of the work: a device with its own code, queue and memory.
struct Share {
  lathe::Device device;
  lathe::Kernel<unsigned, unsigned, double, double*> kernel;
  lathe::Stream stream;
  lathe::Buffer<double> areas;
};

/// Compiles for `target` as `device` wants it, and gets everything ready.
lathe::Result<Share> prepare(const lathe::Compiler& compiler, const lathe::Device& device, const char* target,
                             unsigned count) {
  lathe::Job job;
  job.source.name = "slices.cpp";
  job.source.text = source;
  job.target = target;
  job.arch = device.info().arch;
  auto compiled = compiler.compile(job);
  if (!compiled) return std::move(compiled).error();
  auto module = device.load(compiled->image);
  if (!module) return std::move(module).error();
  auto kernel = module->kernel<unsigned, unsigned, double, double*>("slices");
  if (!kernel) return std::move(kernel).error();
  auto stream = device.createStream();
  if (!stream) return std::move(stream).error();
  auto areas = device.allocate<double>(count);
  if (!areas) return std::move(areas).error();
  return Share{device, *std::move(kernel), *std::move(stream), *std::move(areas)};
}

/// Queues one share and returns at once.
lathe::Result<void> start(Share& share, unsigned first, unsigned count) {
  constexpr unsigned group = 256;
  const lathe::LaunchOptions launch{.grid = {(count + group - 1) / group}, .group = {group}, .stream = &share.stream};
  return share.kernel(launch, first, count, 1.0 / sliceCount, share.areas.data());
}

/// Waits for one share and adds it up.
lathe::Result<double> finish(Share& share) {
  if (auto done = share.stream.synchronize(); !done) return std::move(done).error();
  auto areas = share.areas.read();
  if (!areas) return std::move(areas).error();
  return std::accumulate(areas->begin(), areas->end(), 0.0);
}

lathe::Result<double> integrate() {
  auto compiler = lathe::Compiler::create();
  if (!compiler) return std::move(compiler).error();
  auto cpu = lathe::Device::open("cpu");
  if (!cpu) return std::move(cpu).error();
  auto gpu = lathe::Device::open("cuda");
  if (gpu)
    std::printf("half on %s, half on %s\n", cpu->info().name.c_str(), gpu->info().name.c_str());
  else
    std::printf("no GPU here (%s): two streams of %s\n", gpu.error().message.c_str(), cpu->info().name.c_str());

  constexpr unsigned half = sliceCount / 2;
  auto left = prepare(*compiler, *cpu, "cpu", half);
  if (!left) return std::move(left).error();
  auto right = prepare(*compiler, gpu ? *gpu : *cpu, gpu ? "cuda" : "cpu", sliceCount - half);
  if (!right) return std::move(right).error();

  if (auto done = start(*left, 0, half); !done) return std::move(done).error();
  if (auto done = start(*right, half, sliceCount - half); !done) return std::move(done).error();
  auto leftArea = finish(*left);
  if (!leftArea) return std::move(leftArea).error();
  auto rightArea = finish(*right);
  if (!rightArea) return std::move(rightArea).error();
  return *leftArea + *rightArea;
}

}  // namespace

int main() {
  const lathe::Result<double> area = integrate();
  if (!area) return std::fputs(area.error().render().c_str(), stderr), 1;
  const double error = std::fabs(*area - std::numbers::pi);
  std::printf("pi is %.12f, off by %.1e\n", *area, error);
  return error < 1e-9 ? 0 : 1;
}
