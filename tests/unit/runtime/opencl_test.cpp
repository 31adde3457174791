// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The opencl runtime: which library, which versions of SPIR-V, which errors; its own declarations beside Khronos's
// where those are installed; and, where a library with a device is found (one named by LATHE_OPENCL_LIBRARY), what it
// refuses. Kernels run in the conformance suite, memory and streams in gpu_runtimes_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "example_image.h"
#include "runtimes/opencl/opencl_api.h"
#include "runtimes/opencl/opencl_status.h"
#include "vendor_library.h"

#if __has_include(<CL/cl.h>)
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#define LATHE_HAS_OPENCL_HEADERS 1
#endif

namespace lathe {
namespace {

using detail::OpenClApi;

TEST(OpenClLibrary, IsNamedWhenItIsMissing) {
  test::expectNamedWhenMissing<OpenClApi>("/nonexistent/libOpenCL.so", "LATHE_OPENCL_LIBRARY");
}

TEST(OpenClLibrary, MustHaveEveryFunction) {
  test::expectTooOldWithout<OpenClApi>("clGetPlatformIDs");
}

TEST(OpenClVersions, AreThoseThatLatheMakesBestFirst) {
  EXPECT_EQ(detail::spirvArchs("SPIR-V_1.0 SPIR-V_1.2 SPIR-V_1.4"), (std::vector<std::string>{"spv1.4", "spv1.2"}));
  EXPECT_EQ(detail::spirvArchs("SPIR-V_1.6"), (std::vector<std::string>{"spv1.6"}));
  EXPECT_TRUE(detail::spirvArchs("").empty());
  EXPECT_TRUE(detail::spirvArchs("SPIR-V_1.0").empty());
  EXPECT_TRUE(detail::spirvArchs("SPIR-V_1.20").empty());
}

TEST(OpenClArchs, NameTheSizesOfSubgroups) {
  using Names = std::vector<std::string>;
  const Names plain = {"spv1.4", "spv1.2", "cl3.0", "cl1.2"};
  // A device without the usual size gets code of one that it has first, and any code that needs none.
  EXPECT_EQ(detail::withSubgroupSizes(plain, {4, 8, 16}),
            (Names{"spv1.4-sg16", "cl3.0-sg16", "spv1.4-sg8", "cl3.0-sg8", "spv1.4", "spv1.2", "cl3.0", "cl1.2"}));
  EXPECT_EQ(detail::withSubgroupSizes({"spv1.4"}, {32, 64}), (Names{"spv1.4", "spv1.4-sg64"}));
  EXPECT_EQ(detail::withSubgroupSizes(plain, {}), plain);
  EXPECT_EQ(detail::subgroupItemsOf("spv1.4-sg16"), 16u);
  EXPECT_EQ(detail::subgroupItemsOf("cl3.0"), 32u);
}

TEST(OpenClVersions, OfTheLanguageNeedGenericPointers) {
  using Archs = std::vector<std::string>;
  EXPECT_EQ(detail::languageArchs({100, 102, 300}, /*genericPointers=*/true), (Archs{"cl3.0", "cl1.2"}));
  EXPECT_EQ(detail::languageArchs({102, 300}, /*genericPointers=*/false), (Archs{"cl1.2"}));
  EXPECT_EQ(detail::languageArchs({200}, /*genericPointers=*/false), (Archs{"cl3.0", "cl1.2"}));
  EXPECT_EQ(detail::languageArchs({102}, /*genericPointers=*/false), (Archs{"cl1.2"}));
  EXPECT_TRUE(detail::languageArchs({101}, /*genericPointers=*/true).empty());
  EXPECT_TRUE(detail::languageArchs({}, /*genericPointers=*/true).empty());
}

TEST(OpenClErrors, AreNamed) {
  const Error memory = detail::clErrorOf(detail::ClError::memoryAllocation, "allocating 64 bytes");
  EXPECT_EQ(memory.code, ErrorCode::OutOfDeviceMemory);
  EXPECT_EQ(memory.message, "opencl: allocating 64 bytes: CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)");
  EXPECT_EQ(detail::clErrorOf(-12345, "waiting").message, "opencl: waiting: an unknown code (-12345)");
}

#ifdef LATHE_HAS_OPENCL_HEADERS
TEST(OpenClDeclarations, AreThoseOfTheKhronosHeaders) {
  using namespace detail;
#define LATHE_OPENCL(name, result, parameters)                                                                      \
  EXPECT_TRUE(test::sameAbi(static_cast<result(*) parameters>(nullptr), static_cast<decltype(&cl##name)>(nullptr))) \
      << #name;
#include "runtimes/opencl/opencl_functions.def"
  EXPECT_TRUE(test::sameAbi(ClCreateProgramWithIL{}, static_cast<decltype(&clCreateProgramWithIL)>(nullptr)));
  EXPECT_TRUE(test::sameAbi(ClGetKernelSubGroupInfo{}, static_cast<decltype(&clGetKernelSubGroupInfo)>(nullptr)));
  const std::pair<long, long> numbers[] = {
      {ClError::deviceNotFound, CL_DEVICE_NOT_FOUND},
      {ClError::deviceNotAvailable, CL_DEVICE_NOT_AVAILABLE},
      {ClError::compilerNotAvailable, CL_COMPILER_NOT_AVAILABLE},
      {ClError::memoryAllocation, CL_MEM_OBJECT_ALLOCATION_FAILURE},
      {ClError::outOfHostMemory, CL_OUT_OF_HOST_MEMORY},
      {ClError::buildFailure, CL_BUILD_PROGRAM_FAILURE},
      {ClError::invalidValue, CL_INVALID_VALUE},
      {ClError::invalidBinary, CL_INVALID_BINARY},
      {ClError::invalidProgram, CL_INVALID_PROGRAM},
      {ClError::invalidKernelName, CL_INVALID_KERNEL_NAME},
      {ClError::outOfResources, CL_OUT_OF_RESOURCES},
      {ClError::failedInWaitList, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST},
      {ClError::invalidArgumentIndex, CL_INVALID_ARG_INDEX},
      {ClError::invalidArgumentValue, CL_INVALID_ARG_VALUE},
      {ClError::invalidArgumentSize, CL_INVALID_ARG_SIZE},
      {ClError::invalidKernelArguments, CL_INVALID_KERNEL_ARGS},
      {ClError::invalidBufferSize, CL_INVALID_BUFFER_SIZE},
      {ClError::platformNotFound, CL_PLATFORM_NOT_FOUND_KHR},
      {ClPlatformInfo::version, CL_PLATFORM_VERSION},
      {ClPlatformInfo::name, CL_PLATFORM_NAME},
      {ClDeviceInfo::computeUnits, CL_DEVICE_MAX_COMPUTE_UNITS},
      {ClDeviceInfo::maxGroupItems, CL_DEVICE_MAX_WORK_GROUP_SIZE},
      {ClDeviceInfo::maxItemSizes, CL_DEVICE_MAX_WORK_ITEM_SIZES},
      {ClDeviceInfo::globalMemory, CL_DEVICE_GLOBAL_MEM_SIZE},
      {ClDeviceInfo::localMemory, CL_DEVICE_LOCAL_MEM_SIZE},
      {ClDeviceInfo::available, CL_DEVICE_AVAILABLE},
      {ClDeviceInfo::name, CL_DEVICE_NAME},
      {ClDeviceInfo::driverVersion, CL_DRIVER_VERSION},
      {ClDeviceInfo::version, CL_DEVICE_VERSION},
      {ClDeviceInfo::extensions, CL_DEVICE_EXTENSIONS},
      {ClDeviceInfo::doubleAbilities, CL_DEVICE_DOUBLE_FP_CONFIG},
      {ClDeviceInfo::svmCapabilities, CL_DEVICE_SVM_CAPABILITIES},
      {ClDeviceInfo::ilVersion, CL_DEVICE_IL_VERSION},
      {ClDeviceInfo::floatAbilities, CL_DEVICE_SINGLE_FP_CONFIG},
      {ClDeviceInfo::compiler, CL_DEVICE_COMPILER_AVAILABLE},
      {ClDeviceInfo::languageVersion, CL_DEVICE_OPENCL_C_VERSION},
      {ClDeviceInfo::languageVersions, CL_DEVICE_OPENCL_C_ALL_VERSIONS},
      {ClDeviceInfo::genericPointers, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT},
      {static_cast<long>(clExactDivision), CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT},
      {static_cast<long>(sizeof(ClNameVersion)), static_cast<long>(sizeof(cl_name_version))},
      {ClDeviceInfo::subgroupSizes, CL_DEVICE_SUB_GROUP_SIZES_INTEL},
      {static_cast<long>(clDeviceTypeAll), static_cast<long>(CL_DEVICE_TYPE_ALL)},
      {static_cast<long>(ClSvm::coarse), CL_DEVICE_SVM_COARSE_GRAIN_BUFFER},
      {static_cast<long>(ClSvm::fine), CL_DEVICE_SVM_FINE_GRAIN_BUFFER},
      {static_cast<long>(ClSvm::fineSystem), CL_DEVICE_SVM_FINE_GRAIN_SYSTEM},
      {static_cast<long>(ClSvm::atomics), CL_DEVICE_SVM_ATOMICS},
      {static_cast<long>(ClMemory::readWrite), CL_MEM_READ_WRITE},
      {static_cast<long>(ClMemory::useHostPointer), CL_MEM_USE_HOST_PTR},
      {static_cast<long>(ClMemory::svmFine), CL_MEM_SVM_FINE_GRAIN_BUFFER},
      {static_cast<long>(ClMemory::svmAtomics), CL_MEM_SVM_ATOMICS},
      {static_cast<long>(ClQueueProperty::key), CL_QUEUE_PROPERTIES},
      {static_cast<long>(ClQueueProperty::profiling), CL_QUEUE_PROFILING_ENABLE},
      {ClBuildInfo::log, CL_PROGRAM_BUILD_LOG},
      {ClKernelGroupInfo::maxItems, CL_KERNEL_WORK_GROUP_SIZE},
      {ClKernelGroupInfo::localMemory, CL_KERNEL_LOCAL_MEM_SIZE},
      {ClKernelGroupInfo::privateMemory, CL_KERNEL_PRIVATE_MEM_SIZE},
      {ClKernelSubGroupInfo::mostItems, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE},
      {ClExecInfo::svmPointers, CL_KERNEL_EXEC_INFO_SVM_PTRS},
      {ClExecInfo::fineSystem, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM},
      {ClProfiling::end, CL_PROFILING_COMMAND_END},
  };
  for (const auto& [own, khronos] : numbers) EXPECT_EQ(own, khronos);
}
#else
TEST(OpenClDeclarations, AreThoseOfTheKhronosHeaders) {
  GTEST_SKIP() << "the Khronos headers are not installed (Debian: opencl-headers)";
}
#endif

TEST(OpenClDevice, RefusesCodeOfAnotherVersionAndGarbage) {
  const auto device = Device::open("opencl");
  if (!device) GTEST_SKIP() << device.error().message;
  const auto other = device->load(test::imageFor("opencl", {}, {{"spv", "spv1.99", "code"}}));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::IncompatibleDevice) << other.error().render();
  const auto garbage = device->load(test::imageFor("opencl", {}, {{"spv", device->info().arch, "no SPIR-V module"}}));
  ASSERT_FALSE(garbage);
  EXPECT_EQ(garbage.error().code, ErrorCode::ImageCorrupt) << garbage.error().render();
}

TEST(OpenClDevice, SaysWhichExtensionItLacks) {
  const auto device = Device::open("opencl");
  if (!device) GTEST_SKIP() << device.error().message;
  // OpExtension "SPV_LATHE_none": no device has it, but only one with cl_khr_spirv_queries is asked before it builds.
  std::uint32_t words[] = {0x07230203, 0x00010400, 0, 100, 0, 5U << 16 | 10, 0, 0, 0, 0};
  std::memcpy(&words[6], "SPV_LATHE_none", 15);
  const std::string code(reinterpret_cast<const char*>(words), sizeof(words));
  const auto loaded = device->load(test::imageFor("opencl", {}, {{"spv", device->info().arch, code}}));
  ASSERT_FALSE(loaded);
  if (loaded.error().message.find("extension of SPIR-V") == std::string::npos)
    GTEST_SKIP() << "the device does not list its extensions: " << loaded.error().render();
  EXPECT_EQ(loaded.error().code, ErrorCode::IncompatibleDevice);
  ASSERT_EQ(loaded.error().notes.size(), 1u);
  EXPECT_EQ(loaded.error().notes[0].message, "SPV_LATHE_none");
}

}  // namespace
}  // namespace lathe
