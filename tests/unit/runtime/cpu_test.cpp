// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cpu runtime, from the image to the results, with entries compiled by clang (objects/kernels.cpp).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <thread>

#include "core/group/entry/group_entry.h"
#include "runtimes/cpu/cpu_features.h"

#include "count_allocations.h"
#include "cpu_module.h"
#include "example_image.h"

extern const char object_kernels[], object_kernels_end[];

namespace lathe {
namespace {

using test::CpuModule;
using test::entryWith;

struct GroupFacts {
  unsigned id[3], size[3], count[3], dynamicBytes;
};

Image kernelsImage(std::string arch = "native") {
  ImageInfo info;
  info.target = info.runtime = "cpu";
  info.arch = std::move(arch);
  info.entries = {entryWith<unsigned, float, const float*, float*>("saxpy"),
                  entryWith<unsigned, const float*, float*>("sine"),
                  entryWith<const char*, char*, std::size_t>("copy"),
                  entryWith<unsigned, unsigned, int*>("lookUp"),
                  entryWith<unsigned, float, float*>("choose"),
                  entryWith<int*>("count"),
                  entryWith<void*, unsigned*>("describe"),
                  entryWith<std::size_t, std::size_t, unsigned*>("blocks"),
                  entryWith<float, float*>("roundToHalf"),
                  entryWith<unsigned*, unsigned, unsigned>("slow"),
                  entryWith<int>("absent")};
  EntryPoint& blocks = info.entries[7];
  blocks.resources.sharedBytes = 100;
  blocks.resources.contextBytes = 12;
  info.entries.push_back(entryWith<int>("cut"));
  info.entries.back().parameters[0].offset = 4;
  GlobalVariable counter;
  counter.name = counter.symbol = "counter";
  GlobalVariable zeroed = counter;
  zeroed.name = zeroed.symbol = "zeroed";
  info.globals = {counter, zeroed};
  info.requires_ = {std::string(abi::groupEntryRequirement)};
  return Image::build(std::move(info), {{"elf", "native", std::string(object_kernels, object_kernels_end)}});
}

class Cpu : public CpuModule {
 protected:
  Cpu() : CpuModule(kernelsImage()) {}
};

TEST_F(Cpu, DescribesTheHost) {
  const DeviceInfo& info = device_.info();
  EXPECT_EQ(info.runtime, "cpu");
  EXPECT_EQ(info.arch, "native");
  EXPECT_FALSE(info.name.empty());
  EXPECT_GE(info.multiprocessors, 1u);
  EXPECT_GT(info.memoryBytes, 0u);
  EXPECT_GE(info.maxItemsPerGroup, 1024u);
}

TEST_F(Cpu, RunsSaxpy) {
  constexpr unsigned n = 100003;
  std::vector<float> x(n), y(n);
  for (unsigned i = 0; i < n; ++i) x[i] = static_cast<float>(i), y[i] = 1;
  auto deviceX = device_.allocate<float>(n), deviceY = device_.allocate<float>(n);
  ASSERT_TRUE(deviceX->upload(x));
  ASSERT_TRUE(deviceY->upload(y));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(deviceX->data()) % 64, 0u);
  const auto saxpy = kernel<unsigned, float, const float*, float*>("saxpy");
  ASSERT_TRUE(saxpy({.grid = {(n + 255) / 256}, .group = {256}}, n, 2.0f, deviceX->data(), deviceY->data()));
  const auto result = *deviceY->read();
  for (unsigned i = 0; i < n; ++i) ASSERT_EQ(result[i], 2.0f * x[i] + 1) << i;
}

TEST_F(Cpu, CallsFarFunctions) {
  std::vector<float> in(100), out(100);
  for (unsigned i = 0; i < 100; ++i) in[i] = static_cast<float>(i) * 0.1f;
  const auto sine = kernel<unsigned, const float*, float*>("sine");
  ASSERT_TRUE(sine({}, 100u, in.data(), out.data()));
  for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(out[i], std::sin(in[i])) << i;

  const std::string text(5000, 'x');
  std::string copied(5000, ' ');
  ASSERT_TRUE((kernel<const char*, char*, std::size_t>("copy")({}, text.data(), copied.data(), text.size())));
  EXPECT_EQ(copied, text);

  float half = 0;
  ASSERT_TRUE((kernel<float, float*>("roundToHalf")({}, 0.1f, &half)));
  EXPECT_EQ(half, 0.0999755859375f);  // the binary16 nearest to 0.1
}

TEST_F(Cpu, ReachesConstantsAndJumpTables) {
  const auto lookUp = kernel<unsigned, unsigned, int*>("lookUp");
  const int expected[2][3] = {{3, -11, 333}, {6, -22, 666}};
  for (unsigned table = 0; table < 2; ++table) {
    for (unsigned index = 0; index < 3; ++index) {
      int out = 0;
      ASSERT_TRUE(lookUp({}, table, index, &out));
      EXPECT_EQ(out, expected[table][index]);
    }
  }
  const auto choose = kernel<unsigned, float, float*>("choose");
  const float x = 1.5f;
  const float wanted[] = {x + 1, x * x, std::sin(x), -x, x / 3, 9, 0};
  for (unsigned which = 0; which < 7; ++which) {
    float out[2] = {9, 9};
    ASSERT_TRUE(choose({}, which, x, out));
    EXPECT_EQ(out[0], wanted[which]) << which;
  }
}

TEST_F(Cpu, EachModuleHasItsOwnVariables) {
  const auto count = kernel<int*>("count");
  int out = 0;
  ASSERT_TRUE(count({}, &out));
  EXPECT_EQ(out, 41);
  const auto counter = module_->global("counter");
  ASSERT_TRUE(counter) << counter.error().message;
  EXPECT_EQ(counter->second, sizeof(int));
  *static_cast<int*>(counter->first) = 100;
  static_cast<int*>(module_->global("zeroed")->first)[3] = 1000;
  EXPECT_EQ(module_->global("zeroed")->second, 64 * sizeof(int));
  ASSERT_TRUE(count({}, &out));
  EXPECT_EQ(out, 1101);
  for (const GlobalVariable& global : module_->image().info().globals)
    EXPECT_EQ(module_->global(global.symbol)->first, module_->global(global.name)->first) << global.symbol;
  auto other = device_.load(kernelsImage());
  ASSERT_TRUE((*other->kernel<int*>("count"))({}, &out));
  EXPECT_EQ(out, 41);
  EXPECT_EQ(module_->global("countre").error().message,
            "image: there is no global variable 'countre'; did you mean 'counter'?");
}

TEST_F(Cpu, TellsEachGroupWhereItIs) {
  const Extent3 grid{5, 4, 3}, group{8, 2, 1};
  std::vector<GroupFacts> facts(grid.count());
  std::vector<unsigned> visits(grid.count());
  const auto describe = kernel<void*, unsigned*>("describe");
  ASSERT_TRUE(describe({.grid = grid, .group = group, .dynamicSharedBytes = 77}, facts.data(), visits.data()));
  for (unsigned i = 0; i < grid.count(); ++i) {
    ASSERT_EQ(visits[i], 1u) << i;
    const GroupFacts expected = {{i % 5, i / 5 % 4, i / 20}, {8, 2, 1}, {5, 4, 3}, 77};
    ASSERT_EQ(std::memcmp(&facts[i], &expected, sizeof(expected)), 0) << i;
  }
}

TEST_F(Cpu, GivesEachGroupItsOwnBlocks) {
  const auto blocks = kernel<std::size_t, std::size_t, unsigned*>("blocks");
  for (const std::uint32_t dynamic : {0u, 5000u, 64u}) {
    for (const std::uint32_t items : {1u, 1000u, 63u}) {
      unsigned wrong = 0;
      ASSERT_TRUE(blocks({.grid = {300}, .group = {items}, .dynamicSharedBytes = dynamic}, 100, 12, &wrong));
      EXPECT_EQ(wrong, 0u);
    }
  }
}

TEST_F(Cpu, LaunchesFromManyThreadsDoNotMix) {
  const auto blocks = kernel<std::size_t, std::size_t, unsigned*>("blocks");
  std::vector<std::thread> threads;
  std::vector<unsigned> wrong(4);
  for (unsigned& mine : wrong) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        if (!blocks({.grid = {20}, .group = {100}, .dynamicSharedBytes = 1000}, 100, 12, &mine)) mine = 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<unsigned>(4));
}

