// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the opencl runtime adds to the calls of an OpenCL library: queueing a launch, and making a kernel of an image
// that can be launched, beside the same by the library alone, in one process on one device. Samples take turns.
// Declarations after the OpenCL API specification; handles are opaque.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <lathe/runtime.h>

#include "kernels.h"
#include "measure.h"

namespace lathe::bench {
namespace {

using Handle = void*;
using Status = int;

struct Calls {
  Status (*getPlatforms)(std::uint32_t, Handle*, std::uint32_t*);
  Status (*getDevices)(Handle, std::uint64_t, std::uint32_t, Handle*, std::uint32_t*);
  Handle (*createContext)(const std::intptr_t*, std::uint32_t, const Handle*, Handle, Handle, Status*);
  Handle (*createQueue)(Handle, Handle, const std::uint64_t*, Status*);
  Handle (*createProgram)(Handle, const void*, std::size_t, Status*);
  Status (*buildProgram)(Handle, std::uint32_t, const Handle*, const char*, Handle, Handle);
  Status (*releaseProgram)(Handle);
  Handle (*createKernel)(Handle, const char*, Status*);
  Status (*releaseKernel)(Handle);
  Status (*setArgument)(Handle, std::uint32_t, std::size_t, const void*);
  Status (*setPointer)(Handle, std::uint32_t, const void*);
  void* (*allocate)(Handle, std::uint64_t, std::size_t, std::uint32_t);
  Status (*enqueueKernel)(Handle, Handle, std::uint32_t, const std::size_t*, const std::size_t*, const std::size_t*,
                          std::uint32_t, const Handle*, Handle*);
  Status (*flush)(Handle);
  Status (*finish)(Handle);
};

Calls bindCalls(const Library& library) {
  Calls calls{};
  library.bind(calls.getPlatforms, "clGetPlatformIDs");
  library.bind(calls.getDevices, "clGetDeviceIDs");
  library.bind(calls.createContext, "clCreateContext");
  library.bind(calls.createQueue, "clCreateCommandQueueWithProperties");
  library.bind(calls.createProgram, "clCreateProgramWithIL");
  library.bind(calls.buildProgram, "clBuildProgram");
  library.bind(calls.releaseProgram, "clReleaseProgram");
  library.bind(calls.createKernel, "clCreateKernel");
  library.bind(calls.releaseKernel, "clReleaseKernel");
  library.bind(calls.setArgument, "clSetKernelArg");
  library.bind(calls.setPointer, "clSetKernelArgSVMPointer");
  library.bind(calls.allocate, "clSVMAlloc");
  library.bind(calls.enqueueKernel, "clEnqueueNDRangeKernel");
  library.bind(calls.flush, "clFlush");
  library.bind(calls.finish, "clFinish");
  return calls;
}

void check(Status status, const char* call) {
  if (status != 0) fail(std::string("opencl_launch: ") + call + ": error " + std::to_string(status));
}

/// The first device of the library, with a queue.
class RawDevice {
 public:
  explicit RawDevice(const Library& library) : calls_(bindCalls(library)) {
    Handle platform = nullptr;
    Status status = 0;
    check(calls_.getPlatforms(1, &platform, nullptr), "clGetPlatformIDs");
    check(calls_.getDevices(platform, 0xFFFFFFFF, 1, &device_, nullptr), "clGetDeviceIDs");
    context_ = calls_.createContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    // As Lathe has its own: with times of what is on it (CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE).
    static constexpr std::uint64_t profiled[] = {0x1093, 2, 0};
    queue_ = calls_.createQueue(context_, device_, profiled, &status);
    check(status, "clCreateCommandQueueWithProperties");
  }

