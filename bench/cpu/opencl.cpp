// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL 1.2 host calls for one CPU device. Declarations after the specification's section 4 and 5; handles are opaque.
#include "opencl.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lathe::bench {
namespace {

using Handle = void*;
constexpr std::uint32_t platformName = 0x0902, platformVersion = 0x0901, deviceName = 0x102B, buildLog = 0x1183;
constexpr std::uint64_t deviceTypeCpu = 2, memReadWrite = 1, memUseHostPointer = 8;

struct Calls {
  int (*getPlatforms)(std::uint32_t, Handle*, std::uint32_t*);
  int (*getPlatformInfo)(Handle, std::uint32_t, std::size_t, void*, std::size_t*);
  int (*getDevices)(Handle, std::uint64_t, std::uint32_t, Handle*, std::uint32_t*);
  int (*getDeviceInfo)(Handle, std::uint32_t, std::size_t, void*, std::size_t*);
  Handle (*createContext)(const std::intptr_t*, std::uint32_t, const Handle*, Handle, Handle, int*);
  Handle (*createQueue)(Handle, Handle, std::uint64_t, int*);
  Handle (*createProgram)(Handle, std::uint32_t, const char**, const std::size_t*, int*);
  int (*buildProgram)(Handle, std::uint32_t, const Handle*, const char*, Handle, Handle);
  int (*getBuildInfo)(Handle, Handle, std::uint32_t, std::size_t, void*, std::size_t*);
  Handle (*createKernel)(Handle, const char*, int*);
  int (*setArgument)(Handle, std::uint32_t, std::size_t, const void*);
  Handle (*createBuffer)(Handle, std::uint64_t, std::size_t, void*, int*);
  int (*enqueueKernel)(Handle, Handle, std::uint32_t, const std::size_t*, const std::size_t*, const std::size_t*,
                       std::uint32_t, const Handle*, Handle*);
  int (*enqueueRead)(Handle, Handle, std::uint32_t, std::size_t, std::size_t, void*, std::uint32_t, const Handle*,
                     Handle*);
  int (*finish)(Handle);
  int (*releaseBuffer)(Handle);
  int (*releaseKernel)(Handle);
  int (*releaseProgram)(Handle);
  int (*releaseQueue)(Handle);
  int (*releaseContext)(Handle);
};

Calls bindCalls(const Library& library) {
  Calls calls{};
  library.bind(calls.getPlatforms, "clGetPlatformIDs");
  library.bind(calls.getPlatformInfo, "clGetPlatformInfo");
  library.bind(calls.getDevices, "clGetDeviceIDs");
  library.bind(calls.getDeviceInfo, "clGetDeviceInfo");
  library.bind(calls.createContext, "clCreateContext");
  library.bind(calls.createQueue, "clCreateCommandQueue");
  library.bind(calls.createProgram, "clCreateProgramWithSource");
  library.bind(calls.buildProgram, "clBuildProgram");
  library.bind(calls.getBuildInfo, "clGetProgramBuildInfo");
  library.bind(calls.createKernel, "clCreateKernel");
  library.bind(calls.setArgument, "clSetKernelArg");
  library.bind(calls.createBuffer, "clCreateBuffer");
  library.bind(calls.enqueueKernel, "clEnqueueNDRangeKernel");
  library.bind(calls.enqueueRead, "clEnqueueReadBuffer");
  library.bind(calls.finish, "clFinish");
  library.bind(calls.releaseBuffer, "clReleaseMemObject");
  library.bind(calls.releaseKernel, "clReleaseKernel");
  library.bind(calls.releaseProgram, "clReleaseProgram");
  library.bind(calls.releaseQueue, "clReleaseCommandQueue");
  library.bind(calls.releaseContext, "clReleaseContext");
  return calls;
}

void check(int code, std::string_view call) {
  if (code != 0) fail("opencl: " + std::string(call) + ": error " + std::to_string(code));
}

std::string platformText(const Calls& calls, Handle platform, std::uint32_t what) {
  std::array<char, 512> buffer{};
  return calls.getPlatformInfo(platform, what, buffer.size() - 1, buffer.data(), nullptr) == 0 ? buffer.data() : "";
}

}  // namespace

struct OpenClPeer::State {
  Calls calls{};
  Handle device = nullptr, context = nullptr, queue = nullptr, program = nullptr, kernel = nullptr;
  std::string description;
  std::vector<Handle> buffers;
  std::array<std::size_t, 3> global{}, local{};
  std::size_t outputBytes = 0;

