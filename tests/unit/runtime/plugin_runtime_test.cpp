// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events of runtimes from plugins (plugins/logging_runtime.cpp), through the public interface.
#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include <lathe/sdk/runtime.h>

#include "example_image.h"

namespace lathe {
namespace {

using test::entryWith;
using test::imageFor;
using Gate = std::atomic<unsigned>;
using LogKernel = Kernel<Gate*, unsigned*, unsigned>;

constexpr std::chrono::milliseconds aWhile(20);

Device opened(const char* runtime) {
  static const bool added = (sdk::addRuntimeFolder(LATHE_RUNTIME_PLUGIN_DIR), true);
  (void)added;
  auto device = Device::open(runtime);
  if (!device) throw std::runtime_error(device.error().render());
  return *std::move(device);
}

LogKernel kernelOf(const Device& device) {
  auto module = device.load(imageFor(device.info().runtime, {entryWith<Gate*, unsigned*, unsigned>("log")}, {}));
  if (!module) throw std::runtime_error(module.error().render());
  auto kernel = module->kernel<Gate*, unsigned*, unsigned>("log");
  if (!kernel) throw std::runtime_error(kernel.error().render());
  return *std::move(kernel);
}

class QueuedRuntime : public testing::Test {
 protected:
  /// Queues the kernel behind a gate.
  Result<void> queue(Stream& stream, Gate& gate, unsigned digit) {
    return kernel_({.grid = {1}, .group = {1}, .stream = &stream}, &gate, &log_, digit);
  }

  Device device_ = opened("queued");
  LogKernel kernel_ = kernelOf(device_);
  unsigned log_ = 0;
  Gate open_ = 1, closed_ = 0;
};

TEST_F(QueuedRuntime, LaunchesReturnBeforeTheyAreDone) {
  auto stream = *device_.createStream();
  ASSERT_TRUE(queue(stream, closed_, 1));
  ASSERT_TRUE(queue(stream, open_, 2));
  closed_ = 1;  // reached only because nothing waited for it
  ASSERT_TRUE(stream.synchronize());
  EXPECT_EQ(log_, 12U);
}

TEST_F(QueuedRuntime, AStreamWaitsForAnEventOfAnother) {
  auto first = *device_.createStream(), second = *device_.createStream();
  ASSERT_TRUE(queue(first, closed_, 1));
  {
    const auto event = first.record();
    ASSERT_TRUE(event);
    ASSERT_TRUE(second.wait(*event));
  }  // the wait does not need the handle
  ASSERT_TRUE(queue(second, open_, 2));
  std::this_thread::sleep_for(aWhile);
  closed_ = 1;
  ASSERT_TRUE(second.synchronize());
  EXPECT_EQ(log_, 12U);
}

TEST_F(QueuedRuntime, EventsMeasureTheWorkBetweenThem) {
  auto stream = *device_.createStream();
  const auto start = stream.record();
  ASSERT_TRUE(start && start->synchronize());
  ASSERT_TRUE(stream.recordStart());
  ASSERT_TRUE(stream.synchronize());  // else a busy machine may begin after the sleep
  ASSERT_TRUE(queue(stream, closed_, 1));
  const auto stop = stream.record();
  ASSERT_TRUE(stop);
  std::this_thread::sleep_for(aWhile);
  closed_ = 1;
  const auto elapsed = start->elapsedUntil(*stop);
  ASSERT_TRUE(elapsed);
  EXPECT_GE(*elapsed, std::chrono::duration<double>(aWhile).count() * 1000);
  EXPECT_LT(*stop->elapsedUntil(*start), 0);
  const auto sinceStart = stream.elapsedSinceStart();
  ASSERT_TRUE(sinceStart);
  EXPECT_GE(*sinceStart, std::chrono::duration<double>(aWhile).count() * 1000);
}

TEST_F(QueuedRuntime, EverythingElseWaitsForStreams) {
  auto stream = *device_.createStream();
  auto memory = *device_.allocate<unsigned>(1);
  const auto later = [&] {
    std::this_thread::sleep_for(aWhile);
    closed_ = 1;
  };
  ASSERT_TRUE(queue(stream, closed_, 1));
  {
    const std::jthread opener(later);
    ASSERT_TRUE(kernel_({.grid = {1}, .group = {1}}, &open_, &log_, 2));  // on the default stream
  }
  EXPECT_EQ(log_, 12U);
  closed_ = 0;
  ASSERT_TRUE(queue(stream, closed_, 3));
  {
    const std::jthread opener(later);
    ASSERT_TRUE(memory.zero());
    EXPECT_EQ(log_, 123U);
  }
  closed_ = 0;
  ASSERT_TRUE(queue(stream, closed_, 4));
  {
    const std::jthread opener(later);
    memory = {};  // a kernel might use it
    EXPECT_EQ(log_, 1234U);
  }
}

TEST_F(QueuedRuntime, FailuresAreToldOnce) {
  auto stream = *device_.createStream();
  ASSERT_TRUE(queue(stream, open_, 9));
  const auto failed = stream.synchronize();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::DeviceFault);
  EXPECT_TRUE(stream.synchronize());
  // Freeing memory waits, and leaves the failure to those who can tell it.
  ASSERT_TRUE(queue(stream, open_, 9));
  {
    const auto memory = device_.allocate<unsigned>(1);
  }
  EXPECT_FALSE(device_.synchronize());
  EXPECT_TRUE(device_.synchronize());
}

TEST_F(QueuedRuntime, EventsOfOtherDevicesAreRefused) {
  auto stream = *device_.createStream();
  auto foreign = *opened("null").createStream();
  const auto event = foreign.record();
  ASSERT_TRUE(event);
  EXPECT_EQ(stream.wait(*event).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(stream.record()->elapsedUntil(*event).error().code, ErrorCode::InvalidArgument);
}

/// A runtime that says nothing of streams has correct ones: its launches are done when they return.
TEST(SynchronousRuntime, HasStreamsAndEvents) {
  const Device device = opened("synchronous");
  const LogKernel kernel = kernelOf(device);
  Gate open = 1;
  unsigned log = 0;
  auto first = *device.createStream(), second = *device.createStream();
  const auto start = first.record();
  ASSERT_TRUE(kernel({.grid = {1}, .group = {1}, .stream = &first}, &open, &log, 1u));
  EXPECT_EQ(log, 1U);
  const auto stop = first.record();
  ASSERT_TRUE(start && stop && stop->synchronize());
  ASSERT_TRUE(second.wait(*stop));
  ASSERT_TRUE(kernel({.grid = {1}, .group = {1}, .stream = &second}, &open, &log, 2u));
  EXPECT_EQ(log, 12U);
  EXPECT_GE(*start->elapsedUntil(*stop), 0);
  EXPECT_EQ(kernel({.grid = {1}, .group = {1}, .stream = &first}, &open, &log, 9u).error().code,
            ErrorCode::DeviceFault);
  EXPECT_TRUE(first.synchronize());
  EXPECT_TRUE(device.synchronize());
}

}  // namespace
}  // namespace lathe
