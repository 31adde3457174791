// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of a driver's own against one that a test describes (fake_gpu.h): what they keep, whose state their kernels
// write to, and when that is read.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>

#include <lathe/sdk/kernel_state.h>
#include "example_image.h"
#include "fakes/fake_gpu.h"
#include "runtimes/common/gpu/gpu_device.h"

namespace lathe {
namespace {

using detail::DeviceDriver;
using detail::LoadedKernel;
using detail::StreamDriver;

/// A kernel `k` of an int, with a state that has these fields.
EntryPoint entryWithState(std::initializer_list<const char*> fields = {"exception", "print", "kernel"}) {
  EntryPoint entry = test::entryWith<int>("k", {"n"});
  entry.abi = EntryAbi::state;
  Parameter state;
  state.type.kind = TypeKind::record;
  state.type.size = 8 * fields.size();
  state.type.align = 8;
  for (const char* name : fields)
    state.type.fields.push_back({name, 8 * state.type.fields.size(), test::layoutOf<std::uint64_t>("unsigned long")});
  entry.hidden.push_back(std::move(state));
  return entry;
}

class GpuGraphs : public ::testing::Test {
 protected:
  void SetUp() override {
    gpu_.kernel = [this](const void* const* arguments) { trap(arguments); };
    DeviceInfo info;
    info.name = "Fake";
    info.runtime = "fake";
    device_ = *detail::openGpuDevice(gpu_, info);
  }
  void TearDown() override {
    device_.reset();
    EXPECT_TRUE(gpu_.memory.empty());
    EXPECT_TRUE(gpu_.hostMemory.empty());
    EXPECT_EQ(gpu_.functions, 0);
  }
  std::shared_ptr<LoadedKernel> kernelOf(const EntryPoint& entry) {
    const auto module = *device_->load(test::imageFor("fake", {entry}, {{"ptx", "sm_80", "good"}}));
    auto kernel = module->kernel(module->image().info().entries.front());
    EXPECT_TRUE(kernel) << kernel.error().render();
    return *std::move(kernel);
  }
  Result<void> launch(const LoadedKernel& kernel, StreamDriver* stream, int n) {
    const std::array<const void*, 1> arguments = {&n};
    return kernel.launch({}, stream, arguments);
  }
  /// What `kernel` leaves in its state if its argument is not 0, and where it finds that.
  void trap(const void* const* arguments) {
    const int n = *static_cast<const int*>(arguments[0]);
    std::memcpy(&state_, arguments[1], fieldBytes_);
    ASSERT_EQ(gpu_.hostMemory.count(state_.exception), 1u) << "the state is gone";
    if (n == 0 || state_.exception->claimed) return;
    state_.exception->claimed = state_.exception->complete = 1;
    state_.exception->kind = abi::ExceptionKind::trap;
    state_.exception->kernel = state_.kernel;
    state_.exception->item[0] = static_cast<unsigned>(n);
  }
  /// Waits for the device: the message of what it reports, "" if nothing.
  std::string report() {
    const auto done = device_->synchronize();
    return done ? "" : done.error().message;
  }

