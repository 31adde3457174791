// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libOpenCL.so.1 for tests: one device, which is what the test says it is; shared memory is host memory, and any
// function can be told to fail.
#include "fake_opencl.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtimes/opencl/opencl_types.h"

using namespace lathe::detail;

namespace {

lathe::test::FakeOpenCl state;
int dummy[8];  // handles are addresses of these

template <class T>
T handle(int which) {
  return reinterpret_cast<T>(&dummy[which]);
}

/// Answers a query as OpenCL does.
ClStatus answer(const void* value, std::size_t bytes, std::size_t room, void* out, std::size_t* size) {
  if (size) *size = bytes;
  if (!out) return 0;
  if (room < bytes) return ClError::invalidValue;
  return std::memcpy(out, value, bytes), 0;
}
ClStatus answer(std::string_view text, std::size_t room, void* out, std::size_t* size) {
  return answer(text.data(), text.size() + 1, room, out, size);
}

/// A status for functions that also give a handle.
template <class T>
T made(const char* function, T value, int& alive, ClStatus* status) {
  *status = state.statusOf(function);
  if (*status != 0) return nullptr;
  return ++alive, value;
}

}  // namespace

#define FAKE_CL(name, parameters) LATHE_FAKE(ClStatus, cl##name, parameters)
#define FAKE_FAIL(name) \
  if (const ClStatus status = state.statusOf("cl" name)) return status

LATHE_FAKE(lathe::test::FakeOpenCl*, fakeOpenCl, ()) {
  return &state;
}

FAKE_CL(GetPlatformIDs, (std::uint32_t, ClPlatform* platforms, std::uint32_t* count)) {
  if (state.platforms == 0) return ClError::platformNotFound;
  if (platforms) *platforms = handle<ClPlatform>(0);
  if (count) *count = state.platforms;
  return 0;
}
FAKE_CL(GetPlatformInfo, (ClPlatform, std::uint32_t what, std::size_t bytes, void* value, std::size_t* size)) {
  return answer(what == ClPlatformInfo::version ? state.version : "Fake platform", bytes, value, size);
}
FAKE_CL(GetDeviceIDs, (ClPlatform, std::uint64_t, std::uint32_t, ClDevice* devices, std::uint32_t* count)) {
  if (state.devices == 0) return ClError::deviceNotFound;
  if (devices) *devices = handle<ClDevice>(1);
  if (count) *count = state.devices;
  return 0;
}
FAKE_CL(GetDeviceInfo, (ClDevice, std::uint32_t what, std::size_t room, void* out, std::size_t* size)) {
  const auto number = [&](auto value) { return answer(&value, sizeof(value), room, out, size); };
  switch (what) {
    case ClDeviceInfo::name:
      return answer("Fake", room, out, size);
    case ClDeviceInfo::version:
      return answer(state.version, room, out, size);
    case ClDeviceInfo::driverVersion:
      return answer("1.0", room, out, size);
    case ClDeviceInfo::languageVersion:
      return answer("OpenCL C 1.2", room, out, size);
    case ClDeviceInfo::ilVersion:
      return answer(state.ilVersion, room, out, size);
    case ClDeviceInfo::extensions:
      return answer(state.extensions, room, out, size);
    case ClDeviceInfo::languageVersions: {
      const ClNameVersion versions[] = {{1u << 22 | 2u << 12, "OpenCL C"}, {3u << 22, "OpenCL C"}};
      return answer(versions, sizeof(versions), room, out, size);
    }
    case ClDeviceInfo::subgroupSizes:
      if (!state.asksForSubgroups) return ClError::invalidValue;
      return answer(state.subgroups, sizeof(state.subgroups), room, out, size);
    case ClDeviceInfo::mostSubgroups:
      return number(std::uint32_t{state.givesSubgroups ? 8u : 0u});
    case ClDeviceInfo::maxItemSizes: {
      const std::size_t most[] = {512, 512, 64};
      return answer(most, sizeof(most), room, out, size);
    }
    case ClDeviceInfo::maxGroupItems:
      return number(std::size_t{512});
    case ClDeviceInfo::globalMemory:
      return number(std::uint64_t{1} << 30);
    case ClDeviceInfo::localMemory:
      return number(std::uint64_t{1} << 16);
    case ClDeviceInfo::svmCapabilities:
      return number(state.svm);
    case ClDeviceInfo::kernelClock:
      return number(state.kernelClock);
    case ClDeviceInfo::floatAtomics:
      return number(state.floatAtomics);
    case ClDeviceInfo::doubleAtomics:
      return number(state.doubleAtomics);
    case ClDeviceInfo::halfAtomics:
      return number(state.halfAtomics);
    case ClDeviceInfo::spirvExtensions:
      return answer(state.spirvExtensions, sizeof(state.spirvExtensions), room, out, size);
    case ClDeviceInfo::doubleAbilities:
      return number(state.doubles);
    case ClDeviceInfo::floatAbilities:
      return number(clExactDivision);
    case ClDeviceInfo::computeUnits:
      return number(std::uint32_t{4});
    case ClDeviceInfo::available:
      return number(std::uint32_t{state.available});
    case ClDeviceInfo::compiler:
      return number(std::uint32_t{state.compiler});
    case ClDeviceInfo::genericPointers:
      return number(std::uint32_t{state.genericPointers});
    default:
      return ClError::invalidValue;
  }
}

