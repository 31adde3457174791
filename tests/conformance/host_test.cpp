// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What host programs do beside launching kernels: arguments that are adapted, asynchronous copies and calls, kinds of
// memory, graphs, occupancy, limits; on every runtime that opens here, against values computed by the host.
#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "tests/unit/runtime/count_allocations.h"

extern "C" const char lathe_host_source[], lathe_host_source_end[];

namespace program {

/// A type of a program's own, made for one kernel's parameter by one function.
struct Image {
  lathe::Buffer<int> pixels;
};
struct View {
  int* data;
  std::uint64_t size;
};
View adapt(const Image& image) {
  return {image.pixels.data(), image.pixels.size()};
}

/// The device's side of `Fields` (kernels/host.cpp) and the host's.
struct DeviceFields {
  const int* in;
  View out;
  std::array<int, 2> pair;
};
struct HostFields {
  lathe::Buffer<int> in;
  Image out;
  std::array<short, 2> pair;
};

}  // namespace program

namespace lathe::test {
namespace {

class Host : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto device = Device::open(GetParam());
    if (!device) GTEST_SKIP() << device.error().message;
    device_.emplace(*std::move(device));
    if (device_->info().arch == "cl1.2") GTEST_SKIP() << "it has no pointers that may lead to memory of any kind";
    static std::map<std::string, Image> images;
    auto found = images.find(GetParam());
    if (found == images.end()) {
      static const std::map<std::string, std::string> targets = {{"cpu", "cpu"}, {"cuda", "cuda"}, {"hip", "amdgpu"}};
      Job job;
      job.source = {.name = "host.cpp", .text = {lathe_host_source, lathe_host_source_end}, .dialect = {}};
      job.arch = device_->info().arch;
      // Devices of OpenCL take SPIR-V or text.
      job.target = !is("opencl") ? targets.at(GetParam()) : job.arch.starts_with("spv") ? "spirv" : "opencl-c";
      // OpenCL has no recursion.
      job.entries = {"addTo", "sumTo", "spread", "gather", "slowly", "reverse"};
      if (!is("opencl")) job.entries.push_back("deep");
      const auto compiler = Compiler::create();
      auto compiled = compiler->compile(job);
      ASSERT_TRUE(compiled) << compiled.error().render();
      found = images.emplace(GetParam(), compiled->image).first;
    }
    auto module = device_->load(found->second);
    ASSERT_TRUE(module) << module.error().render();
    module_.emplace(*std::move(module));
  }
  template <class... Args>
  Kernel<Args...> kernel(const char* name) {
    auto out = module_->kernel<Args...>(name);
    EXPECT_TRUE(out) << out.error().render();
    return *std::move(out);
  }
  Buffer<int> numbers(int count) {
    std::vector<int> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0);
    auto out = *device_->allocate<int>(values.size());
    EXPECT_TRUE(out.upload(values));
    return out;
  }
  [[nodiscard]] bool is(const char* runtime) const { return device_->info().runtime == runtime; }

  std::optional<Device> device_;
  std::optional<Module> module_;
};
INSTANTIATE_TEST_SUITE_P(Runtimes, Host, testing::Values("cpu", "cuda", "hip", "opencl"),
                         [](const auto& instance) { return std::string(instance.param); });

void check(const Result<void>& done) {
  EXPECT_TRUE(done) << done.error().render();
}

TEST_P(Host, AdaptsArguments) {
  auto x = numbers(100);
  const auto addTo = kernel<int*, int, int>("addTo");
  check(addTo({.grid = {1}, .group = {128}}, x, 100, 5));
  EXPECT_EQ((*x.read())[99], 104);
  const auto spread = kernel<program::View, int>("spread");
  check(spread({.grid = {1}, .group = {128}}, program::Image{numbers(100)}, 3));
  const program::Image image{numbers(100)};
  check(spread({.grid = {1}, .group = {128}}, image, 3));
  EXPECT_EQ((*image.pixels.read())[7], 21);
#if LATHE_ADAPTS_FIELDS
  const program::HostFields fields{numbers(100), {numbers(100)}, {2, 1}};
  check(kernel<program::DeviceFields>("gather")({.grid = {1}, .group = {128}}, fields));
  EXPECT_EQ((*fields.out.pixels.read())[40], 81);
#endif
  static_assert(std::is_same_v<decltype(adapted<std::tuple<int*, float>>(std::tuple<Buffer<int>, int>())),
                               std::tuple<int*, float>>);
  const std::array<Buffer<int>, 2> two = {numbers(4), numbers(5)};
  EXPECT_EQ((adapted<std::array<const int*, 2>>(two)[1]), two[1].data());
  EXPECT_EQ((adapted<std::span<int>>(two[1]).size()), 5u);
}