  struct Kernel {
    Handle program = nullptr, kernel = nullptr;
  };
  [[nodiscard]] Kernel build(const Code& code, const std::string& symbol) const {
    Status status = 0;
    Kernel out;
    out.program = calls_.createProgram(context_, code.bytes.data(), code.bytes.size(), &status);
    check(status, "clCreateProgramWithIL");
    check(calls_.buildProgram(out.program, 1, &device_, "", nullptr, nullptr), "clBuildProgram");
    out.kernel = calls_.createKernel(out.program, symbol.c_str(), &status);
    check(status, "clCreateKernel");
    return out;
  }
  void release(const Kernel& kernel) const {
    check(calls_.releaseKernel(kernel.kernel), "clReleaseKernel");
    check(calls_.releaseProgram(kernel.program), "clReleaseProgram");
  }
  [[nodiscard]] void* allocate(std::size_t bytes) const {
    constexpr std::uint64_t readWrite = 1;
    return calls_.allocate(context_, readWrite, bytes, 0);
  }
  void setArguments(Handle kernel, unsigned n, float a, const void* x) const {
    check(calls_.setArgument(kernel, 0, sizeof(n), &n), "clSetKernelArg");
    check(calls_.setArgument(kernel, 1, sizeof(a), &a), "clSetKernelArg");
    check(calls_.setPointer(kernel, 2, x), "clSetKernelArgSVMPointer");
  }
  void enqueue(Handle kernel, std::size_t groups, std::size_t items) const {
    const std::size_t global = groups * items;
    check(calls_.enqueueKernel(queue_, kernel, 1, nullptr, &global, &items, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }
  void flush() const { check(calls_.flush(queue_), "clFlush"); }
  void finish() const { check(calls_.finish(queue_), "clFinish"); }

 private:
  Calls calls_;
  Handle device_ = nullptr, context_ = nullptr, queue_ = nullptr;
};

constexpr double goal = 1.05;
constexpr unsigned groupCount = 4;

/// One way to do something, and its wait.
struct Way {
  std::string name;
  std::function<void()> run, wait;
};

/// Microseconds of each call, in rounds of `together` by each way that end with a wait. The first are not kept.
std::vector<Summary> times(const std::vector<Way>& ways, unsigned rounds, unsigned together) {
  constexpr unsigned warmUps = 5;
  std::vector<std::vector<double>> out(ways.size());
  for (unsigned round = 0; round < rounds + warmUps; ++round) {
    for (std::size_t turn = 0; turn < ways.size(); ++turn) {
      const std::size_t at = (turn + round) % ways.size();
      const double time = 1000 * milliseconds([&] {
        for (unsigned i = 0; i < together; ++i) ways[at].run();
      });
      if (round >= warmUps) out[at].push_back(time / together);
      ways[at].wait();
    }
  }
  std::vector<Summary> summaries;
  for (const auto& samples : out) summaries.push_back(summarise(samples));
  return summaries;
}

void launches(const RawDevice& raw, const Device& device, const Image& image, unsigned samples) {
  const std::string name(emptyKernel().name);
  const Module module = need(device.load(image));
  const RawKernel untyped = need(module.rawKernel(name));
  const auto typed = need(module.kernel<unsigned, float, float*>(name));
  Buffer<float> memory = need(device.allocate<float>(256));
  Stream stream = need(device.createStream());
  const LaunchOptions options = {.grid = {groupCount}, .group = {lineGroup}, .stream = &stream};
  unsigned n = 1;
  float a = 2;
  float* x = memory.data();
  const std::array<const void*, 3> arguments = {&n, &a, &x};

  const RawDevice::Kernel kernel = raw.build(*image.find("spv"), untyped.entry().symbol);
  const void* const own = raw.allocate(1024);
  raw.setArguments(kernel.kernel, n, a, own);
  const auto rawWait = [&] { raw.finish(); };
  const auto wait = [&] { need(stream.synchronize()); };
  const std::vector<Way> ways = {
      {"clEnqueueNDRangeKernel, clFlush",
       [&] {
         raw.enqueue(kernel.kernel, groupCount, lineGroup);
         raw.flush();
       },
       rawWait},
      {"clSetKernelArg, clEnqueueNDRangeKernel, clFlush",
       [&] {
         raw.setArguments(kernel.kernel, n, a, own);
         raw.enqueue(kernel.kernel, groupCount, lineGroup);
         raw.flush();
       },
       rawWait},
      {"RawKernel::launch", [&] { need(untyped.launch(options, arguments)); }, wait},
      {"Kernel<…>", [&] { need(typed(options, n, a, x)); }, wait},
  };
  constexpr unsigned together = 50;
  const auto all = times(ways, samples, together);
  header("Launch enqueue (µs, median of " + std::to_string(samples) + " samples of " + std::to_string(together) + ")",
         std::array<std::string, 4>{"call", "time", "over the first", "over the second"});
  for (std::size_t way = 0; way < ways.size(); ++way) {
    // A launch hands over its arguments, so the goal is about the way that does.
    const double overArguments = all[way].median / all[1].median;
    row(std::array<std::string, 4>{ways[way].name, text(all[way]), text(all[way].median / all[0].median),
                                   way < 2 ? text(overArguments) : atMost(overArguments, goal)});
  }
  raw.release(kernel);
}

void loads(const RawDevice& raw, const Device& device, const ScratchFolder& folder, unsigned samples) {
  header("From an image to a kernel (ms)", std::array<std::string, 4>{"kernel", "OpenCL's calls", "Lathe", "ratio"});
  std::vector<double> ratios;
  for (const KernelSource& source : computeKernels()) {
    const std::string name(source.name);
    const Image image = compileWithTool(folder, source, "spirv:" + device.info().arch);
    const std::string symbol = image.info().entries.front().symbol;
    const std::vector<Way> ways = {{"raw", [&] { raw.release(raw.build(*image.find("spv"), symbol)); }, [] {}},
                                   {"Lathe",
                                    [&] {
                                      const Module module = need(device.load(image));
                                      (void)need(module.rawKernel(name));
                                    },
                                    [] {}}};
    const auto both = times(ways, samples, 1);
    ratios.push_back(both[1].median / both[0].median);
    const auto ms = [](Summary of) {
      of.median /= 1000, of.least /= 1000, of.most /= 1000;
      return text(of);
    };
    row(std::array<std::string, 4>{name, ms(both[0]), ms(both[1]), text(ratios.back())});
  }
  say("Geometric mean: " + atMost(geometricMean(ratios), goal) + ".");
}

int openclLaunch(Arguments arguments) {
  const unsigned samples = option(arguments, "--samples", 200U);
  const char* const named = std::getenv("LATHE_OPENCL_LIBRARY");
  const auto library = Library::open(std::array<std::string, 2>{named ? named : "", "libOpenCL.so.1"});
  auto device = Device::open("opencl");
  say("## Launches and loads by OpenCL");
  if (!library || !device) {
    say("There is no OpenCL device: " + (device ? std::string("no library") : device.error().render()));
    return 0;
  }
  say(device->info().name + ", driver " + device->info().driverVersion + ".");
  const RawDevice raw(*library);
  const ScratchFolder folder;
  const Image image = compileWithTool(folder, emptyKernel(), "spirv:" + device->info().arch);
  launches(raw, *device, image, samples);
  loads(raw, *device, folder, std::min(samples, 25U));
  return 0;
}

}  // namespace
}  // namespace lathe::bench

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  return lathe::bench::openclLaunch(arguments);
}