  bool findDevice(const OpenClVendor& vendor, std::string& why) {
    std::uint32_t count = 0;
    std::array<Handle, 16> platforms{};
    calls.getPlatforms(std::uint32_t(platforms.size()), platforms.data(), &count);
    for (std::uint32_t i = 0; i < count && i < platforms.size(); ++i) {
      if (!platformText(calls, platforms[i], platformName).starts_with(vendor.platform)) continue;
      if (calls.getDevices(platforms[i], deviceTypeCpu, 1, &device, nullptr) != 0) continue;
      std::array<char, 256> name{};
      calls.getDeviceInfo(device, deviceName, name.size() - 1, name.data(), nullptr);
      description = platformText(calls, platforms[i], platformVersion) + ", " + name.data();
      return true;
    }
    why = std::to_string(count) + " OpenCL platforms, none of them " + std::string(vendor.name) + " with a CPU";
    return false;
  }

  void build(std::string_view source) {
    int code = 0;
    context = calls.createContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue = calls.createQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    const char* text = source.data();
    const std::size_t length = source.size();
    program = calls.createProgram(context, 1, &text, &length, &code);
    check(code, "clCreateProgramWithSource");
    if (calls.buildProgram(program, 1, &device, "-cl-std=CL1.2 -cl-mad-enable", nullptr, nullptr) == 0) return;
    std::vector<char> log(65536);
    calls.getBuildInfo(program, device, buildLog, log.size() - 1, log.data(), nullptr);
    fail("opencl: the kernels do not build:\n" + std::string(log.data()));
  }

  void releaseWorkload() {
    for (Handle buffer : buffers) calls.releaseBuffer(buffer);
    buffers.clear();
    if (kernel) calls.releaseKernel(kernel);
    kernel = nullptr;
  }
};

OpenClPeer::OpenClPeer(std::unique_ptr<State> state) : state_(std::move(state)) {}

std::unique_ptr<OpenClPeer> OpenClPeer::open(const OpenClVendor& vendor, std::string_view source, std::string& why) {
  const auto library = Library::open(std::array<std::string, 1>{vendor.library});
  if (!library) {
    why = vendor.library.empty() ? "not named" : vendor.library + " does not open";
    return nullptr;
  }
  auto state = std::make_unique<State>();
  state->calls = bindCalls(*library);
  if (!state->findDevice(vendor, why)) return nullptr;
  state->build(source);
  return std::unique_ptr<OpenClPeer>(new OpenClPeer(std::move(state)));
}

OpenClPeer::~OpenClPeer() {
  state_->releaseWorkload();
  state_->calls.releaseProgram(state_->program);
  state_->calls.releaseQueue(state_->queue);
  state_->calls.releaseContext(state_->context);
}

const std::string& OpenClPeer::description() const noexcept {
  return state_->description;
}

void OpenClPeer::bind(const Workload& workload, std::span<float* const> memory) {
  State& s = *state_;
  s.releaseWorkload();
  int code = 0;
  s.kernel = s.calls.createKernel(s.program, workload.kernel.c_str(), &code);
  check(code, "clCreateKernel");
  for (std::size_t i = 0; i < workload.buffers.size(); ++i) {
    s.buffers.push_back(s.calls.createBuffer(s.context, memReadWrite | memUseHostPointer,
                                             workload.buffers[i] * sizeof(float), memory[i], &code));
    check(code, "clCreateBuffer");
  }
  for (std::uint32_t i = 0; i < workload.arguments.size(); ++i) {
    const Argument& argument = workload.arguments[i];
    if (argument.isBuffer)
      check(s.calls.setArgument(s.kernel, i, sizeof(Handle), &s.buffers[argument.bits]), "clSetKernelArg");
    else
      check(s.calls.setArgument(s.kernel, i, sizeof(argument.bits), &argument.bits), "clSetKernelArg");
  }
  s.local = {workload.group.x, workload.group.y, workload.group.z};
  s.global = {std::size_t{workload.grid.x} * workload.group.x, std::size_t{workload.grid.y} * workload.group.y,
              std::size_t{workload.grid.z} * workload.group.z};
  s.outputBytes = workload.buffers.back() * sizeof(float);
}

void OpenClPeer::launch() {
  State& s = *state_;
  check(s.calls.enqueueKernel(s.queue, s.kernel, 3, nullptr, s.global.data(), s.local.data(), 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(s.calls.finish(s.queue), "clFinish");
}

void OpenClPeer::readOutput(std::span<float> out) {
  State& s = *state_;
  check(s.calls.enqueueRead(s.queue, s.buffers.back(), 1, 0, s.outputBytes, out.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
}

}  // namespace lathe::bench