LATHE_FAKE(ClContext, clCreateContext,
           (const std::intptr_t*, std::uint32_t, const ClDevice*,
            void (*)(const char*, const void*, std::size_t, void*), void*, ClStatus* status)) {
  return made("clCreateContext", handle<ClContext>(2), state.contexts, status);
}
FAKE_CL(ReleaseContext, (ClContext)) {
  return --state.contexts, 0;
}
LATHE_FAKE(ClQueue, clCreateCommandQueueWithProperties, (ClContext, ClDevice, const std::uint64_t*, ClStatus* status)) {
  return made("clCreateCommandQueueWithProperties", handle<ClQueue>(3), state.queues, status);
}
FAKE_CL(ReleaseCommandQueue, (ClQueue)) {
  return --state.queues, 0;
}

LATHE_FAKE(ClProgram, clCreateProgramWithIL, (ClContext, const void*, std::size_t, ClStatus* status)) {
  state.fromSource = false;
  return made("clCreateProgramWithIL", handle<ClProgram>(4), state.programs, status);
}
LATHE_FAKE(ClProgram, clCreateProgramWithSource,
           (ClContext, std::uint32_t, const char**, const std::size_t*, ClStatus* status)) {
  state.fromSource = true;
  return made("clCreateProgramWithSource", handle<ClProgram>(4), state.programs, status);
}
FAKE_CL(BuildProgram,
        (ClProgram, std::uint32_t, const ClDevice*, const char* options, void (*)(ClProgram, void*), void*)) {
  std::strncpy(state.options, options, sizeof(state.options) - 1);
  FAKE_FAIL("BuildProgram");
  return 0;
}
FAKE_CL(GetProgramBuildInfo, (ClProgram, ClDevice, std::uint32_t, std::size_t bytes, void* value, std::size_t* size)) {
  return answer(state.buildLog, bytes, value, size);
}
FAKE_CL(ReleaseProgram, (ClProgram)) {
  return --state.programs, 0;
}
LATHE_FAKE(ClKernel, clCreateKernel, (ClProgram, const char*, ClStatus* status)) {
  return made("clCreateKernel", handle<ClKernel>(5), state.kernels, status);
}
FAKE_CL(ReleaseKernel, (ClKernel)) {
  return --state.kernels, 0;
}
FAKE_CL(SetKernelArg, (ClKernel, std::uint32_t index, std::size_t bytes, const void*)) {
  FAKE_FAIL("SetKernelArg");
  if (index >= std::size(state.argumentBytes)) return ClError::invalidArgumentIndex;
  return state.argumentBytes[index] == bytes ? 0 : ClError::invalidArgumentSize;
}
FAKE_CL(SetKernelArgSVMPointer, (ClKernel, std::uint32_t index, const void*)) {
  FAKE_FAIL("SetKernelArgSVMPointer");
  if (index >= std::size(state.argumentBytes)) return ClError::invalidArgumentIndex;
  return state.argumentBytes[index] == 0 ? 0 : ClError::invalidArgumentValue;
}
FAKE_CL(SetKernelExecInfo, (ClKernel, std::uint32_t, std::size_t, const void*)) {
  FAKE_FAIL("SetKernelExecInfo");
  return ++state.told, 0;
}
FAKE_CL(GetKernelWorkGroupInfo,
        (ClKernel, ClDevice, std::uint32_t what, std::size_t bytes, void* value, std::size_t* size)) {
  FAKE_FAIL("GetKernelWorkGroupInfo");
  const std::uint64_t number = what == ClKernelGroupInfo::maxItems ? 256 : 0;
  return answer(&number, sizeof(number), bytes, value, size);
}
FAKE_CL(GetKernelSubGroupInfo, (ClKernel, ClDevice, std::uint32_t what, std::size_t inputBytes, const void*,
                                std::size_t bytes, void* value, std::size_t* size)) {
  if (what != ClKernelSubGroupInfo::mostItems || inputBytes == 0 || state.givenSubgroup == 0)
    return ClError::invalidValue;
  return answer(&state.givenSubgroup, sizeof(state.givenSubgroup), bytes, value, size);
}
FAKE_CL(EnqueueNDRangeKernel, (ClQueue, ClKernel, std::uint32_t, const std::size_t*, const std::size_t*,
                               const std::size_t*, std::uint32_t, const ClEvent*, ClEvent*)) {
  FAKE_FAIL("EnqueueNDRangeKernel");
  return ++state.launches, 0;
}

