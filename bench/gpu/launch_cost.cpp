// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enqueue times of launches and of graphs, and allocations counted meanwhile.
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

struct Way {
  std::string name;
  std::function<void()> call;
};

/// A row for each way; the first is the driver's own call, which the others are compared with.
void printCosts(const std::string& title, const CudaDriver& driver, CudaDriver::StreamHandle stream,
                std::span<const Way> ways, unsigned launches, double goal) {
  std::vector<std::function<void()>> calls;
  for (const Way& way : ways) calls.push_back(way.call);
  const auto times = enqueueTimes(driver, stream, calls, launches);
  header(title + " (µs, median of " + std::to_string(times[0].size()) + ")",
         std::array<std::string, 4>{"call", "time", "over " + ways[0].name, "allocations in 500 calls"});
  const double base = summarise(times[0]).median;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const std::uint64_t before = allocationCount();
    for (unsigned i = 0; i < 500; ++i) ways[way].call();
    const std::uint64_t made = allocationCount() - before;
    driver.synchronize(stream);
    const Summary time = summarise(times[way]);
    row(std::array<std::string, 4>{ways[way].name, text(time), way == 0 ? "1" : atMost(time.median / base, goal),
                                   std::to_string(made)});
  }
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
  const std::array<Way, 3> ways = {
      Way{"cuLaunchKernel", [&] { driver.launch(function, options.grid, options.group, native, arguments); }},
      Way{"RawKernel::launch", [&] { need(raw.launch(options, arguments)); }},
      Way{"Kernel<…>", [&] { need(typed(options, n, a, x)); }},
  };
  printCosts("Launch enqueue", driver, native, ways, launches, 1.02);

  constexpr unsigned nodes = 20;
  const auto theirs = driver.capture(native, [&] {
    for (unsigned i = 0; i < nodes; ++i) driver.launch(function, options.grid, options.group, native, arguments);
  });
  Graph graph = need(device.createGraph());
  for (After after; after.size() < nodes;) {
    const After last = after.empty() ? After() : After{after.back()};
    after.push_back(need(graph.add(typed, last, options, n, a, x)));
  }
  GraphRun built = need(graph.instantiate());
  need(stream.beginCapture());
  for (unsigned i = 0; i < nodes; ++i) need(typed(options, n, a, x));
  GraphRun captured = need(need(stream.endCapture()).instantiate());
  const std::array<Way, 3> replays = {
      Way{"cuGraphLaunch", [&] { driver.launch(theirs, native); }},
      Way{"GraphRun::launch, built", [&] { need(built.launch(stream)); }},
      Way{"GraphRun::launch, captured", [&] { need(captured.launch(stream)); }},
  };
  const auto andWait = [&](const Way& way) {
    return Way{way.name + " and wait", [&] {
                 way.call();
                 driver.synchronize(native);
               }};
  };
  const std::string title = "A graph of " + std::to_string(nodes) + " kernels in a row, ";
  printCosts(title + "enqueue", driver, native, replays, launches, 1.02);
  const std::array<Way, 3> waits = {andWait(replays[0]), andWait(replays[1]), andWait(replays[2])};
  printCosts(title + "replay", driver, native, waits, launches, 1.02);
}

}  // namespace lathe::bench::gpu
