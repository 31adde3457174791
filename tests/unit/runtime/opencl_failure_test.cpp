// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures of an OpenCL library while it is used: launches that it refuses, memory that is not there, lost devices, and
// what must be done again or given back behind them.
#include "opencl_driver.h"

namespace lathe {
namespace {

using detail::ClError;
using test::capability;
using test::expect;
using test::fake;
using OpenClFailures = test::OpenClDriver;

/// The kernel k(int, double) of a loaded program.
std::shared_ptr<detail::LoadedKernel> kernelOf(detail::DeviceDriver& device) {
  const Image image = test::imageFor("opencl", {test::entryWith<int, double>("k")}, {{"spv", "spv1.4", capability(6)}});
  const auto module = *device.load(image);
  return *module->kernel(module->image().info().entries.front());
}

Error launch(const detail::LoadedKernel& kernel, detail::StreamDriver* stream = nullptr) {
  const int first = 1;
  const double second = 2;
  const std::array<const void*, 2> arguments = {&first, &second};
  const auto done = kernel.launch({.grid = {2}, .group = {32}}, stream, arguments);
  return done ? Error{.message = "launched"} : done.error();
}

TEST_F(OpenClFailures, ArgumentsOfAnotherSizeThanTheCodesAreRefused) {
  const auto driver = device();
  const auto kernel = kernelOf(*driver);
  EXPECT_EQ(launch(*kernel).message, "launched");
  EXPECT_EQ(fake().launches, 1);
  fake().argumentBytes[1] = 4;
  const auto other = kernelOf(*driver);  // arguments of before are not set again
  expect(launch(*other), ErrorCode::ArgumentMismatch,
         "kernel 'k': opencl: launching a kernel: CL_INVALID_ARG_SIZE (-51)");
  EXPECT_EQ(fake().launches, 1);
}

TEST_F(OpenClFailures, TooLittleMemory) {
  const auto driver = device();
  const auto memory = driver->allocate(std::size_t{1} << 31);
  ASSERT_FALSE(memory);
  expect(
      memory.error(), ErrorCode::OutOfDeviceMemory,
      "opencl: allocating memory: CL_MEM_OBJECT_ALLOCATION_FAILURE (-4) (2147483648 bytes of the device's 1073741824 "
      "were asked for)");
  fake().failNext("clEnqueueSVMMemcpy", ClError::outOfHostMemory);
  int to = 0;
  const int from = 1;
  expect(driver->upload(&to, &from, sizeof(to)).error(), ErrorCode::OutOfHostMemory,
         "opencl: copying to the device: CL_OUT_OF_HOST_MEMORY (-6)");
  EXPECT_TRUE(driver->upload(&to, &from, sizeof(to)));
  EXPECT_EQ(to, 1);
}

TEST_F(OpenClFailures, CallsOfStreamsAreBehindWhatSucceeds) {
  bool called = false;
  std::weak_ptr<int> captured;
  const auto call = [&] {
    called = false;
    auto kept = std::make_shared<int>();
    captured = kept;
    const auto driver = device();
    const auto stream = *driver->createStream({});
    ASSERT_TRUE(stream->queues());
    EXPECT_TRUE(stream->call([&called, kept = std::move(kept)] { called = true; }));
  };  // the device is given back, and has made its calls
  call();
  EXPECT_TRUE(called);
  EXPECT_EQ(fake().gate, 0);
  EXPECT_EQ(fake().events, 0);
  // What failed lets nothing be called, and what is behind it fail too.
  fake().eventState = ClError::outOfResources;
  call();
  EXPECT_FALSE(called);
  EXPECT_TRUE(captured.expired());
  EXPECT_EQ(fake().gate, ClError::outOfResources);
  fake().eventState = 0;
  const auto driver = device();
  const auto stream = *driver->createStream({});
  for (const char* const function : {"clCreateUserEvent", "clEnqueueMarkerWithWaitList", "clSetEventCallback"}) {
    fake().failNext(function, ClError::outOfHostMemory);
    EXPECT_EQ(stream->call([&] { called = true; }).error().code, ErrorCode::OutOfHostMemory) << function;
  }
  EXPECT_FALSE(called);
}

TEST_F(OpenClFailures, StreamsSayWhetherTheyAreDone) {
  const auto driver = device();
  const auto stream = *driver->createStream({});
  EXPECT_TRUE(*stream->isDone());
  fake().eventState = 1;  // it runs
  EXPECT_FALSE(*stream->isDone());
  fake().eventState = ClError::outOfResources;
  EXPECT_EQ(stream->isDone().error().message, "opencl: asking a stream: CL_OUT_OF_RESOURCES (-5)");
}

TEST_F(OpenClFailures, LostDevicesAndFailedKernels) {
  const auto driver = device();
  const auto kernel = kernelOf(*driver);
  fake().failNext("clFinish", ClError::deviceNotAvailable);
  expect(driver->synchronize().error(), ErrorCode::DeviceNotFound,
         "opencl: waiting for the device: CL_DEVICE_NOT_AVAILABLE (-2)");
  fake().failNext("clEnqueueNDRangeKernel", ClError::deviceNotAvailable);
  EXPECT_EQ(launch(*kernel).code, ErrorCode::DeviceNotFound);
  fake().failNext("clEnqueueNDRangeKernel", ClError::outOfResources);
  expect(launch(*kernel), ErrorCode::LaunchFailed, "kernel 'k': opencl: launching a kernel: CL_OUT_OF_RESOURCES (-5)");
  int to = 0;
  fake().failNext("clWaitForEvents", ClError::failedInWaitList);
  expect(driver->download(&to, &to, 0).error(), ErrorCode::DeviceFault,
         "opencl: copying from the device: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST (-14)");
}

TEST_F(OpenClFailures, WhatAFailedLaunchHadToDoIsDoneByTheNext) {
  const auto driver = device();
  const auto kernel = kernelOf(*driver);
  const auto stream = *driver->createStream({});
  const auto fails = [&](const char* function, detail::StreamDriver* on) {
    fake().failNext(function, ClError::outOfResources);
    EXPECT_EQ(launch(*kernel, on).code, ErrorCode::LaunchFailed) << function;
  };
  // A queue waits for the default one's work, and that one for theirs.
  for (const char* function : {"clEnqueueMarkerWithWaitList", "clFlush", "clEnqueueBarrierWithWaitList"}) {
    for (detail::StreamDriver* const on : {stream.get(), static_cast<detail::StreamDriver*>(nullptr)}) {
      EXPECT_EQ(launch(*kernel, on ? nullptr : stream.get()).message, "launched");
      const int before = fake().barriers;
      fails(function, on);
      EXPECT_EQ(fake().barriers, before) << function;
      EXPECT_EQ(launch(*kernel, on).message, "launched");
      EXPECT_EQ(fake().barriers, before + 1) << function;
      EXPECT_EQ(launch(*kernel, on).message, "launched");
      EXPECT_EQ(fake().barriers, before + 1) << function << ": more than it has to";
    }
  }
  // A kernel learns what memory there is, once.
  void* const memory = *driver->allocate(64);
  fails("clSetKernelExecInfo", nullptr);
  EXPECT_EQ(fake().told, 0);
  EXPECT_EQ(launch(*kernel).message, "launched");
  EXPECT_EQ(launch(*kernel).message, "launched");
  EXPECT_EQ(fake().told, 1);
  driver->free(memory);
}

TEST_F(OpenClFailures, GivesEverythingBackAlsoAfterFailures) {
  {
    const auto driver = device();
    const auto kernel = kernelOf(*driver);
    fake().failNext("clCreateCommandQueueWithProperties", ClError::outOfHostMemory);
    EXPECT_FALSE(driver->createStream({}));
    auto stream = *driver->createStream({});
    fake().failNext("clEnqueueMarkerWithWaitList", ClError::outOfResources);
    EXPECT_FALSE(stream->record());
    const auto event = *stream->record();
    EXPECT_TRUE(event->synchronize());
    (void)*driver->allocate(64);  // goes with the context
    for (const char* function : {"clGetKernelWorkGroupInfo", "clCreateKernel"}) {
      fake().failNext(function, ClError::outOfHostMemory);
      const auto module = driver->load(test::imageFor("opencl", {}, {{"spv", "spv1.4", capability(6)}}));
      EntryPoint entry;
      entry.name = entry.symbol = "k";
      EXPECT_FALSE((*module)->kernel(entry)) << function;
      EXPECT_EQ(fake().kernels, 1) << function;
    }
  }
  EXPECT_EQ(fake().buffers + fake().kernels + fake().programs + fake().queues + fake().contexts + fake().events, 0);
}

}  // namespace
}  // namespace lathe