LATHE_FAKE(void*, clSVMAlloc, (ClContext, std::uint64_t, std::size_t bytes, std::uint32_t)) {
  if (state.statusOf("clSVMAlloc") != 0 || bytes > std::size_t{1} << 30) return nullptr;
  return ++state.buffers, std::malloc(bytes);
}
LATHE_FAKE(void, clSVMFree, (ClContext, void* address)) {
  --state.buffers;
  std::free(address);
}
FAKE_CL(EnqueueSVMMemcpy, (ClQueue, std::uint32_t, void* to, const void* from, std::size_t bytes, std::uint32_t,
                           const ClEvent*, ClEvent* event)) {
  FAKE_FAIL("EnqueueSVMMemcpy");
  std::memcpy(to, from, bytes);
  return ++state.events, *event = handle<ClEvent>(6), 0;
}
FAKE_CL(EnqueueSVMMemFill, (ClQueue, void* to, const void* pattern, std::size_t, std::size_t bytes, std::uint32_t,
                            const ClEvent*, ClEvent*)) {
  FAKE_FAIL("EnqueueSVMMemFill");
  return std::memset(to, *static_cast<const unsigned char*>(pattern), bytes), 0;
}
// A buffer is the memory that it lies over.
LATHE_FAKE(ClBuffer, clCreateBuffer, (ClContext, std::uint64_t, std::size_t, void* host, ClStatus* status)) {
  return made("clCreateBuffer", static_cast<ClBuffer>(host), state.objects, status);
}
FAKE_CL(ReleaseMemObject, (ClBuffer)) {
  return --state.objects, 0;
}
namespace {
std::size_t placeOf(const std::size_t* origin, std::size_t row, std::size_t slice) {
  return origin[0] + origin[1] * row + origin[2] * slice;
}
ClStatus copyRegion(void* to, const std::size_t* toOrigin, std::size_t toRow, std::size_t toSlice, const void* from,
                    const std::size_t* fromOrigin, std::size_t fromRow, std::size_t fromSlice,
                    const std::size_t* region) {
  if (toSlice % toRow != 0 || fromSlice % fromRow != 0) return ClError::invalidValue;
  auto* const target = static_cast<unsigned char*>(to) + placeOf(toOrigin, toRow, toSlice);
  const auto* const source = static_cast<const unsigned char*>(from) + placeOf(fromOrigin, fromRow, fromSlice);
  for (std::size_t z = 0; z < region[2]; ++z)
    for (std::size_t y = 0; y < region[1]; ++y)
      std::memcpy(target + z * toSlice + y * toRow, source + z * fromSlice + y * fromRow, region[0]);
  return ++state.regions, 0;
}
}  // namespace
FAKE_CL(EnqueueReadBufferRect,
        (ClQueue, ClBuffer buffer, std::uint32_t, const std::size_t* bufferOrigin, const std::size_t* hostOrigin,
         const std::size_t* region, std::size_t bufferRow, std::size_t bufferSlice, std::size_t hostRow,
         std::size_t hostSlice, void* host, std::uint32_t, const ClEvent*, ClEvent*)) {
  FAKE_FAIL("EnqueueReadBufferRect");
  return copyRegion(host, hostOrigin, hostRow, hostSlice, buffer, bufferOrigin, bufferRow, bufferSlice, region);
}
FAKE_CL(EnqueueWriteBufferRect,
        (ClQueue, ClBuffer buffer, std::uint32_t, const std::size_t* bufferOrigin, const std::size_t* hostOrigin,
         const std::size_t* region, std::size_t bufferRow, std::size_t bufferSlice, std::size_t hostRow,
         std::size_t hostSlice, const void* host, std::uint32_t, const ClEvent*, ClEvent*)) {
  FAKE_FAIL("EnqueueWriteBufferRect");
  return copyRegion(buffer, bufferOrigin, bufferRow, bufferSlice, host, hostOrigin, hostRow, hostSlice, region);
}
FAKE_CL(EnqueueCopyBufferRect,
        (ClQueue, ClBuffer from, ClBuffer to, const std::size_t* fromOrigin, const std::size_t* toOrigin,
         const std::size_t* region, std::size_t fromRow, std::size_t fromSlice, std::size_t toRow, std::size_t toSlice,
         std::uint32_t, const ClEvent*, ClEvent*)) {
  FAKE_FAIL("EnqueueCopyBufferRect");
  return copyRegion(to, toOrigin, toRow, toSlice, from, fromOrigin, fromRow, fromSlice, region);
}
FAKE_CL(EnqueueMarkerWithWaitList, (ClQueue, std::uint32_t, const ClEvent*, ClEvent* event)) {
  FAKE_FAIL("EnqueueMarkerWithWaitList");
  return ++state.events, *event = handle<ClEvent>(6), 0;
}
FAKE_CL(EnqueueBarrierWithWaitList, (ClQueue, std::uint32_t, const ClEvent*, ClEvent*)) {
  FAKE_FAIL("EnqueueBarrierWithWaitList");
  return ++state.barriers, 0;
}
FAKE_CL(Flush, (ClQueue)) {
  FAKE_FAIL("Flush");
  return 0;
}
FAKE_CL(Finish, (ClQueue)) {
  FAKE_FAIL("Finish");
  return 0;
}
FAKE_CL(GetEventInfo, (ClEvent, std::uint32_t, std::size_t bytes, void* value, std::size_t* size)) {
  FAKE_FAIL("GetEventInfo");
  return answer(&state.eventState, sizeof(state.eventState), bytes, value, size);
}
FAKE_CL(SetEventCallback, (ClEvent event, std::int32_t, void (*notify)(ClEvent, std::int32_t, void*), void* user)) {
  FAKE_FAIL("SetEventCallback");
  return notify(event, state.eventState, user), 0;
}
LATHE_FAKE(ClEvent, clCreateUserEvent, (ClContext, ClStatus* status)) {
  return made("clCreateUserEvent", handle<ClEvent>(7), state.events, status);
}
FAKE_CL(SetUserEventStatus, (ClEvent, std::int32_t opened)) {
  return state.gate = opened, 0;
}
FAKE_CL(WaitForEvents, (std::uint32_t, const ClEvent*)) {
  FAKE_FAIL("WaitForEvents");
  return 0;
}
FAKE_CL(ReleaseEvent, (ClEvent)) {
  return --state.events, 0;
}
FAKE_CL(GetEventProfilingInfo, (ClEvent, std::uint32_t, std::size_t bytes, void* value, std::size_t* size)) {
  const std::uint64_t time = 0;
  return answer(&time, sizeof(time), bytes, value, size);
}
LATHE_FAKE(void*, clGetExtensionFunctionAddressForPlatform, (ClPlatform, const char*)) {
  return nullptr;
}
