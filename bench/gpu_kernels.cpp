// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a CUDA device: what a launch costs through Lathe and through cuLaunchKernel alone, and the four kernels by Lathe
// beside the same text by nvcc -O3 (by NVRTC where there is no nvcc), timed by events on one stream, taking turns.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <lathe/runtime.h>

#include "allocations.h"
#include "cuda_driver.h"
#include "kernels.h"
#include "measure.h"
#include "nvrtc.h"
#include "workload.h"

namespace lathe::bench {
namespace {

/// Everything the parts of this benchmark work with.
struct Bench {
  CudaDriver driver;
  Device device;
  Stream stream;
  ScratchFolder folder;
};

std::string target(const Bench& bench) {
  return "cuda:" + bench.device.info().arch;
}

/// Who compiles the other side's kernels: name and text → cubin.
struct PeerCompiler {
  std::string name;
  std::function<std::string(const std::string& name, const std::string& text)> cubin;
};

/// Runs nvcc on a text; the cubin lies at `out`.
ChildResult runNvcc(const Bench& bench, const std::string& nvcc, const std::string& name, const std::string& text,
                    const std::string& out) {
  return runChild({nvcc, "-O3", "-std=c++20", "-arch=" + bench.device.info().arch, "-cubin", "-o", out,
                   bench.folder.write(name + ".cu", text)},
                  true);
}

PeerCompiler findPeer(const Bench& bench) {
  std::vector<std::string> candidates = {"nvcc"};
  if (const char* home = std::getenv("CUDA_HOME")) candidates.push_back(std::string(home) + "/bin/nvcc");
  candidates.push_back("/usr/local/cuda/bin/nvcc");
  for (const std::string& nvcc : candidates) {
    const ChildResult version = runChild({nvcc, "--version"}, true);
    if (!version.ok) continue;
    // It may be there and not work: nvcc needs a host compiler, even for device code.
    const ChildResult trial =
        runNvcc(bench, nvcc, "trial", std::string(emptyKernel().text), bench.folder.path("trial.cubin"));
    if (!trial.ok) {
      say(nvcc + " does not work here: " + trial.output);
      continue;
    }
    const std::size_t release = version.output.find("release ");
    const std::string number = release == std::string::npos ? "" : version.output.substr(release + 8, 4);
    return {"nvcc " + number + " -O3", [&bench, nvcc](const std::string& name, const std::string& text) {
              const std::string out = bench.folder.path(name + ".cubin");
              const ChildResult child = runNvcc(bench, nvcc, name, text, out);
              if (!child.ok) fail("nvcc: " + name + " does not compile:\n" + child.output);
              return readFile(out);
            }};
  }
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc) fail("gpu: neither nvcc nor NVRTC is here to compare with; put nvcc on PATH or set CUDA_HOME");
  return {"NVRTC " + nvrtc->version() + " (no nvcc here)",
          [nvrtc, &bench](const std::string& name, const std::string& text) {
            return nvrtc->compile(name + ".cu", text, bench.device.info().arch);
          }};
}

/// The code as the driver loads it.
std::string loadableCode(const Image& image) {
  const Code* code = image.find("cubin");
  if (!code) code = image.find("ptx");
  if (!code) fail("gpu: the image holds neither a cubin nor PTX");
  return {reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size()};
}

/// Microseconds of each call, in turns of 100 that end with a wait, so that the queue never fills. The first turns of
/// each are not kept.
std::vector<std::vector<double>> enqueueTimes(const Bench& bench, std::span<const std::function<void()>> ways,
                                              unsigned launches) {
  constexpr unsigned turn = 100, warmUps = 5;
  std::vector<std::vector<double>> times(ways.size());
  for (unsigned round = 0; round < launches / turn + warmUps; ++round) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      for (unsigned i = 0; i < turn; ++i) {
        const double time = 1000 * milliseconds(ways[way]);
        if (round >= warmUps) times[way].push_back(time);
      }
      bench.driver.synchronize(bench.stream.nativeHandle());
    }
  }
  return times;
}