  test::FakeGpu gpu_;
  std::shared_ptr<DeviceDriver> device_;
  std::size_t fieldBytes_ = 24;
  abi::KernelState state_{};  ///< what the last launch was given
};

constexpr const char* trapped = "kernel 'k': it trapped in group 0,0,0, item 7,0,0";

TEST_F(GpuGraphs, ACapturedGraphOutlivesItsStream) {
  auto kernel = kernelOf(entryWithState());
  auto stream = *device_->createStream({});
  ASSERT_TRUE(launch(*kernel, stream.get(), 0));  // the stream has a state of its own
  ASSERT_TRUE(stream->beginCapture());
  ASSERT_TRUE(launch(*kernel, stream.get(), 7));
  auto graph = *stream->endCapture();
  const auto run = *graph->instantiate();
  graph.reset();
  kernel.reset();
  stream = *device_->createStream({});
  ASSERT_TRUE(run->launch(*stream));
  EXPECT_EQ(report(), trapped);
  EXPECT_EQ(report(), "");
  ASSERT_TRUE(run->launch(*stream));
  EXPECT_EQ(report(), trapped);
}

TEST_F(GpuGraphs, StreamsThatComeIntoACaptureBelongToItsGraph) {
  auto kernel = kernelOf(entryWithState());
  auto first = *device_->createStream({}), second = *device_->createStream({});
  ASSERT_TRUE(first->beginCapture());
  ASSERT_TRUE(second->wait(**first->record()));
  ASSERT_TRUE(launch(*kernel, second.get(), 7));
  int calls = 0;
  ASSERT_TRUE(second->call([&] { ++calls; }));
  ASSERT_TRUE(first->wait(**second->record()));
  auto graph = *first->endCapture();
  kernel.reset();
  // The second stream's work is its own again.
  ASSERT_TRUE(second->call([&] { calls += 10; }));
  EXPECT_EQ(calls, 10);
  second.reset();
  {
    const auto run = *graph->instantiate();
    ASSERT_TRUE(run->launch(*first));
    ASSERT_TRUE(run->launch(*first));
    EXPECT_EQ(calls, 12);
    EXPECT_EQ(report(), trapped);
  }
}

TEST_F(GpuGraphs, LaunchesOfGraphsCount) {
  const auto kernel = kernelOf(entryWithState());
  const auto stream = *device_->createStream({});
  const auto graph = *device_->createGraph();
  int n = 7;
  const std::array<const void*, 1> arguments = {&n};
  ASSERT_TRUE(graph->addKernel({}, kernel, {}, arguments));
  const auto run = *graph->instantiate();
  ASSERT_TRUE(launch(*kernel, nullptr, 0));
  // The wait has begun before the graph was launched: its kernel may still write when the wait is over.
  gpu_.whileWaiting = [&] { ASSERT_TRUE(run->launch(*stream)); };
  EXPECT_EQ(report(), "");
  EXPECT_EQ(report(), trapped);
  // An update launches nothing.
  ASSERT_TRUE(run->launch(*stream));
  gpu_.whileWaiting = [&] { ASSERT_TRUE(run->update(0, {}, arguments)); };
  EXPECT_EQ(report(), trapped);
  n = 0;
  ASSERT_TRUE(run->update(0, {}, arguments));
  ASSERT_TRUE(run->launch(*stream));
  EXPECT_EQ(report(), "");
}

TEST_F(GpuGraphs, GraphsThatAreNeverLaunchedLeaveNothing) {
  const auto kernel = kernelOf(entryWithState());
  const auto graph = *device_->createGraph();
  const int n = 7;
  const std::array<const void*, 1> arguments = {&n};
  ASSERT_TRUE(graph->addKernel({}, kernel, {}, arguments));
  EXPECT_EQ(gpu_.hostMemory.size(), 1u);  // TearDown() looks for it
}

TEST_F(GpuGraphs, AFailureLeavesNoBarrierInTheMiddleOfARound) {
  fieldBytes_ = 40;
  gpu_.kernel = [this](const void* const* arguments) {
    trap(arguments);
    EXPECT_EQ(state_.grid->arrived, 0u);
    if (*static_cast<const int*>(arguments[0]) != 0) state_.grid->arrived = 1;
  };
  const auto kernel = kernelOf(entryWithState({"exception", "print", "kernel", "heap", "grid"}));
  const auto stream = *device_->createStream({});
  const auto graph = *device_->createGraph();
  const int n = 7;
  const std::array<const void*, 1> arguments = {&n};
  ASSERT_TRUE(graph->addKernel({}, kernel, {}, arguments));
  const auto run = *graph->instantiate();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(run->launch(*stream));
    EXPECT_EQ(report(), trapped);
  }
}

TEST_F(GpuGraphs, LargeParametersAreRefusedInGraphs) {
  EntryPoint entry = test::entryWith<int>("k", {"all"});
  entry.parameters[0].byReference = true;
  const auto kernel = kernelOf(entry);
  gpu_.kernel = nullptr;
  const auto stream = *device_->createStream({});
  ASSERT_TRUE(launch(*kernel, stream.get(), 1));
  EXPECT_EQ(gpu_.uploads, 1);
  ASSERT_TRUE(stream->beginCapture());
  const auto captured = launch(*kernel, stream.get(), 1);
  ASSERT_FALSE(captured);
  EXPECT_EQ(captured.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(captured.error().message,
            "kernel 'k': parameter 'all' of 4 bytes is copied to device memory by each launch, which a launch in a "
            "graph cannot do");
  EXPECT_FALSE(captured.error().hint.empty());
  EXPECT_EQ(gpu_.uploads, 1);
  auto graph = *stream->endCapture();
  const int n = 1;
  const std::array<const void*, 1> arguments = {&n};
  EXPECT_EQ(graph->addKernel({}, kernel, {}, arguments).error().message, captured.error().message);
  EXPECT_TRUE(launch(*kernel, stream.get(), 1));
}

TEST_F(GpuGraphs, FunctionsOfKernelsThatCannotBeMadeAreReleased) {
  EntryPoint entry = entryWithState({"exception", "print", "kernel", "heap"});
  entry.coarse = {"k$coarse4", 4, 100};
  const auto module = *device_->load(test::imageFor("fake", {entry}, {{"ptx", "sm_80", "good"}}));
  const EntryPoint& own = module->image().info().entries.front();
  for (const char* function : {"findFunction", "functionFacts", "findFunction twice"}) {
    gpu_.failing = function;
    EXPECT_FALSE(module->kernel(own)) << function;
    EXPECT_EQ(gpu_.functions, 0) << function;
  }
  ASSERT_EQ(::setenv("LATHE_HEAP_BYTES", "many", 1), 0);
  EXPECT_EQ(module->kernel(own).error().code, ErrorCode::InvalidArgument);
  ASSERT_EQ(::unsetenv("LATHE_HEAP_BYTES"), 0);
  EXPECT_EQ(gpu_.functions, 0);
  EXPECT_TRUE(module->kernel(own));
}

}  // namespace
}  // namespace lathe
