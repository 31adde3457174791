// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libcuda.so.1 for tests: device memory is host memory, modules are recognised by their first bytes, launches are
// recorded, and any function can be told to fail.
#include "fake_cuda.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

lathe::test::FakeCuda state;

int dummy[8];  // contexts, modules, functions are addresses of these

}  // namespace

#define FAKE_CUDA(name, parameters) LATHE_FAKE(int, name, parameters)
#define FAKE_FAIL(name) \
  if (const int status = state.statusOf(name)) return status

LATHE_FAKE(lathe::test::FakeCuda*, fakeCuda, ()) {
  return &state;
}

FAKE_CUDA(cuInit, (unsigned)) {
  return 0;
}
FAKE_CUDA(cuDriverGetVersion, (int* version)) {
  return *version = state.driverVersion, 0;
}
FAKE_CUDA(cuGetErrorName, (int status, const char** text)) {
  return *text = status == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OTHER", 0;
}
FAKE_CUDA(cuGetErrorString, (int status, const char** text)) {
  return *text = status == 2 ? "out of memory" : "other error", 0;
}
FAKE_CUDA(cuDeviceGetCount, (int* count)) {
  return *count = 1, 0;
}
FAKE_CUDA(cuDeviceGet, (int* device, int ordinal)) {
  return *device = ordinal, 0;
}
FAKE_CUDA(cuDeviceGetName, (char* name, int length, int)) {
  return std::strncpy(name, "Fake", static_cast<std::size_t>(length)), 0;
}
FAKE_CUDA(cuDeviceTotalMem_v2, (std::size_t* bytes, int)) {
  return *bytes = 1 << 30, 0;
}
FAKE_CUDA(cuDeviceGetAttribute, (int* value, int attribute, int)) {
  static const std::map<int, int> values = {{1, 1024},  {2, 1024},  {3, 1024},        {4, 64},   {5, 2147483647},
                                            {6, 65535}, {7, 65535}, {10, 32},         {16, 132}, {75, 9},
                                            {76, 0},    {95, 1},    {97, 227 * 1024}, {120, 1}};
  const auto found = values.find(attribute);
  if (found == values.end()) return 1;
  return *value = found->second, 0;
}
FAKE_CUDA(cuDevicePrimaryCtxRetain, (void** context, int)) {
  FAKE_FAIL("cuDevicePrimaryCtxRetain");
  ++state.contexts;
  return *context = &dummy[0], 0;
}
FAKE_CUDA(cuDevicePrimaryCtxRelease_v2, (int)) {
  return --state.contexts, 0;
}
FAKE_CUDA(cuCtxGetCurrent, (void** context)) {
  return *context = state.current, 0;
}
FAKE_CUDA(cuCtxGetDevice, (int* device)) {
  FAKE_FAIL("cuCtxGetDevice");
  return *device = 0, 0;
}
FAKE_CUDA(cuCtxSetCurrent, (void* context)) {
  return ++state.contextSwitches, state.current = context, 0;
}
FAKE_CUDA(cuCtxSynchronize, ()) {
  FAKE_FAIL("cuCtxSynchronize");
  return 0;
}

FAKE_CUDA(cuModuleLoadDataEx, (void** module, const void* code, unsigned count, int* options, void** values)) {
  FAKE_FAIL("cuModuleLoadDataEx");
  const std::string text(static_cast<const char*>(code));  // reads up to the zero byte, as the driver does
  std::strncpy(state.loaded, text.c_str(), sizeof(state.loaded) - 1);
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == 7) state.optLevel = static_cast<unsigned>(reinterpret_cast<std::size_t>(values[i]));
  }
  for (unsigned i = 0; i + 1 < count; ++i) {
    if (options[i] == 5 && options[i + 1] == 6 && text.starts_with("bad")) {
      std::strncpy(static_cast<char*>(values[i]), "line 1: syntax error\nline 2: more",
                   reinterpret_cast<std::size_t>(values[i + 1]));
    }
  }
  if (text.starts_with("bad")) return 218;
  if (text.starts_with("future")) return 222;
  if (text.starts_with("foreign")) return 209;
  ++state.modules;
  return *module = &dummy[1], 0;
}
/// What is linked; the code that comes of it says of what.
std::string linked;
FAKE_CUDA(cuLinkCreate_v2, (unsigned, int*, void**, void** link)) {
  FAKE_FAIL("cuLinkCreate_v2");
  ++state.links;
  ++state.linksSoFar;
  linked.clear();
  return *link = &dummy[4], 0;
}
FAKE_CUDA(cuLinkAddData_v2, (void*, int kind, void* code, std::size_t bytes, const char*, unsigned, int*, void**)) {
  const std::string text(static_cast<const char*>(code));
  if (kind != 1 || bytes != text.size() + 1 || text.starts_with("bad")) return 218;
  return linked += text, 0;
}
FAKE_CUDA(cuLinkAddFile_v2, (void*, int kind, const char* path, unsigned, int*, void**)) {
  if (kind != 4) return 1;
  return linked += std::string(" + ") + path, 0;
}
FAKE_CUDA(cuLinkComplete, (void*, void** cubin, std::size_t* bytes)) {
  *cubin = linked.data();
  return *bytes = linked.size(), 0;
}
FAKE_CUDA(cuLinkDestroy, (void*)) {
  return --state.links, 0;
}
FAKE_CUDA(cuModuleUnload, (void*)) {
  return --state.modules, 0;
}
FAKE_CUDA(cuModuleGetFunction, (void** function, void*, const char* name)) {
  if (std::strcmp(name, "missing") == 0) return 500;
  return *function = &dummy[std::strchr(name, '$') ? 4 : 2], 0;
}
FAKE_CUDA(cuModuleGetGlobal_v2, (unsigned long long* address, std::size_t* bytes, void*, const char*)) {
  *bytes = sizeof(dummy[3]);
  return *address = reinterpret_cast<unsigned long long>(&dummy[3]), 0;
}
FAKE_CUDA(cuFuncGetAttribute, (int* value, int attribute, void*)) {
  // Most threads, shared, constant, local, registers, PTX's architecture, the machine code's.
  static constexpr int values[] = {512, 2048, 16, 24, 40, 80, 90};
  if (attribute < 0 || attribute > 6) return 1;
  return *value = values[attribute], 0;
}
FAKE_CUDA(cuFuncSetAttribute, (void*, int attribute, int value)) {
  FAKE_FAIL("cuFuncSetAttribute");
  if (attribute != 8) return 1;
  return ++state.optIns, state.allowedDynamic = value, 0;
}
FAKE_CUDA(cuLaunchKernel, (void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                           unsigned shared, void* stream, void** parameters, void** extra)) {
  FAKE_FAIL("cuLaunchKernel");
  const unsigned shape[] = {gx, gy, gz, bx, by, bz, shared};
  std::memcpy(state.shape, shape, sizeof(shape));
  state.coarse = function == &dummy[4];
  state.stream = stream;
  for (int i = 0; i < state.argumentCount; ++i) std::memcpy(state.arguments[i], parameters[i], state.argumentBytes[i]);
  if (state.kernel) state.kernel(parameters);
  ++state.launches;
  return extra ? 1 : 0;
}

