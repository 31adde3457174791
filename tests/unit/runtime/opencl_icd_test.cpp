// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers of OpenCL that are there for loaders only (fakes/fake_icd.cpp): functions come from the table of a platform,
// or by name for one, and what is missing is said. On Intel's runtime behind such a driver kernels run in
// gpu_runtimes_test.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "fakes/fake_opencl.h"
#include "runtimes/opencl/opencl_api.h"
#include "runtimes/opencl/opencl_icd.h"

#if __has_include(<CL/cl_icd.h>)
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#define LATHE_HAS_OPENCL_HEADERS 1
#endif

namespace lathe {
namespace {

#ifdef LATHE_HAS_OPENCL_HEADERS
TEST(OpenClIcd, PlacesInTheTableAreTheHeaders) {
#define LATHE_OPENCL(name, result, parameters)                       \
  EXPECT_EQ(static_cast<std::size_t>(detail::icdSlotOf("cl" #name)), \
            offsetof(cl_icd_dispatch, cl##name) / sizeof(void*))     \
      << #name;
#include "runtimes/opencl/opencl_functions.def"
  EXPECT_EQ(static_cast<std::size_t>(detail::icdSlotOf("clCreateProgramWithIL")),
            offsetof(cl_icd_dispatch, clCreateProgramWithIL) / sizeof(void*));
  EXPECT_EQ(static_cast<std::size_t>(detail::icdSlotOf("clGetKernelSubGroupInfo")),
            offsetof(cl_icd_dispatch, clGetKernelSubGroupInfo) / sizeof(void*));
  EXPECT_EQ(detail::icdSlotOf("clNothing"), -1);
}

class OpenClIcdDriver : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    fake() = test::FakeOpenCl();
    ::setenv("LATHE_FAKE_ICD_OF", LATHE_FAKE_OPENCL, 1);
    lacks("");
  }
  static test::FakeOpenCl& fake() {
    static test::FakeOpenCl& state = test::openFake<test::FakeOpenCl>(LATHE_FAKE_OPENCL, "fakeOpenCl");
    return state;
  }
  static void lacks(const char* what) { ::setenv("LATHE_FAKE_ICD", what, 1); }
  static Result<std::unique_ptr<const detail::OpenClApi>> open() {
    static constexpr std::array names = {LATHE_FAKE_ICD};
    return detail::OpenClApi::open(names);
  }
  static void expectError(ErrorCode code, const char* message) {
    const auto api = open();
    ASSERT_FALSE(api);
    EXPECT_EQ(api.error().code, code);
    EXPECT_EQ(api.error().message, message);
  }
};

TEST_P(OpenClIcdDriver, HasTheLibrarysDevice) {
  lacks(GetParam());
  const auto api = open();
  ASSERT_TRUE(api) << api.error().render();
  ASSERT_EQ(*(*api)->deviceCount(), 1);
  EXPECT_EQ((*api)->describe(0)->arch, "spv1.4");
}
INSTANTIATE_TEST_SUITE_P(By, OpenClIcdDriver, ::testing::Values("", "functions"),
                         [](const auto& info) { return *info.param ? "name" : "table"; });

TEST_F(OpenClIcdDriver, SpirvNeedsAnEntryOfItsVersion) {
  // A table of OpenCL 2.0 ends before clCreateProgramWithIL.
  fake().version = "OpenCL 2.0 Fake";
  const auto api = open();
  ASSERT_TRUE(api) << api.error().render();
  EXPECT_EQ((*api)->describe(0)->arch, "cl3.0");
}

TEST_F(OpenClIcdDriver, WhatIsMissingIsSaid) {
  lacks("no-entry");
  expectError(ErrorCode::DriverTooOld,
              "opencl: the library lacks the function clIcdGetPlatformIDsKHR; install one of OpenCL 2.0 or later");
  lacks("no-platform");
  expectError(ErrorCode::DeviceNotFound, "opencl: the driver finds no platform, so no device of its own");
  lacks("no-table");
  expectError(ErrorCode::DriverTooOld,
              "opencl: the library lacks the function clGetPlatformInfo; install one of OpenCL 2.0 or later");
  lacks("hole");
  expectError(ErrorCode::DriverTooOld,
              "opencl: the library lacks the function clSVMAlloc; install one of OpenCL 2.0 or later");
  lacks("");
  fake().version = "OpenCL 1.2 Fake";
  expectError(ErrorCode::DriverTooOld,
              "opencl: the library is a driver of an OpenCL before 2.0, which has no shared virtual memory");
}
#else
TEST(OpenClIcd, IsThatOfTheKhronosHeaders) {
  GTEST_SKIP() << "the Khronos headers are not installed (Debian: opencl-headers)";
}
#endif

}  // namespace
}  // namespace lathe