#if LATHE_COUNTS_ALLOCATIONS
TEST_P(Host, LaunchesWithoutAllocating) {
  const program::Image image{numbers(100)};
  const auto spread = kernel<program::View, int>("spread");
  auto stream = *device_->createStream();
  const LaunchOptions options{.grid = {1}, .group = {128}, .stream = &stream};
  // As many wait at once as ever below, however soon the stream comes to them.
  std::promise<void> queued;
  if (is("cpu")) check(stream.call([&] { queued.get_future().wait(); }));
  for (int i = 0; i < 20; ++i) check(spread(options, image, i));
  queued.set_value();
  check(stream.synchronize());
  const long before = allocations;
  for (int i = 0; i < 20; ++i) {
    if (!spread(options, image, i)) FAIL();
  }
  // A vendor's own library may allocate; Lathe's layers over "cpu" and "cuda" do not.
  if (is("cpu") || is("cuda")) {
    EXPECT_EQ(allocations - before, 0);
  }
  check(stream.synchronize());
}
#endif

TEST_P(Host, QueuesCopiesFillsAndCallsInOrder) {
  auto stream = *device_->createStream();
  auto x = numbers(1000);
  auto y = *device_->allocate<int>(1000);
  const std::vector<int> ones(1000, 1);
  std::vector<int> out(1000), late(1000);
  std::atomic<int> called = 0;
  const auto addTo = kernel<int*, int, int>("addTo");
  const LaunchOptions options{.grid = {8}, .group = {128}, .stream = &stream};
  check(kernel<int*, int>("slowly")({.grid = {8}, .group = {128}, .stream = &stream}, y, 100000));
  check(stream.upload(x, ones));
  check(addTo(options, x, 1000, 41));
  check(stream.download(x, out));
  check(stream.call([&] { called = out[999]; }));
  check(stream.copy(y.memory(), x.memory(), 4000));
  check(addTo(options, y, 1000, 1));
  check(stream.download(y, std::span(late).first(10)));
  check(stream.fill(x.memory(), 0xff));
  check(stream.synchronize());
  EXPECT_EQ(called, 42);
  EXPECT_EQ(out, std::vector<int>(1000, 42));
  EXPECT_EQ(late[9], 43);
  EXPECT_EQ(late[10], 0);
  EXPECT_EQ(*x.read(), std::vector<int>(1000, -1));
  EXPECT_EQ(*stream.isDone(), true);
}

TEST_P(Host, ReachesMemoryFromBothSides) {
  auto stream = *device_->createStream();
  const auto addTo = kernel<int*, int, int>("addTo");
  for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::managed}) {
    auto memory = device_->allocate<int>(64, kind);
    if (!memory && memory.error().code == ErrorCode::Unsupported && kind == MemoryKind::managed) continue;
    ASSERT_TRUE(memory) << memory.error().render();
    ASSERT_EQ(memory->onHost().size(), 64u);
    std::iota(memory->onHost().begin(), memory->onHost().end(), 1);
    check(addTo({.grid = {1}, .group = {64}, .stream = &stream}, *memory, 64, 9));
    check(stream.synchronize());
    EXPECT_EQ(memory->onHost()[63], 73);
  }
  EXPECT_TRUE(numbers(4).onHost().empty());
  EXPECT_EQ(device_->allocateBytes(8, MemoryKind::borrowed).error().code, ErrorCode::InvalidArgument);
}

