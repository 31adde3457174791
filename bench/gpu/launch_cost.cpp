// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enqueue times, and allocations counted meanwhile.
#include "launch_cost.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "../kernels.h"
#include "../measure.h"
#include "allocations.h"
#include "code.h"

namespace lathe::bench::gpu {
namespace {

/// The code as the driver loads it.
std::string loadableCode(const Image& image) {
  const Code* code = image.find("cubin");
  if (!code) code = image.find("ptx");
  if (!code) fail("gpu: the image holds neither a cubin nor PTX");
  return {reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size()};
}

/// Microseconds of each call, in turns of 100 that end with a wait, so that the queue never fills. The first turns of
/// each are not kept.
std::vector<std::vector<double>> enqueueTimes(const CudaDriver& driver, CudaDriver::StreamHandle stream,
                                              std::span<const std::function<void()>> ways, unsigned launches) {
  constexpr unsigned turn = 100, warmUps = 5;
  std::vector<std::vector<double>> times(ways.size());
  for (unsigned round = 0; round < launches / turn + warmUps; ++round) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      for (unsigned i = 0; i < turn; ++i) {
        const double time = 1000 * milliseconds(ways[way]);
        if (round >= warmUps) times[way].push_back(time);
      }
      driver.synchronize(stream);
    }
  }
  return times;
}

}  // namespace

void launchCost(const CudaDriver& driver, const Device& device, Stream& stream, unsigned launches) {
  const ScratchFolder folder;
  const KernelSource& kernel = emptyKernel();
  const std::string source = folder.write("empty.cu", kernel.text), out = folder.path("empty.limg");
  if (const auto failed = compileByLathe(source, "cuda:" + device.info().arch, {}, out)) fail(*failed);
  const Image image = need(Image::open(out));
  const Module module = need(device.load(image));
  const RawKernel raw = need(module.rawKernel(kernel.name));
  const auto typed = need(module.kernel<unsigned, float, float*>(kernel.name));
  const auto function = driver.load(loadableCode(image), raw.entry().symbol);

  unsigned n = 1;
  float a = 2;
  float* x = nullptr;
  const std::array<const void*, 3> arguments = {&n, &a, &x};
  const LaunchOptions options = {.grid = {64}, .group = {lineGroup}, .stream = &stream};
  const auto native = stream.nativeHandle();
  const std::array<std::function<void()>, 3> ways = {
      [&] { driver.launch(function, options.grid, options.group, native, arguments); },
      [&] { need(raw.launch(options, arguments)); },
      [&] { need(typed(options, n, a, x)); },
  };
  const std::array<std::string, 3> names = {"cuLaunchKernel", "RawKernel::launch", "Kernel<…>"};
  const auto times = enqueueTimes(driver, native, ways, launches);
  header("Launch enqueue (µs, median of " + std::to_string(times[0].size()) + ")",
         std::array<std::string, 4>{"call", "time", "over cuLaunchKernel", "allocations in 500 calls"});
  const double base = summarise(times[0]).median;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const std::uint64_t before = allocationCount();
    for (unsigned i = 0; i < 500; ++i) ways[way]();
    const std::uint64_t made = allocationCount() - before;
    driver.synchronize(native);
    const Summary time = summarise(times[way]);
    row(std::array<std::string, 4>{names[way], text(time), way == 0 ? "1" : atMost(time.median / base, 1.10),
                                   std::to_string(made)});
  }
}

}  // namespace lathe::bench::gpu
