// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of the cpu runtime: who runs their launches, in which order, and that they do not hold each other up.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "core/group/entry/group_entry.h"

#include "cpu_module.h"
#include "example_image.h"

extern const char object_streams[], object_streams_end[];

namespace lathe {
namespace {

using test::CpuModule;
using test::entryWith;

Image streamsImage() {
  ImageInfo info;
  info.target = info.runtime = "cpu";
  info.arch = "native";
  info.entries = {entryWith<>("report"), entryWith<unsigned*, unsigned>("step"), entryWith<unsigned*>("await"),
                  entryWith<unsigned*>("raise")};
  info.requires_ = {std::string(abi::groupEntryRequirement)};
  return Image::build(std::move(info), {{"elf", "native", std::string(object_streams, object_streams_end)}});
}

class CpuStreams : public CpuModule {
 protected:
  CpuStreams() : CpuModule(streamsImage()) {}
};

TEST_F(CpuStreams, WhoWaitsRunsWhatIsQueued) {
  auto stream = *device_.createStream();
  const auto report = kernel<>("report");
  std::atomic<int> here = 0, elsewhere = 0;
  device_.setPrintSink([&, caller = std::this_thread::get_id()](std::string_view) {
    ++(std::this_thread::get_id() == caller ? here : elsewhere);
  });
  // The stream's thread may be faster, but not each time.
  int launches = 0;
  while (here == 0 && launches < 10000) {
    ++launches;
    ASSERT_TRUE(report({.stream = &stream}));
    ASSERT_TRUE(stream.synchronize());
    ASSERT_EQ(here + elsewhere, launches);
  }
  device_.setPrintSink({});
  EXPECT_GT(here, 0);
}

TEST_F(CpuStreams, RunWithoutAnybodyWaiting) {
  auto stream = *device_.createStream();
  const auto raise = kernel<unsigned*>("raise");
  for (int round = 0; round < 20; ++round) {
    unsigned flag = 0;
    ASSERT_TRUE(raise({.stream = &stream}, &flag));
    while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
    if (round % 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // its thread sleeps
    ASSERT_TRUE(stream.synchronize());
  }
}

TEST_F(CpuStreams, KeepTheirOrderWhoeverWaits) {
  auto stream = *device_.createStream();
  auto value = *device_.allocate<unsigned>(1);
  const auto step = kernel<unsigned*, unsigned>("step");
  std::atomic<bool> done = false;
  std::vector<std::thread> waiting;
  for (int i = 0; i < 3; ++i) {
    waiting.emplace_back([&] {
      while (!done) EXPECT_TRUE(device_.synchronize());
    });
  }
  for (unsigned round = 0; round < 100; ++round) {
    ASSERT_TRUE(value.zero());
    unsigned expected = 0;
    for (unsigned i = 0; i < 30; ++i) {
      ASSERT_TRUE(step({.stream = &stream}, value.data(), i + 2));
      expected = expected * (i + 2) + 1;
      if (i % 10 == 9) {
        ASSERT_TRUE(stream.synchronize());
        ASSERT_EQ(*value.data(), expected);
      }
    }
  }
  done = true;
  for (std::thread& thread : waiting) thread.join();
}

TEST_F(CpuStreams, WhatIsQueuedBehindAWaitStillRuns) {
  // One thread waits for a launch that lasts; another queues more, which the first does not wait for.
  auto stream = *device_.createStream();
  const auto await = kernel<unsigned*>("await");
  const auto raise = kernel<unsigned*>("raise");
  for (int round = 0; round < 50; ++round) {
    unsigned gate = 0, after = 0;
    std::atomic<bool> started = false;
    ASSERT_TRUE(await({.stream = &stream}, &gate));
    std::thread waiting([&] {
      started = true;
      EXPECT_TRUE(device_.synchronize());
    });
    while (!started) std::this_thread::yield();
    if (round % 2) std::this_thread::sleep_for(std::chrono::microseconds(200));
    ASSERT_TRUE(raise({.stream = &stream}, &after));
    __atomic_store_n(&gate, 1u, __ATOMIC_RELEASE);
    waiting.join();
    while (__atomic_load_n(&after, __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
  }
}

TEST_F(CpuStreams, DoNotHoldEachOtherUp) {
  auto first = *device_.createStream(), second = *device_.createStream();
  const auto await = kernel<unsigned*>("await");
  const auto raise = kernel<unsigned*>("raise");
  for (int round = 0; round < 20; ++round) {
    unsigned flag = 0;
    ASSERT_TRUE(await({.stream = &first}, &flag));
    ASSERT_TRUE(raise({.stream = &second}, &flag));
    ASSERT_TRUE(first.synchronize());
    ASSERT_TRUE(second.synchronize());
    // Device::synchronize() goes from stream to stream: the launches of one must not wait for its turn.
    flag = 0;
    ASSERT_TRUE(await({.stream = &first}, &flag));
    ASSERT_TRUE(raise({.stream = &second}, &flag));
    ASSERT_TRUE(device_.synchronize());
  }
}

TEST_F(CpuStreams, FinishWhenTheyAreDestroyedWhileOthersWait) {
  const auto step = kernel<unsigned*, unsigned>("step");
  std::atomic<bool> done = false;
  std::thread waiting([&] {
    while (!done) EXPECT_TRUE(device_.synchronize());
  });
  for (int round = 0; round < 100; ++round) {
    unsigned value = 0;
    {
      auto stream = *device_.createStream();
      for (int i = 0; i < 10; ++i) ASSERT_TRUE(step({.stream = &stream}, &value, 1));
    }
    ASSERT_EQ(value, 10u);
  }
  done = true;
  waiting.join();
}

TEST(CpuScheduler, IsChosenByName) {
  const char* const before = std::getenv("LATHE_CPU_SCHEDULER");
  const std::string kept = before ? before : "";
  setenv("LATHE_CPU_SCHEDULER", "threads", 1);
  {
    const auto device = Device::open("cpu");
    ASSERT_TRUE(device) << device.error().render();
    EXPECT_EQ(device->info().driverVersion, "Lathe's thread pool");
  }
  setenv("LATHE_CPU_SCHEDULER", "thread", 1);
  const auto wrong = Device::open("cpu");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::InvalidArgument);
  EXPECT_NE(wrong.error().message.find("LATHE_CPU_SCHEDULER is 'thread'"), std::string::npos) << wrong.error().message;
  EXPECT_NE(wrong.error().message.find("'threads'"), std::string::npos) << wrong.error().message;
  setenv("LATHE_CPU_SCHEDULER", "", 1);
  EXPECT_TRUE(Device::open("cpu"));
  if (before) {
    setenv("LATHE_CPU_SCHEDULER", kept.c_str(), 1);
  } else {
    unsetenv("LATHE_CPU_SCHEDULER");
  }
}

}  // namespace
}  // namespace lathe