TEST_F(Cpu, StreamsKeepTheirOrder) {
  auto stream = device_.createStream();
  ASSERT_TRUE(stream);
  auto value = device_.allocate<unsigned>(1);
  ASSERT_TRUE(value->zero());
  const auto slow = kernel<unsigned*, unsigned, unsigned>("slow");
  unsigned expected = 0;
  for (unsigned i = 0; i < 20; ++i) {
    ASSERT_TRUE(slow({.stream = &*stream}, value->data(), 20000, i));
    expected = expected * i + 1;
  }
  // No synchronize(): copies and the default stream wait for it.
  EXPECT_EQ((*value->read())[0], expected);
  ASSERT_TRUE(slow({.stream = &*stream}, value->data(), 2000000, 3));
  ASSERT_TRUE(slow({}, value->data(), 0, 5));
  EXPECT_EQ((*value->read())[0], (expected * 3 + 1) * 5 + 1);
  EXPECT_TRUE(stream->synchronize());
  EXPECT_TRUE(device_.synchronize());
  EXPECT_EQ(stream->nativeHandle(), nullptr);
}

TEST_F(Cpu, LaunchesWithoutAllocating) {
#if LATHE_COUNTS_ALLOCATIONS
  const auto blocks = kernel<std::size_t, std::size_t, unsigned*>("blocks");
  auto stream = *device_.createStream();
  unsigned wrong = 0;
  // One group: what the parallel scheduler allocates for itself is not the launch's.
  const LaunchOptions direct{.group = {100}, .dynamicSharedBytes = 500};
  const LaunchOptions queued{.group = {100}, .dynamicSharedBytes = 500, .stream = &stream};
  const auto launchBoth = [&] {
    return blocks(direct, 100, 12, &wrong) && blocks(queued, 100, 12, &wrong) && stream.synchronize();
  };
  bool good = launchBoth();  // the threads' blocks and the queue's first task
  const long before = test::allocations;
  for (int i = 0; i < 200; ++i) good = good && launchBoth();
  // The stream's thread gets its block when it first is faster than the waiting one, which may be now.
  EXPECT_LE(test::allocations - before, 4);
  EXPECT_TRUE(good);
  EXPECT_EQ(wrong, 0u);
  EXPECT_FALSE(blocks({.grid = {0}}, 100, 12, &wrong));
  EXPECT_GT(test::allocations - before, 0);  // the counter counts
#else
  GTEST_SKIP() << "a sanitizer owns malloc";
#endif
}

