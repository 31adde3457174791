// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hip runtime: which library, which code, which errors; and, where a HIP library with a device is found (AMD's, or
// an emulated one named by LATHE_HIP_LIBRARY), what a device refuses. Kernels run in the conformance suite,
// memory and streams in gpu_runtimes_test.cpp.
#include <gtest/gtest.h>

#include "example_image.h"
#include "runtimes/hip/hip_api.h"
#include "runtimes/hip/hip_code.h"
#include "vendor_library.h"

namespace lathe {
namespace {

using detail::HipApi;

TEST(HipLibrary, IsNamedWhenItIsMissing) {
  test::expectNamedWhenMissing<HipApi>("/nonexistent/libamdhip64.so", "LATHE_HIP_LIBRARY");
}

TEST(HipLibrary, MustHaveEveryFunction) {
  test::expectTooOldWithout<HipApi>("hipInit");
}

TEST(HipCode, ProcessorIsTheNameWithoutFeatures) {
  EXPECT_EQ(detail::processorOf("gfx942:sramecc+:xnack-"), "gfx942");
  EXPECT_EQ(detail::processorOf("gfx1100"), "gfx1100");
}

TEST(HipCode, OwnCodeComesBeforeTheFamilys) {
  const Image image = test::imageFor("hip", {},
                                     {{"hsaco", "gfx11-generic", "family"},
                                      {"hsaco", "gfx1030", "other"},
                                      {"hsaco", "gfx1100", "own"},
                                      {"asm", "gfx1100", "text"}});
  const auto usable = detail::amdCodeFor(image, "gfx1100");
  ASSERT_EQ(usable.size(), 2u);
  EXPECT_EQ(usable[0]->arch, "gfx1100");
  EXPECT_EQ(usable[1]->arch, "gfx11-generic");
  EXPECT_TRUE(detail::amdCodeFor(image, "gfx942").empty());
  EXPECT_TRUE(detail::amdCodeFor(image, "gfx110").empty());  // a part of a name is no name
}

TEST(HipCode, SettingsMustNotContradict) {
  const auto usable = [](std::string features, const char* device) {
    Image image = test::imageFor("hip", {}, {{"hsaco", "gfx942", "code"}}, std::move(features));
    return detail::amdCodeFor(image, device).size();
  };
  EXPECT_EQ(usable("", "gfx942:sramecc+:xnack-"), 1u);
  EXPECT_EQ(usable("-xnack", "gfx942:sramecc+:xnack-"), 1u);
  EXPECT_EQ(usable("+sramecc,-xnack", "gfx942:sramecc+:xnack-"), 1u);
  EXPECT_EQ(usable("+xnack", "gfx942:sramecc+:xnack-"), 0u);
  EXPECT_EQ(usable("-sramecc,-xnack", "gfx942:sramecc+:xnack-"), 0u);
  EXPECT_EQ(usable("+xnack,-xnack", "gfx942:sramecc+:xnack-"), 1u);  // the last one counts
  EXPECT_EQ(usable("-xnack,+xnack", "gfx942:sramecc+:xnack-"), 0u);
  EXPECT_EQ(usable("+xnack", "gfx942"), 1u);  // a driver that tells no settings
}

class HipDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    auto device = Device::open("hip");
    if (!device) GTEST_SKIP() << device.error().message;
    device_.emplace(*std::move(device));
  }
  std::optional<Device> device_;
};

TEST_F(HipDevice, DescribesItself) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.runtime, "hip");
  EXPECT_TRUE(info.arch.starts_with("gfx")) << info.arch;
  EXPECT_EQ(info.arch.find(':'), std::string::npos) << info.arch;
  EXPECT_TRUE(info.subgroupSize == 32 || info.subgroupSize == 64) << info.subgroupSize;
  EXPECT_GE(info.maxItemsPerGroup, 256u);
  EXPECT_GE(info.maxSharedBytes, 32768u);
  EXPECT_GT(info.memoryBytes, 0u);
}

TEST_F(HipDevice, RefusesCodeOfAnotherProcessorAndGarbage) {
  const auto other = device_->load(test::imageFor("hip", {}, {{"hsaco", "gfx803", "code"}}));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::IncompatibleDevice) << other.error().render();
  const auto garbage = device_->load(test::imageFor("hip", {}, {{"hsaco", device_->info().arch, "no code object"}}));
  ASSERT_FALSE(garbage);
  EXPECT_EQ(garbage.error().code, ErrorCode::ImageCorrupt) << garbage.error().render();
}

}  // namespace
}  // namespace lathe