void launchCost(Bench& bench, unsigned launches) {
  const KernelSource& kernel = emptyKernel();
  const Image image = compileWithTool(bench.folder, kernel, target(bench));
  const Module module = need(bench.device.load(image));
  const RawKernel raw = need(module.rawKernel(kernel.name));
  const auto typed = need(module.kernel<unsigned, float, float*>(kernel.name));
  const auto function = bench.driver.load(loadableCode(image), raw.entry().symbol);

  unsigned n = 1;
  float a = 2;
  float* x = nullptr;
  const std::array<const void*, 3> arguments = {&n, &a, &x};
  Workload shape;
  shape.grid = {64};
  shape.group = {lineGroup};
  const LaunchOptions options = shape.launch(&bench.stream);
  const auto native = bench.stream.nativeHandle();
  const std::array<std::function<void()>, 3> ways = {
      [&] { bench.driver.launch(function, shape, native, arguments); },
      [&] { need(raw.launch(options, arguments)); },
      [&] { need(typed(options, n, a, x)); },
  };
  const std::array<std::string, 3> names = {"cuLaunchKernel", "RawKernel::launch", "Kernel<…>"};
  const auto times = enqueueTimes(bench, ways, launches);
  header("Launch enqueue (µs, median of " + std::to_string(times[0].size()) + ")",
         std::array<std::string, 4>{"call", "time", "over cuLaunchKernel", "allocations in 500 calls"});
  const double base = summarise(times[0]).median;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const std::uint64_t before = allocationCount();
    for (unsigned i = 0; i < 500; ++i) ways[way]();
    const std::uint64_t made = allocationCount() - before;
    bench.driver.synchronize(native);
    const Summary time = summarise(times[way]);
    row(std::array<std::string, 4>{names[way], text(time), way == 0 ? "1" : atMost(time.median / base, 1.10),
                                   std::to_string(made)});
  }
}

/// One workload on the device, by both compilers.
class Contest {
 public:
  Contest(Bench& bench, const PeerCompiler& peer, Workload workload) : bench_(bench), workload_(std::move(workload)) {
    const KernelSource& source = kernelNamed(workload_.kernel);
    const Image image = compileWithTool(bench.folder, source, target(bench));
    kernel_ = need(need(bench.device.load(image)).rawKernel(source.name));
    function_ = bench.driver.load(peer.cubin(workload_.kernel, uniqueText(source)), workload_.kernel);
    std::vector<void*> addresses;
    for (std::size_t i = 0; i + 1 < workload_.buffers.size(); ++i) {
      host_.emplace_back(workload_.buffers[i]);
      fillInput(host_.back(), unsigned(i));
      inputs_.push_back(need(bench.device.allocate<float>(workload_.buffers[i])));
      need(inputs_.back().upload(host_.back()));
      addresses.push_back(inputs_.back().data());
    }
    for (std::size_t side = 0; side < 2; ++side) {
      outputs_[side] = need(bench.device.allocate<float>(workload_.buffers.back()));
      need(outputs_[side].zero());
      addresses.push_back(outputs_[side].data());
      arguments_[side] = std::make_unique<ArgumentBlock>(workload_, addresses);
      addresses.pop_back();
    }
  }

  /// The larger of both sides' errors against the host's own result.
  [[nodiscard]] double verify() {
    run(0);
    run(1);
    bench_.driver.synchronize(bench_.stream.nativeHandle());
    std::vector<float*> memory;
    for (std::vector<float>& input : host_) memory.push_back(input.data());
    std::vector<float> expected(workload_.buffers.back());
    memory.push_back(expected.data());
    runOnHost(workload_, memory);
    double worst = 0;
    for (const Buffer<float>& output : outputs_)
      worst = std::max(worst, difference(workload_, need(output.read()), expected));
    return worst;
  }

