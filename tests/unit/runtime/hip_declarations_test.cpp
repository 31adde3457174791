// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hip runtime's own declarations beside those of AMD's header, where that is installed: the parameters of each
// function, and the numbers of statuses, attributes and kinds. The header is named by LATHE_HIP_HEADERS, or the
// system's.
#include <gtest/gtest.h>

#if __has_include(<hip/hip_runtime_api.h>)
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
// The header is C with unnamed structures, and marks functions that it deprecates.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <hip/hip_runtime_api.h>
#define LATHE_HAS_HIP_HEADERS 1
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

#include "runtimes/common/gpu/gpu_library.h"
#include "runtimes/hip/hip_types.h"
#include "vendor_library.h"

namespace lathe {
namespace {

#ifdef LATHE_HAS_HIP_HEADERS
/// True if the two take the same. Enumerations have no negative values: the sign of the type beneath is the compiler's
/// choice.
template <class... Own, class... Theirs>
constexpr bool declaredAlike(detail::HipError (*)(Own...), hipError_t (*)(Theirs...)) {
  if constexpr (sizeof...(Own) != sizeof...(Theirs))
    return false;
  else
    return ((std::is_enum_v<Theirs> ? sizeof(Own) == sizeof(Theirs) : test::alike<Own, Theirs>()) && ...);
}
/// Functions that the header's version does not have yet.
template <class... Own>
constexpr bool declaredAlike(detail::HipError (*)(Own...), std::nullptr_t) {
  return true;
}

// The header has overloads of these for pointers to other types.
#define hipMalloc static_cast<hipError_t (*)(void**, std::size_t)>(&::hipMalloc)
#define hipHostMalloc static_cast<hipError_t (*)(void**, std::size_t, unsigned)>(&::hipHostMalloc)
#define hipMallocAsync static_cast<hipError_t (*)(void**, std::size_t, hipStream_t)>(&::hipMallocAsync)
#define hipMallocManaged static_cast<hipError_t (*)(void**, std::size_t, unsigned)>(&::hipMallocManaged)
#if HIP_VERSION < 50300000
#define hipDeviceSetLimit nullptr
#endif
#if HIP_VERSION < 50500000
#define hipModuleLaunchCooperativeKernel nullptr
#endif

TEST(HipDeclarations, FunctionsTakeWhatTheHeadersTake) {
  using namespace detail;
#define LATHE_HIP(name, parameters) \
  EXPECT_TRUE(declaredAlike(static_cast<HipError(*) parameters>(nullptr), hip##name)) << "hip" #name;
#define LATHE_HIP_IF_THERE(name, parameters) LATHE_HIP(name, parameters)
#include "runtimes/hip/hip_functions.def"
  EXPECT_TRUE((std::is_same_v<decltype(&hipGetErrorName), const char* (*)(hipError_t)>));
  EXPECT_TRUE((std::is_same_v<decltype(&hipGetErrorString), const char* (*)(hipError_t)>));
}

TEST(HipDeclarations, NumbersAreTheHeaders) {
  using namespace detail;
  const std::pair<int, int> numbers[] = {
      {static_cast<int>(HipStatus::outOfMemory), hipErrorOutOfMemory},
      {static_cast<int>(HipStatus::invalidConfiguration), hipErrorInvalidConfiguration},
      {static_cast<int>(HipStatus::insufficientDriver), hipErrorInsufficientDriver},
      {static_cast<int>(HipStatus::noDevice), hipErrorNoDevice},
      {static_cast<int>(HipStatus::invalidDevice), hipErrorInvalidDevice},
      {static_cast<int>(HipStatus::invalidImage), hipErrorInvalidImage},
      {static_cast<int>(HipStatus::noBinaryForGpu), hipErrorNoBinaryForGpu},
      {static_cast<int>(HipStatus::eccNotCorrectable), hipErrorECCNotCorrectable},
      {static_cast<int>(HipStatus::invalidKernelFile), hipErrorInvalidKernelFile},
      {static_cast<int>(HipStatus::invalidSource), hipErrorInvalidSource},
      {static_cast<int>(HipStatus::notFound), hipErrorNotFound},
      {static_cast<int>(HipStatus::notReady), hipErrorNotReady},
      {static_cast<int>(HipStatus::illegalAddress), hipErrorIllegalAddress},
      {static_cast<int>(HipStatus::launchOutOfResources), hipErrorLaunchOutOfResources},
      {static_cast<int>(HipStatus::launchTimeOut), hipErrorLaunchTimeOut},
      {static_cast<int>(HipStatus::peerAccessAlreadyEnabled), hipErrorPeerAccessAlreadyEnabled},
      {static_cast<int>(HipStatus::assertion), hipErrorAssert},
      {static_cast<int>(HipStatus::launchFailure), hipErrorLaunchFailure},
      {static_cast<int>(HipStatus::cooperativeLaunchTooLarge), hipErrorCooperativeLaunchTooLarge},
      {static_cast<int>(HipStatus::notSupported), hipErrorNotSupported},
      {static_cast<int>(HipDeviceAttribute::cooperativeLaunch), hipDeviceAttributeCooperativeLaunch},
      {static_cast<int>(HipDeviceAttribute::maxBlockX), hipDeviceAttributeMaxBlockDimX},
      {static_cast<int>(HipDeviceAttribute::maxBlockY), hipDeviceAttributeMaxBlockDimY},
      {static_cast<int>(HipDeviceAttribute::maxBlockZ), hipDeviceAttributeMaxBlockDimZ},
      {static_cast<int>(HipDeviceAttribute::maxGridX), hipDeviceAttributeMaxGridDimX},
      {static_cast<int>(HipDeviceAttribute::maxGridY), hipDeviceAttributeMaxGridDimY},
      {static_cast<int>(HipDeviceAttribute::maxGridZ), hipDeviceAttributeMaxGridDimZ},
      {static_cast<int>(HipDeviceAttribute::maxThreadsPerBlock), hipDeviceAttributeMaxThreadsPerBlock},
      {static_cast<int>(HipDeviceAttribute::multiprocessors), hipDeviceAttributeMultiprocessorCount},
      {static_cast<int>(HipDeviceAttribute::maxSharedPerBlock), hipDeviceAttributeMaxSharedMemoryPerBlock},
      {static_cast<int>(HipDeviceAttribute::warpSize), hipDeviceAttributeWarpSize},
      {static_cast<int>(HipDeviceAttribute::memoryPools), hipDeviceAttributeMemoryPoolsSupported},
      {static_cast<int>(HipFunctionAttribute::maxThreadsPerBlock), HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
      {static_cast<int>(HipFunctionAttribute::sharedBytes), HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
      {static_cast<int>(HipFunctionAttribute::constBytes), HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES},
      {static_cast<int>(HipFunctionAttribute::localBytes), HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
      {static_cast<int>(HipFunctionAttribute::registers), HIP_FUNC_ATTRIBUTE_NUM_REGS},
      {static_cast<int>(HipFunctionAttribute::textArchitecture), HIP_FUNC_ATTRIBUTE_PTX_VERSION},
      {static_cast<int>(HipFunctionAttribute::machineArchitecture), HIP_FUNC_ATTRIBUTE_BINARY_VERSION},
      {static_cast<int>(HipCopy::hostToDevice), hipMemcpyHostToDevice},
      {static_cast<int>(HipCopy::deviceToHost), hipMemcpyDeviceToHost},
      {static_cast<int>(HipCopy::deviceToDevice), hipMemcpyDeviceToDevice},
      {static_cast<int>(HipCaptureMode::relaxed), hipStreamCaptureModeRelaxed},
      {static_cast<int>(HipNodeAttribute::Kind::cooperative), hipKernelNodeAttributeCooperative},
      {static_cast<int>(hostPortable), hipHostMallocPortable},
      {static_cast<int>(hostMapped), hipHostMallocMapped},
      {static_cast<int>(attachedToAll), hipMemAttachGlobal},
      {numberOfLimit(DeviceLimit::printBytes), hipLimitPrintfFifoSize},
      {numberOfLimit(DeviceLimit::heapBytes), hipLimitMallocHeapSize},
  };
  for (const auto& [own, theirs] : numbers) EXPECT_EQ(own, theirs);
}

TEST(HipDeclarations, StructuresAreTheHeaders) {
  using namespace detail;
  EXPECT_EQ(sizeof(HipKernelNode), sizeof(hipKernelNodeParams));
  EXPECT_EQ(offsetof(HipKernelNode, block), offsetof(hipKernelNodeParams, blockDim));
  EXPECT_EQ(offsetof(HipKernelNode, extra), offsetof(hipKernelNodeParams, extra));
  EXPECT_EQ(offsetof(HipKernelNode, function), offsetof(hipKernelNodeParams, func));
  EXPECT_EQ(offsetof(HipKernelNode, grid), offsetof(hipKernelNodeParams, gridDim));
  EXPECT_EQ(offsetof(HipKernelNode, parameters), offsetof(hipKernelNodeParams, kernelParams));
  EXPECT_EQ(offsetof(HipKernelNode, sharedBytes), offsetof(hipKernelNodeParams, sharedMemBytes));
  EXPECT_EQ(sizeof(HipFillNode), sizeof(hipMemsetParams));
  EXPECT_EQ(offsetof(HipFillNode, to), offsetof(hipMemsetParams, dst));
  EXPECT_EQ(offsetof(HipFillNode, elementSize), offsetof(hipMemsetParams, elementSize));
  EXPECT_EQ(offsetof(HipFillNode, height), offsetof(hipMemsetParams, height));
  EXPECT_EQ(offsetof(HipFillNode, pitch), offsetof(hipMemsetParams, pitch));
  EXPECT_EQ(offsetof(HipFillNode, value), offsetof(hipMemsetParams, value));
  EXPECT_EQ(offsetof(HipFillNode, width), offsetof(hipMemsetParams, width));
  EXPECT_EQ(sizeof(HipHostNode), sizeof(hipHostNodeParams));
  EXPECT_EQ(offsetof(HipHostNode, function), offsetof(hipHostNodeParams, fn));
  EXPECT_EQ(offsetof(HipHostNode, data), offsetof(hipHostNodeParams, userData));
  EXPECT_GE(sizeof(HipNodeAttribute), sizeof(hipKernelNodeAttrValue));
  EXPECT_EQ(offsetof(HipNodeAttribute, cooperative), offsetof(hipKernelNodeAttrValue, cooperative));
}

TEST(HipDeclarations, TheProcessorsNameIsWhereTheHeaderHasIt) {
  using detail::HipDeviceProperties;
  constexpr std::size_t offset =
      HIP_VERSION >= 60000000 ? HipDeviceProperties::archOffset : HipDeviceProperties::archOffsetBefore6;
  EXPECT_EQ(offset, offsetof(hipDeviceProp_t, gcnArchName));
  EXPECT_EQ(HipDeviceProperties::archBytes, sizeof(hipDeviceProp_t::gcnArchName));
  EXPECT_LE(sizeof(hipDeviceProp_t), sizeof(HipDeviceProperties::bytes));
}
#pragma GCC diagnostic pop
#else
TEST(HipDeclarations, AreThoseOfTheHeaders) {
  GTEST_SKIP() << "HIP's headers are not installed (Debian: libamdhip64-dev), and LATHE_HIP_HEADERS names none";
}
#endif

}  // namespace
}  // namespace lathe