TEST_F(Cpu, StreamsMeasureTime) {
  auto stream = device_.createStream();
  EXPECT_EQ(stream->elapsedSinceStart().error().code, ErrorCode::InvalidArgument);
  unsigned value = 0;
  ASSERT_TRUE(stream->recordStart());
  ASSERT_TRUE((kernel<unsigned*, unsigned, unsigned>("slow")({.stream = &*stream}, &value, 100000, 1)));
  const auto elapsed = stream->elapsedSinceStart();
  ASSERT_TRUE(elapsed);
  EXPECT_GT(*elapsed, 0.0);
  EXPECT_EQ(value, 1u);
}

TEST_F(Cpu, StreamsWaitForEventsOfOthers) {
  const auto slow = kernel<unsigned*, unsigned, unsigned>("slow");
  std::optional<Event> last;
  unsigned value = 0;
  {
    auto first = *device_.createStream(), second = *device_.createStream();
    for (int round = 0; round < 20; ++round) {
      const auto start = first.record();
      ASSERT_TRUE(start && slow({.stream = &first}, &value, 100000, 1));
      const auto done = first.record();
      ASSERT_TRUE(done && second.wait(*done) && first.wait(*done));
      ASSERT_TRUE(slow({.stream = &second}, &value, 1, 1));
      last = *second.record();
      ASSERT_TRUE(first.wait(*last));
      ASSERT_TRUE(done->synchronize());
      EXPECT_GT(*start->elapsedUntil(*done), 0.0);
      EXPECT_GE(*done->elapsedUntil(*last), 0.0);
    }
  }
  EXPECT_EQ(value, 40U);
  EXPECT_TRUE(last->synchronize());  // after its stream
}

TEST_F(Cpu, QueuedWorkOutlivesItsHandles) {
  unsigned value = 0;
  {
    auto stream = device_.createStream();
    const auto slow = kernel<unsigned*, unsigned, unsigned>("slow");
    for (unsigned i = 0; i < 10; ++i) ASSERT_TRUE(slow({.stream = &*stream}, &value, 100000, 1));
    module_.reset();
  }
  EXPECT_EQ(value, 10u);
}

TEST_F(Cpu, RefusesEntriesThatMakeNoSense) {
  const auto absent = module_->rawKernel("absent");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::ImageCorrupt);
  EXPECT_NE(absent.error().message.find("no function 'absent'"), std::string::npos);
  EXPECT_EQ(module_->rawKernel("cut").error().code, ErrorCode::ImageCorrupt);
}

TEST_F(Cpu, ReportsTheImagesResources) {
  const auto blocks = kernel<std::size_t, std::size_t, unsigned*>("blocks");
  EXPECT_EQ(blocks.resources()->sharedBytes, 100);
  EXPECT_EQ(blocks.resources()->registers, -1);
}

TEST_F(Cpu, RefusesImagesOfOtherGroupEntries) {
  ImageInfo info = kernelsImage().info();
  info.requires_ = {"group_entry_1"};
  const auto loaded = device_.load(Image::build(info, {{"elf", "", std::string(object_kernels, object_kernels_end)}}));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::IncompatibleDevice);
  EXPECT_NE(loaded.error().message.find("compile it again"), std::string::npos);
}