  /// Milliseconds of one launch: Lathe's, the peer's.
  [[nodiscard]] std::array<Summary, 2> measure(unsigned samples) {
    const auto begin = bench_.driver.createEvent(), end = bench_.driver.createEvent();
    std::array<std::vector<double>, 2> times;
    constexpr unsigned warmUps = 5;
    for (unsigned i = 0; i < samples + warmUps; ++i) {
      for (unsigned turn = 0; turn < 2; ++turn) {
        const unsigned side = (i + turn) % 2;
        bench_.driver.record(begin, bench_.stream.nativeHandle());
        run(side);
        bench_.driver.record(end, bench_.stream.nativeHandle());
        const double time = bench_.driver.elapsed(begin, end);
        if (i >= warmUps) times[side].push_back(time);
      }
    }
    return {summarise(times[0]), summarise(times[1])};
  }

 private:
  void run(unsigned side) {
    if (side == 0)
      need(kernel_.launch(workload_.launch(&bench_.stream), arguments_[0]->pointers()));
    else
      bench_.driver.launch(function_, workload_, bench_.stream.nativeHandle(), arguments_[1]->pointers());
  }

  Bench& bench_;
  Workload workload_;
  RawKernel kernel_;
  CudaDriver::Function function_ = nullptr;
  std::vector<std::vector<float>> host_;
  std::vector<Buffer<float>> inputs_;
  std::array<Buffer<float>, 2> outputs_;
  std::array<std::unique_ptr<ArgumentBlock>, 2> arguments_;
};

bool kernels(Bench& bench, unsigned samples) {
  const PeerCompiler peer = findPeer(bench);
  header("Kernels (ms of one launch by events)",
         std::array<std::string, 7>{"kernel", "size", "Lathe", peer.name, "Lathe over peer", "Lathe's rate",
                                    "largest error"});
  bool right = true;
  std::vector<double> ratios;
  for (const auto& [name, size] :
       {std::pair{"saxpy", 1u << 28}, {"stencil", 1u << 14}, {"matmul", 4096u}, {"reduceTree", 1u << 28}}) {
    const Workload workload = makeWorkload(name, size, 16 * bench.device.info().multiprocessors);
    Contest contest(bench, peer, workload);
    const double error = contest.verify();
    const auto [our, their] = contest.measure(samples);
    ratios.push_back(our.median / their.median);
    row(std::array<std::string, 7>{workload.kernel, workload.label, text(our), text(their), atMost(ratios.back(), 1.05),
                                   throughput(workload, our.median), text(error * 1e6) + " ppm"});
    if (error <= workload.tolerance) continue;
    say("**Wrong result**: " + workload.kernel + " differs from the host's by " + std::to_string(error) + ".");
    right = false;
  }
  say("Geometric mean: " + text(geometricMean(ratios)) + ".");
  return right;
}

int gpuKernels(Arguments arguments) {
  const int index = int(option(arguments, "--device", 0));
  say("## Kernels on an NVIDIA GPU");
  std::string why;
  auto driver = CudaDriver::open(index, why);
  if (!driver) {
    say("Skipped: " + why + ".");
    return 0;
  }
  Device device = need(Device::open("cuda", index));
  Stream stream = need(device.createStream());
  if (!stream.nativeHandle()) fail("gpu: Lathe's stream has no handle of the driver's");
  Bench bench{*driver, device, std::move(stream), {}};
  const DeviceInfo& info = bench.device.info();
  say(info.name + ", " + info.arch + ", driver " + info.driverVersion + ", " + text(driver->cacheBytes() / 1048576.0) +
      " MB of L2.");
  launchCost(bench, std::max(option(arguments, "--launches", 10000), 100u));
  return kernels(bench, std::max(option(arguments, "--samples", 30), 1u)) ? 0 : 1;
}

}  // namespace
}  // namespace lathe::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  return lathe::bench::gpuKernels(words);
}