TEST_P(Host, AllocatesInTheOrderOfAStream) {
  const auto addTo = kernel<int*, int, int>("addTo");
  std::vector<int> out(1 << 16);
  auto stream = *device_->createStream();
  for (int round = 0; round < 20; ++round) {
    auto buffer = stream.allocate<int>(out.size());
    ASSERT_TRUE(buffer) << buffer.error().render();
    check(stream.fill(buffer->memory(), 0));
    check(addTo({.grid = {256}, .group = {256}, .stream = &stream}, *buffer, 1 << 16, round));
    check(stream.download(*buffer, out));
  }  // freed in the stream's order, before it was waited for
  check(stream.synchronize());
  EXPECT_EQ(out, std::vector<int>(1 << 16, 19));
  EXPECT_EQ(stream.allocate<int>(SIZE_MAX / 2).error().code, ErrorCode::OutOfDeviceMemory);
  auto kept = *stream.allocate<int>(16);
  {
    auto gone = std::move(stream);
  }  // the memory keeps what it needs
  EXPECT_TRUE(kept.zero());
}

TEST_P(Host, LaunchesCapturedGraphs) {
  auto stream = *device_->createStream();
  auto x = numbers(100);
  check(x.zero());
  int calls = 0;
  const int added = 3;
  std::vector<int> out(100);
  {
    const auto addTo = kernel<int*, int, int>("addTo");
    check(stream.beginCapture());
    check(addTo({.grid = {1}, .group = {128}, .stream = &stream}, x, 100, added));
    check(addTo({.grid = {1}, .group = {128}, .stream = &stream}, x, 50, 100));
    check(stream.download(x, out));
    check(stream.call([&] { calls += 1; }));
    EXPECT_FALSE(stream.synchronize());
    EXPECT_FALSE(stream.beginCapture());
  }
  auto graph = stream.endCapture();
  ASSERT_TRUE(graph) << graph.error().render();
  module_.reset();  // the graph keeps the kernels
  EXPECT_EQ((*x.read())[0], 0);
  auto run = graph->instantiate();
  ASSERT_TRUE(run) << run.error().render();
  const auto updated = run->update(GraphNode{0}, {.grid = {1}, .group = {128}}, {});
  ASSERT_FALSE(updated) << "nobody knows the nodes of a captured graph";
  EXPECT_EQ(updated.error().code, ErrorCode::InvalidArgument);
  for (int i = 0; i < 4; ++i) check(run->launch(stream));
  check(stream.synchronize());
  EXPECT_EQ(out[0], 412);
  EXPECT_EQ(out[99], 12);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(stream.endCapture().error().code, ErrorCode::InvalidArgument);
}

TEST_P(Host, LaunchesOfARunFollowEachOtherOnAllStreams) {
  auto first = *device_->createStream(), second = *device_->createStream();
  auto x = numbers(100000);
  check(x.zero());
  const auto addTo = kernel<int*, int, int>("addTo");
  check(first.beginCapture());
  for (int i = 0; i < 3; ++i) check(addTo({.grid = {782}, .group = {128}, .stream = &first}, x, 100000, 1));
  const auto graph = first.endCapture();
  ASSERT_TRUE(graph) << graph.error().render();
  auto run = graph->instantiate();
  ASSERT_TRUE(run) << run.error().render();
  for (int i = 0; i < 8; ++i) {
    check(run->launch(first));
    check(run->launch(second));
  }
  check(first.synchronize());
  check(second.synchronize());
  const auto all = *x.read();
  EXPECT_EQ(std::ranges::count(all, 48), 100000);
}