struct LaunchAttribute {
  int kind;
  alignas(8) unsigned value[16];
};
struct LaunchConfig {
  unsigned shape[7];
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attributeCount;
};
FAKE_CUDA(cuLaunchKernelEx, (const LaunchConfig* config, void* function, void** parameters, void** extra)) {
  FAKE_FAIL("cuLaunchKernelEx");
  for (unsigned i = 0; i < config->attributeCount; ++i) {
    const LaunchAttribute& attribute = config->attributes[i];
    switch (attribute.kind) {
      case 2:
        state.cooperative = attribute.value[0];
        break;
      case 4:
        std::memcpy(state.cluster, attribute.value, sizeof(state.cluster));
        break;
      default:
        return 1;
    }
  }
  const unsigned* s = config->shape;
  return cuLaunchKernel(function, s[0], s[1], s[2], s[3], s[4], s[5], s[6], config->stream, parameters, extra);
}

FAKE_CUDA(cuMemAlloc_v2, (unsigned long long* address, std::size_t bytes)) {
  FAKE_FAIL("cuMemAlloc_v2");
  if (bytes > (1u << 30)) return 2;
  ++state.buffers;
  return *address = reinterpret_cast<unsigned long long>(std::malloc(bytes)), 0;
}
FAKE_CUDA(cuMemFree_v2, (unsigned long long address)) {
  return --state.buffers, std::free(reinterpret_cast<void*>(address)), 0;
}
FAKE_CUDA(cuMemHostAlloc, (void** address, std::size_t bytes, unsigned)) {
  FAKE_FAIL("cuMemHostAlloc");
  ++state.hostBuffers;
  return *address = std::malloc(bytes), 0;
}
FAKE_CUDA(cuMemFreeHost, (void* address)) {
  return --state.hostBuffers, std::free(address), 0;
}
FAKE_CUDA(cuMemcpyHtoD_v2, (unsigned long long to, const void* from, std::size_t bytes)) {
  FAKE_FAIL("cuMemcpyHtoD_v2");
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), 0;
}
FAKE_CUDA(cuMemcpyDtoH_v2, (void* to, unsigned long long from, std::size_t bytes)) {
  FAKE_FAIL("cuMemcpyDtoH_v2");
  return std::memcpy(to, reinterpret_cast<const void*>(from), bytes), 0;
}
FAKE_CUDA(cuMemsetD8_v2, (unsigned long long to, unsigned char value, std::size_t bytes)) {
  return std::memset(reinterpret_cast<void*>(to), value, bytes), 0;
}
FAKE_CUDA(cuStreamCreate, (void** stream, unsigned)) {
  return ++state.streams, *stream = &dummy[4], 0;
}
FAKE_CUDA(cuStreamDestroy_v2, (void*)) {
  return --state.streams, 0;
}
FAKE_CUDA(cuStreamSynchronize, (void*)) {
  FAKE_FAIL("cuStreamSynchronize");
  return 0;
}
FAKE_CUDA(cuStreamWaitEvent, (void*, void*, unsigned)) {
  FAKE_FAIL("cuStreamWaitEvent");
  return 0;
}
FAKE_CUDA(cuEventCreate, (void** event, unsigned)) {
  return ++state.events, *event = &dummy[5], 0;
}
FAKE_CUDA(cuEventDestroy_v2, (void*)) {
  return --state.events, 0;
}
FAKE_CUDA(cuEventRecord, (void*, void*)) {
  return 0;
}
FAKE_CUDA(cuEventSynchronize, (void*)) {
  FAKE_FAIL("cuEventSynchronize");
  return 0;
}
FAKE_CUDA(cuEventElapsedTime, (float* milliseconds, void*, void*)) {
  return *milliseconds = 1.5f, 0;
}
