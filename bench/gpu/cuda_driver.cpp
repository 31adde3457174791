// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binding and errors of the CUDA driver.
#include "cuda_driver.h"

#include <array>

#include "../measure.h"

namespace lathe::bench::gpu {

std::optional<CudaDriver> CudaDriver::open(int device, std::string& why) {
  const auto library = Library::open(std::array<std::string, 1>{"libcuda.so.1"});
  if (!library) {
    why = "no NVIDIA driver (libcuda.so.1)";
    return std::nullopt;
  }
  CudaDriver out;
  library->bind(out.init_, "cuInit");
  library->bind(out.getDevice_, "cuDeviceGet");
  library->bind(out.getAttribute_, "cuDeviceGetAttribute");
  library->bind(out.retainContext_, "cuDevicePrimaryCtxRetain");
  library->bind(out.setContext_, "cuCtxSetCurrent");
  library->bind(out.loadModule_, "cuModuleLoadData");
  library->bind(out.getFunction_, "cuModuleGetFunction");
  library->bind(out.getFunctionAttribute_, "cuFuncGetAttribute");
  library->bind(out.launchKernel_, "cuLaunchKernel");
  library->bind(out.createEvent_, "cuEventCreate");
  library->bind(out.recordEvent_, "cuEventRecord");
  library->bind(out.synchronizeEvent_, "cuEventSynchronize");
  library->bind(out.elapsedTime_, "cuEventElapsedTime");
  library->bind(out.synchronizeStream_, "cuStreamSynchronize");
  library->bind(out.beginCapture_, "cuStreamBeginCapture_v2");
  library->bind(out.endCapture_, "cuStreamEndCapture");
  library->bind(out.instantiateGraph_, "cuGraphInstantiateWithFlags");
  library->bind(out.launchGraph_, "cuGraphLaunch");
  library->bind(out.getErrorName_, "cuGetErrorName");
  if (const int code = out.init_(0)) {
    why = "cuInit: error " + std::to_string(code);
    return std::nullopt;
  }
  if (const int code = out.getDevice_(&out.device_, device)) {
    why = "no device " + std::to_string(device) + ": error " + std::to_string(code);
    return std::nullopt;
  }
  void* context = nullptr;
  out.check("cuDevicePrimaryCtxRetain", out.retainContext_(&context, out.device_));
  out.check("cuCtxSetCurrent", out.setContext_(context));
  return out;
}

CudaDriver::GraphRun CudaDriver::capture(StreamHandle stream, const std::function<void()>& queue) const {
  constexpr int threadLocal = 1;  // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
  void* graph = nullptr;
  GraphRun out = nullptr;
  check("cuStreamBeginCapture", beginCapture_(stream, threadLocal));
  queue();
  check("cuStreamEndCapture", endCapture_(stream, &graph));
  check("cuGraphInstantiate", instantiateGraph_(&out, graph, 0));
  return out;
}

int CudaDriver::cacheBytes() const {
  constexpr int l2CacheSize = 38;  // CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
  int bytes = 0;
  check("cuDeviceGetAttribute", getAttribute_(&bytes, l2CacheSize, device_));
  return bytes;
}

CudaDriver::Function CudaDriver::load(const std::string& code, const std::string& symbol) const {
  void* module = nullptr;
  Function function = nullptr;
  check("cuModuleLoadData", loadModule_(&module, code.c_str()));
  check("cuModuleGetFunction", getFunction_(&function, module, symbol.c_str()));
  return function;
}

CudaDriver::Use CudaDriver::resources(Function function) const {
  constexpr int localSizeBytes = 3, numberOfRegisters = 4;  // CU_FUNC_ATTRIBUTE_…
  Use out;
  check("cuFuncGetAttribute", getFunctionAttribute_(&out.registers, numberOfRegisters, function));
  check("cuFuncGetAttribute", getFunctionAttribute_(&out.localBytes, localSizeBytes, function));
  return out;
}

CudaDriver::Event CudaDriver::createEvent() const {
  Event event = nullptr;
  check("cuEventCreate", createEvent_(&event, 0));
  return event;
}

void CudaDriver::record(Event event, StreamHandle stream) const {
  check("cuEventRecord", recordEvent_(event, stream));
}

double CudaDriver::elapsed(Event begin, Event end) const {
  float milliseconds = 0;
  check("cuEventSynchronize", synchronizeEvent_(end));
  check("cuEventElapsedTime", elapsedTime_(&milliseconds, begin, end));
  return double(milliseconds);
}

void CudaDriver::synchronize(StreamHandle stream) const {
  check("cuStreamSynchronize", synchronizeStream_(stream));
}

void CudaDriver::refuse(const char* call, int code) const {
  const char* name = nullptr;
  getErrorName_(code, &name);
  fail(std::string("cuda: ") + call + ": " + (name ? name : "error " + std::to_string(code)));
}

}  // namespace lathe::bench::gpu