TEST_P(Host, BuildsAndUpdatesGraphs) {
  auto stream = *device_->createStream();
  auto a = *device_->allocate<int>(100), b = *device_->allocate<int>(100), c = *device_->allocate<int>(100);
  std::vector<int> in(100, 7), out(100);
  int calls = 0;
  const auto addTo = kernel<int*, int, int>("addTo");
  const auto sumTo = kernel<const int*, const int*, int*, int>("sumTo");
  const LaunchOptions options{.grid = {1}, .group = {128}};
  auto graph = device_->createGraph();
  ASSERT_TRUE(graph) << graph.error().render();
  const auto upload = graph->addUpload(a.memory(), in.data(), 400);
  const auto fill = graph->addFill(b.memory(), 0);
  const auto first = graph->add(addTo, {*upload}, options, a, 100, 1);
  const auto second = graph->add(addTo, {*fill}, options, b, 100, 10);
  const auto sum = graph->add(sumTo, {*first, *second}, options, a, b, c, 100);
  const auto download = graph->addDownload(c.memory(), out.data(), 400, 0, {*sum});
  const auto call = graph->addCall([&] { calls += out[5]; }, {*download});
  ASSERT_TRUE(call) << call.error().render();
  auto run = graph->instantiate();
  ASSERT_TRUE(run) << run.error().render();
  check(run->launch(stream));
  check(stream.synchronize());
  EXPECT_EQ(out, std::vector<int>(100, 18));
  check(run->update(*second, addTo, options, b, 50, 20));
  in[0] = 8;
  check(run->launch(stream));
  check(stream.synchronize());
  EXPECT_EQ(out[0], 29);
  EXPECT_EQ(out[1], 28);
  EXPECT_EQ(out[99], 8);
  EXPECT_EQ(calls, 18 + 28);

  EXPECT_EQ(graph->add(addTo, {{99}}, options, a, 100, 1).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(graph->add(addTo, {}, {.grid = {0}}, a, 100, 1).error().code, ErrorCode::LaunchInvalid);
  EXPECT_EQ(run->update(*fill, addTo, options, a, 100, 1).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(run->update({99}, addTo, options, a, 100, 1).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(graph->addUpload(a.memory(), in.data(), 404).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(graph->addCall({}).error().code, ErrorCode::InvalidArgument);
}

TEST_P(Host, ChoosesTheShapeOfALaunch) {
  const auto addTo = kernel<int*, int, int>("addTo");
  auto x = numbers(1000);
  check(addTo(ForItems{1000}, x, 1000, 1));
  check(addTo(ForItems{1}, x, 1, 1));
  EXPECT_EQ((*x.read())[0], 2);
  EXPECT_EQ((*x.read())[999], 1000);
  EXPECT_EQ(addTo(ForItems{0}, x, 1000, 1).error().code, ErrorCode::LaunchInvalid);
  const RawKernel reverse = kernel<int*>("reverse").raw();
  const auto options = reverse.optionsFor(1 << 20, [](std::uint32_t items) { return 4 * items; });
  ASSERT_TRUE(options) << options.error().render();
  EXPECT_EQ(options->dynamicSharedBytes, 4 * options->group.x);
  EXPECT_GE(options->grid.count() * options->group.count(), std::uint64_t{1} << 20);
  EXPECT_FALSE(reverse.optionsFor(1 << 20, [](std::uint32_t) { return 1u << 30; }) && !is("cpu") && !is("opencl"));
  if (is("cuda") || is("hip")) {
    const auto groups = reverse.groupsAtOnce(256, 1024);
    ASSERT_TRUE(groups) << groups.error().render();
    EXPECT_GE(*groups, 1u);
    EXPECT_FALSE(reverse.groupsAtOnce(1 << 20));
  }
}

TEST_P(Host, TakesPrioritiesAndStreamsOfOthers) {
  const auto addTo = kernel<int*, int, int>("addTo");
  auto x = numbers(100);
  for (const int priority : {-1000, -1, 0, 7}) {
    auto stream = device_->createStream({.priority = priority});
    ASSERT_TRUE(stream) << stream.error().render();
    check(addTo({.grid = {1}, .group = {128}, .stream = &*stream, .overlapsPrevious = true}, x, 100, 1));
    check(stream->synchronize());
  }
  auto own = *device_->createStream();
  auto adopted = device_->adoptStream(own.nativeHandle());
  if (is("cuda") || is("hip")) {
    ASSERT_TRUE(adopted) << adopted.error().render();
    check(addTo({.grid = {1}, .group = {128}, .stream = &*adopted}, x, 100, 1));
    check(own.synchronize());
  } else {
    EXPECT_EQ(adopted.error().code, ErrorCode::Unsupported);
    check(addTo({.grid = {1}, .group = {128}, .stream = &own}, x, 100, 1));
    check(own.synchronize());
  }
  EXPECT_EQ((*x.read())[3], 8);
}

TEST_P(Host, BorrowsMemory) {
  auto own = numbers(10);
  {
    auto view = device_->borrow(own.data() + 5, 5);
    EXPECT_EQ((*view.read())[0], 5);
    EXPECT_EQ(view.upload(std::vector<int>(6)).error().code, ErrorCode::InvalidArgument);
    check(kernel<int*, int, int>("addTo")({.grid = {1}, .group = {32}}, view, 5, 1));
  }
  EXPECT_EQ((*own.read())[5], 6);
  EXPECT_EQ(device_->borrow(static_cast<int*>(nullptr), 5).size(), 0u);
}

TEST_P(Host, RunsOnPartsOfMemory) {
  const auto addTo = kernel<int*, int, int>("addTo");
  auto x = numbers(300);
  // The second begins where no device aligns buffers.
  auto first = x.part(0, 100), second = x.part(101, 150);
  ASSERT_TRUE(first && second);
  check(addTo({.grid = {1}, .group = {128}}, *first, 100, 1000));
  check(addTo({.grid = {2}, .group = {128}}, *second, 150, 2000));
  const auto out = *x.read();
  for (int i = 0; i < 300; ++i) {
    const int added = i < 100 ? 1000 : i >= 101 && i < 251 ? 2000 : 0;
    EXPECT_EQ(out[static_cast<std::size_t>(i)], i + added) << i;
  }
}

TEST_P(Host, GivesRecursionTheStackThatIsAskedFor) {
  if (is("opencl")) GTEST_SKIP() << "OpenCL has no recursion";
  auto out = *device_->allocate<int>(256);
  const auto deep = kernel<int*, int>("deep");
  if (is("cuda")) {
    check(device_->setLimit(DeviceLimit::stackBytes, 8192));
    EXPECT_GE(*device_->limit(DeviceLimit::stackBytes), 8192u);
    EXPECT_EQ(device_->setLimit(DeviceLimit::stackBytes, std::size_t{1} << 50).error().code,
              ErrorCode::InvalidArgument);
  }
  check(deep({.grid = {2}, .group = {128}}, out, 12));
  const auto values = out.read();
  ASSERT_TRUE(values) << values.error().render();
  EXPECT_EQ((*values)[0], 274);  // 0 0 1 1 2 4 7 13 24 44 81 149 274
  EXPECT_EQ((*values)[255], 149);
}

TEST_P(Host, RefusesWhatMakesNoSense) {
  auto stream = *device_->createStream();
  auto x = numbers(10);
  EXPECT_EQ(stream.upload(x, std::vector<int>(11)).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(stream.call({}).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(stream.copy(x.memory(), x.memory(), 8, 36).error().code, ErrorCode::InvalidArgument);
  const auto null = *Device::open("null");
  auto elsewhere = *null.allocate<int>(10);
  EXPECT_EQ(stream.fill(elsewhere.memory(), 0).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(stream.copy(x.memory(), elsewhere.memory(), 40).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(device_->reach(null).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(*device_->canReach(null), false);
  EXPECT_EQ(*device_->canReach(*device_), true);
  // The CPU's memory is host memory to any device.
  const auto cpu = *Device::open("cpu");
  auto onCpu = *cpu.allocate<int>(10);
  check(stream.copy(onCpu.memory(), x.memory(), 40));
  check(stream.synchronize());
  EXPECT_EQ((*onCpu.read())[9], 9);
}

/// Two devices of one runtime: a kernel on each, and copies both ways.
TEST_P(Host, UsesTwoDevicesAtOnce) {
  auto other = Device::open(GetParam(), 1);
  if (!other) GTEST_SKIP() << other.error().message;
  auto there = other->load(module_->image());
  ASSERT_TRUE(there) << there.error().render();
  auto x = numbers(1000);
  auto y = *other->allocate<int>(1000);
  auto here = *device_->createStream();
  auto away = *other->createStream();
  check(kernel<int*, int, int>("addTo")({.grid = {8}, .group = {128}, .stream = &here}, x, 1000, 1));
  check(here.copy(y.memory(), x.memory(), 4000));
  check(here.synchronize());
  check((*there->kernel<int*, int, int>("addTo"))({.grid = {8}, .group = {128}, .stream = &away}, y, 1000, 10));
  check(away.copy(x.memory(), y.memory(), 4000));
  check(away.synchronize());
  EXPECT_EQ((*x.read())[999], 1010);
  if (*device_->canReach(*other)) {
    check(device_->reach(*other));
    check(device_->reach(*other));
    check(kernel<int*, int, int>("addTo")({.grid = {8}, .group = {128}}, y, 1000, 100));
    check(device_->synchronize());
    EXPECT_EQ((*y.read())[999], 1110);
  }
}

}  // namespace
}  // namespace lathe::test