TEST_F(Cpu, RefusesGridsBeyondItsIndices) {
  const auto saxpy = module_->rawKernel("saxpy");
  ASSERT_TRUE(saxpy);
  const unsigned n = 0;
  const float a = 0;
  const float* const nothing = nullptr;
  const std::vector<const void*> arguments = {&n, &a, &nothing, &nothing};
  const auto tooLong = saxpy->launch({.grid = {1u << 20}, .group = {2048}}, arguments);
  ASSERT_FALSE(tooLong);
  EXPECT_EQ(tooLong.error().code, ErrorCode::LaunchInvalid);
  EXPECT_NE(tooLong.error().message.find("items along an axis; use several launches"), std::string::npos);
  EXPECT_TRUE(saxpy->launch({.grid = {1u << 20}, .group = {1024}}, arguments));
}

/// Of images that all run, not the one whose name comes last.
TEST_F(Cpu, TakesTheImageThatAsksForMostOfTheProcessor) {
  const auto imageOf = [](const char* arch, const char* features) {
    ImageInfo info = kernelsImage().info();
    info.arch = arch;
    info.features = features;
    return Image::build(info, {{"elf", "", std::string(object_kernels, object_kernels_end)}});
  };
  const auto fat = FatImage::build(std::vector{imageOf("old", "+64bit,+slow-3ops-lea,+fast-gather,+macrofusion"),
                                               imageOf("new", "+sse3,+ssse3"), imageOf("none", "+sse3,+ssse3,+xop")});
  ASSERT_TRUE(fat);
  const auto loaded = device_.load(*fat);
  ASSERT_TRUE(loaded) << loaded.error().render();
  EXPECT_EQ(loaded->image().info().arch, __builtin_cpu_supports("xop") ? "none" : "new");
}

TEST_F(Cpu, RefusesImagesForOtherProcessors) {
  ImageInfo info = kernelsImage().info();
  info.requires_.emplace_back("+avx512f,+avx512bf16");
  const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bf16");
  const auto loaded = device_.load(Image::build(info, {{"elf", "", std::string(object_kernels, object_kernels_end)}}));
  EXPECT_EQ(loaded.hasValue(), has);
  if (!has) {
    EXPECT_EQ(loaded.error().code, ErrorCode::IncompatibleDevice);
  }
  info = kernelsImage().info();
  info.features = "+64bit,+sse3,+xop,+fma4";  // of processors that nobody makes any more
  const auto old = device_.load(Image::build(info, {{"elf", "", std::string(object_kernels, object_kernels_end)}}));
  if (!__builtin_cpu_supports("xop")) {
    ASSERT_FALSE(old);
    EXPECT_NE(old.error().message.find("it needs 'xop', 'fma4', which"), std::string::npos) << old.error().message;
  }
  EXPECT_EQ(device_.load(test::imageFor("cpu", {}, {{"asm", "", "ret"}})).error().code, ErrorCode::IncompatibleDevice);
}

#if defined(__x86_64__)
/// The compiler's builtins are another reading of the same processor. They take literals only.
TEST(ProcessorFeatures, AreTheCompilersBuiltins) {
#define LATHE_FEATURE(name) \
  EXPECT_EQ(detail::presentFeatures("+" name), __builtin_cpu_supports(name) != 0 ? 1u : 0u) << name;
  LATHE_FEATURE("sse3")
  LATHE_FEATURE("ssse3")
  LATHE_FEATURE("sse4.1")
  LATHE_FEATURE("sse4.2")
  LATHE_FEATURE("sse4a")
  LATHE_FEATURE("popcnt")
  LATHE_FEATURE("aes")
  LATHE_FEATURE("pclmul")
  LATHE_FEATURE("avx")
  LATHE_FEATURE("avx2")
  LATHE_FEATURE("fma")
  LATHE_FEATURE("fma4")
  LATHE_FEATURE("xop")
  LATHE_FEATURE("bmi")
  LATHE_FEATURE("bmi2")
  LATHE_FEATURE("f16c")
  LATHE_FEATURE("gfni")
  LATHE_FEATURE("vpclmulqdq")
  LATHE_FEATURE("avx512f")
  LATHE_FEATURE("avx512cd")
  LATHE_FEATURE("avx512dq")
  LATHE_FEATURE("avx512bw")
  LATHE_FEATURE("avx512vl")
  LATHE_FEATURE("avx512ifma")
  LATHE_FEATURE("avx512vbmi")
  LATHE_FEATURE("avx512vbmi2")
  LATHE_FEATURE("avx512vnni")
  LATHE_FEATURE("avx512bf16")
  LATHE_FEATURE("avx512bitalg")
  LATHE_FEATURE("avx512vpopcntdq")
  LATHE_FEATURE("x86-64-v2")
  LATHE_FEATURE("x86-64-v3")
  LATHE_FEATURE("x86-64-v4")
#undef LATHE_FEATURE
  EXPECT_EQ(detail::presentFeatures("+no-such-feature,-avx"), 0u);
}
#endif

}  // namespace
}  // namespace lathe
