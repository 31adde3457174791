// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and streams of the runtimes over a vendor's library, each where that library and a device are found.
#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include <lathe/runtime.h>

namespace lathe {
namespace {

class GpuRuntime : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto device = Device::open(GetParam());
    if (!device) GTEST_SKIP() << device.error().message;
    device_.emplace(*std::move(device));
  }
  std::optional<Device> device_;
};
INSTANTIATE_TEST_SUITE_P(Gpu, GpuRuntime, ::testing::Values("cuda", "hip", "opencl"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(GpuRuntime, CopiesAndFills) {
  auto buffer = device_->allocate<int>(1000);
  ASSERT_TRUE(buffer) << buffer.error().render();
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 7);
  ASSERT_TRUE(buffer->upload(numbers));
  EXPECT_EQ(*buffer->read(), numbers);
  ASSERT_TRUE(buffer->zero());
  EXPECT_EQ(*buffer->read(), std::vector<int>(1000));
}

TEST_P(GpuRuntime, RefusesWhatItCannotHold) {
  const auto buffer = device_->allocateBytes(std::size_t{1} << 60);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code, ErrorCode::OutOfDeviceMemory) << buffer.error().render();
}

TEST_P(GpuRuntime, TimesAStream) {
  auto stream = device_->createStream();
  ASSERT_TRUE(stream) << stream.error().render();
  ASSERT_TRUE(stream->recordStart());
  const auto elapsed = stream->elapsedSinceStart();
  ASSERT_TRUE(elapsed) << elapsed.error().render();
  EXPECT_GE(*elapsed, 0.0);
  EXPECT_TRUE(stream->synchronize());
}

}  // namespace
}  // namespace lathe
