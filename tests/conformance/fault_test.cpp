// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes wrong on a GPU, and what comes close: an error with a code each, or the right result, and never the end of
// the program. Faults end a device's context, so ctest runs each case in a process of its own.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>
#include <lathe/compiler.h>
#include <lathe/runtime.h>

extern "C" const char lathe_fault_source[], lathe_fault_source_end[];

namespace lathe::test {
namespace {

Result<Image> imageFor(const std::string& arch, std::string text = {lathe_fault_source, lathe_fault_source_end}) {
  Job job;
  job.source = {.name = "faults.cu", .text = std::move(text), .dialect = {}};
  job.target = "cuda";
  job.arch = arch;
  const auto compiler = Compiler::create();
  auto compiled = compiler->compile(job);
  if (!compiled) return compiled.error();
  return compiled->image;
}

class Faults : public testing::Test {
 protected:
  void SetUp() override {
    auto device = Device::open("cuda");
    // The kernels compile on every machine.
    auto image = imageFor(device ? device->info().arch : "sm_90");
    ASSERT_TRUE(image) << image.error().render();
    if (!device) GTEST_SKIP() << "compiled only: " << device.error().message;
    device_.emplace(*std::move(device));
    image_ = *std::move(image);
    auto module = device_->load(*image_);
    ASSERT_TRUE(module) << module.error().render();
    module_.emplace(*std::move(module));
  }
  template <class... Args>
  Kernel<Args...> kernel(const char* name) {
    auto out = module_->kernel<Args...>(name);
    EXPECT_TRUE(out) << out.error().render();
    return *std::move(out);
  }
  /// A device whose context a kernel has ended: everything is an error of the same kind, until nobody has it any more.
  void expectEnded() {
    const auto waited = device_->synchronize();
    ASSERT_FALSE(waited);
    EXPECT_EQ(waited.error().code, ErrorCode::DeviceFault) << waited.error().render();
    EXPECT_FALSE(waited.error().hint.empty());
    EXPECT_FALSE(device_->allocate<int>(10));
    EXPECT_FALSE(device_->synchronize());
  }
  void expectWorks() {
    auto out = *device_->allocate<int>(256);
    auto done = kernel<int*, int>("fill")({.grid = {2}, .group = {128}}, out.data(), 7);
    ASSERT_TRUE(done) << done.error().render();
    EXPECT_EQ(out.read()->at(255), 7);
  }

  std::optional<Device> device_;
  std::optional<Image> image_;
  std::optional<Module> module_;
};

TEST_F(Faults, AnAddressThatIsNoMemory) {
  (void)kernel<int*>("store")({.grid = {1}, .group = {1}}, reinterpret_cast<int*>(0x10));
  expectEnded();
}

TEST_F(Faults, AnAddressThatIsNotAligned) {
  auto memory = *device_->allocate<char>(64);
  (void)kernel<char*>("storeApart")({.grid = {1}, .group = {1}}, memory.data());
  expectEnded();
}

TEST_F(Faults, ADeviceThatIsOpenedAgain) {
  (void)kernel<int*>("store")({.grid = {1}, .group = {1}}, reinterpret_cast<int*>(0x10));
  expectEnded();
  module_.reset();
  device_.reset();
  auto again = Device::open("cuda");
  if (!again) GTEST_SKIP() << "this driver ends the process's use of the device: " << again.error().message;
  device_.emplace(*std::move(again));
  auto module = device_->load(*image_);
  ASSERT_TRUE(module) << module.error().render();
  module_.emplace(*std::move(module));
  expectWorks();
}

TEST_F(Faults, ShapesThatAreTooLarge) {
  auto data = *device_->allocate<float>(192 * 1024);
  auto out = *device_->allocate<int>(2048);
  const auto expect = [&](const Result<void>& launched, std::string_view part) {
    ASSERT_FALSE(launched) << part;
    EXPECT_EQ(launched.error().code, ErrorCode::LaunchInvalid) << launched.error().render();
    EXPECT_NE(launched.error().render().find(part), std::string::npos) << launched.error().render();
  };
  const auto borrowing = kernel<int*>("borrowing");
  expect(kernel<float*, int>("crowded")({.grid = {1}, .group = {1024}}, data.data(), 1), "1024");
  expect(kernel<int*>("bounded")({.grid = {1}, .group = {257}}, out.data()), "257");
  expect(borrowing({.grid = {1}, .group = {2048}}, out.data()), "2048");
  expect(borrowing({.grid = {1}, .group = {32}, .dynamicSharedBytes = 1u << 20}, out.data()), "1048576");
  expect(borrowing({.grid = {64}, .group = {32}, .dynamicSharedBytes = 128, .cluster = {64}}, out.data()), "64");
  const std::uint32_t most = device_->info().maxSharedBytes;
  auto largest = borrowing({.grid = {1}, .group = {32}, .dynamicSharedBytes = most}, out.data());
  EXPECT_TRUE(largest) << largest.error().render();
  EXPECT_EQ(out.read()->at(0), 31);
  expectWorks();
}

TEST_F(Faults, AStreamThatGoesWithWorkInFlight) {
  const auto spin = kernel<unsigned*, unsigned, unsigned>("spin");
  auto out = *device_->allocate<unsigned>(128);
  for (int i = 0; i < 20; ++i) {
    auto stream = *device_->createStream();
    ASSERT_TRUE(spin({.grid = {1}, .group = {128}, .stream = &stream}, out.data(), 5u, 2'000'000u));
  }
  ASSERT_TRUE(device_->synchronize());
  unsigned wanted = 5 + 127;
  for (unsigned i = 0; i < 2'000'000u; ++i) wanted = wanted * 1664525u + 1013904223u;
  EXPECT_EQ(out.read()->at(127), wanted);
}

/// Nothing is left of module and kernel when the first of the launches ends.
TEST_F(Faults, AModuleThatGoesWithWorkInFlight) {
  auto spin = std::make_optional(kernel<unsigned*, unsigned, unsigned>("spin"));
  auto out = *device_->allocate<unsigned>(128);
  auto stream = *device_->createStream();
  for (unsigned start : {0u, 5u})
    ASSERT_TRUE((*spin)({.grid = {1}, .group = {128}, .stream = &stream}, out.data(), start, 2'000'000u));
  spin.reset();
  module_.reset();
  ASSERT_TRUE(stream.synchronize());
  unsigned wanted = 5 + 3;
  for (unsigned i = 0; i < 2'000'000u; ++i) wanted = wanted * 1664525u + 1013904223u;
  EXPECT_EQ(out.read()->at(3), wanted);
  auto module = device_->load(*image_);
  ASSERT_TRUE(module) << module.error().render();
  module_.emplace(*std::move(module));
  expectWorks();
}

/// The driver has room for so many levels, and for so many launches that wait: more are an error that the kernel can
/// ask for, or are run.
TEST_F(Faults, LaunchesInKernelsThatAreTooMany) {
  constexpr const char* source = R"(
    __global__ void count(int* out) { atomicAdd(out, 1); }
    __global__ void nest(int* out, int left) {
      out[0] += 1;
      if (left > 0) nest<<<1, 1>>>(out, left - 1);
      if (const int failed = cudaGetLastError()) out[1] = failed;
    }
    __global__ void wide(int* out, int n) {
      int begun = 0;
      for (int i = 0; i < n; ++i) {
        count<<<1, 1>>>(out);
        const int failed = cudaGetLastError();
        if (failed) out[1] = failed;
        begun += failed == 0;
      }
      out[2] = begun;
    })";
  const auto image = imageFor(device_->info().arch, source);
  ASSERT_TRUE(image) << image.error().render();
  const auto module = device_->load(*image);
  if (!module) {
    EXPECT_NE(module.error().render().find("libcudadevrt"), std::string::npos) << module.error().render();
    GTEST_SKIP() << module.error().message;
  }
  auto out = *device_->allocate<int>(3);
  for (const char* const name : {"nest", "wide"}) {
    const int levels = name[0] == 'n' ? 40 : 20'000;
    const auto launch = *module->kernel<int*, int>(name);
    ASSERT_TRUE(out.zero());
    const auto done = launch({.grid = {1}, .group = {1}}, out.data(), levels);
    ASSERT_TRUE(done) << done.error().render();
    const std::vector<int> found = *out.read();
    const int all = name[0] == 'n' ? levels + 1 : levels;
    if (found[1] == 0)
      EXPECT_EQ(found[0], all) << name;
    else
      EXPECT_TRUE(found[0] > 0 && found[0] < all && (name[0] == 'n' || found[0] == found[2])) << name << found[0];
    expectWorks();
  }
}

TEST_F(Faults, MemoryThatGoesBeforeItsGraph) {
  const auto fill = kernel<int*, int>("fill");
  auto graph = *device_->createGraph();
  auto memory = std::make_optional(*device_->allocate<int>(128));
  ASSERT_TRUE(graph.add(fill, {}, {.grid = {1}, .group = {128}}, memory->data(), 3));
  auto run = *graph.instantiate();
  memory.reset();
  auto stream = *device_->createStream();
  auto launched = run.launch(stream);
  if (launched) launched = stream.synchronize();
  if (!launched) {
    EXPECT_EQ(launched.error().code, ErrorCode::DeviceFault) << launched.error().render();
  } else {
    expectWorks();
  }
}

TEST_F(Faults, ManyThreadsOnOneDevice) {
  const auto spin = kernel<unsigned*, unsigned, unsigned>("spin");
  std::vector<std::jthread> threads;
  std::array<bool, 8> right{};
  for (unsigned t = 0; t < right.size(); ++t) {
    threads.emplace_back([&, t] {
      auto stream = *device_->createStream();
      auto out = *device_->allocate<unsigned>(128);
      right[t] = true;
      for (unsigned i = 0; i < 200; ++i) {
        const auto launched = spin({.grid = {1}, .group = {128}, .stream = &stream}, out.data(), 1000 * t + i, 0u);
        const auto waited = stream.synchronize();
        if (!launched || !waited || out.read()->at(3) != 1000 * t + i + 3) right[t] = false;
      }
    });
  }
  threads.clear();
  EXPECT_TRUE(std::ranges::all_of(right, [](bool one) { return one; }));
}

std::size_t residentBytes() {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST_F(Faults, TenThousandModules) {
  const auto load = [&](int count) {
    for (int i = 0; i < count; ++i) {
      auto module = device_->load(*image_);
      ASSERT_TRUE(module) << module.error().render();
      if (i % 1000 == 0) {
        auto fill = module->kernel<int*, int>("fill");
        auto out = *device_->allocate<int>(128);
        ASSERT_TRUE((*fill)({.grid = {1}, .group = {128}}, out.data(), i));
        EXPECT_EQ(out.read()->at(5), i);
      }
    }
  };
  load(1000);
  const std::size_t before = residentBytes();
  load(9000);
  EXPECT_LT(residentBytes(), before + (std::size_t{64} << 20));
  expectWorks();
}

class TensorMaps : public Faults {};

TEST_F(TensorMaps, CopyTilesAndZerosOutside) {
  constexpr int width = 100, height = 40;
  auto memory = *device_->allocate<float>(width * height);
  std::vector<float> values(width * height);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) + 1;
  ASSERT_TRUE(memory.upload(values));
  auto out = *device_->allocate<float>(16 * 32);
  const auto tileOf = kernel<TensorMap, float*, int, int>("tileOf");
  for (const bool nan : {false, true}) {
    const auto map = device_->createTensorMap(
        memory.memory(), {.extents = {width, height}, .tile = {32, 16}, .cacheBytes = 128, .nanOutside = nan});
    if (!map && map.error().code == ErrorCode::Unsupported) GTEST_SKIP() << map.error().message;
    ASSERT_TRUE(map) << map.error().render();
    for (const auto& [x, y] : {std::pair{0, 0}, {32, 8}, {92, 30}, {-4, -3}, {200, 0}}) {
      ASSERT_TRUE(tileOf({.grid = {1}, .group = {128}}, *map, out.data(), x, y));
      const auto tile = *out.read();
      for (int row = 0; row < 16; ++row) {
        for (int column = 0; column < 32; ++column) {
          const int atX = x + column, atY = y + row;
          const bool inside = atX >= 0 && atX < width && atY >= 0 && atY < height;
          const float got = tile[static_cast<std::size_t>(row * 32 + column)];
          if (!inside && nan)
            EXPECT_TRUE(std::isnan(got)) << atX << ", " << atY;
          else
            EXPECT_EQ(got, inside ? values[static_cast<std::size_t>(atY * width + atX)] : 0) << atX << ", " << atY;
        }
      }
    }
  }
}

/// The rules hold on every device, before any driver is asked.
TEST(TensorMapRules, AreNamedWhenTheyAreBroken) {
  const auto device = *Device::open("cpu");
  const auto memory = *device.allocateBytes(1u << 20);
  const TensorShape good{.extents = {64, 32}, .tile = {32, 16}};
  const auto expect = [&](std::string_view part, auto change) {
    TensorShape shape = good;
    change(shape);
    const auto map = device.createTensorMap(memory, shape);
    ASSERT_FALSE(map) << part;
    EXPECT_EQ(map.error().code, ErrorCode::InvalidArgument) << map.error().render();
    EXPECT_NE(map.error().message.find(part), std::string::npos) << map.error().message;
  };
  EXPECT_EQ(device.createTensorMap(memory, good).error().code, ErrorCode::Unsupported);
  expect("1 to 5 dimensions, not 0", [](TensorShape& s) { s.extents.clear(); });
  expect("1 to 5 dimensions, not 6", [](TensorShape& s) { s.extents.assign(6, 4); });
  expect("3 to 5 dimensions if interleaved", [](TensorShape& s) { s.interleave = TensorInterleave::bytes16; });
  expect("the tile has 1 dimensions", [](TensorShape& s) { s.tile = {32}; });
  expect("2 strides are given", [](TensorShape& s) { s.strides = {256, 256}; });
  expect("no multiple of 16 below", [](TensorShape& s) { s.strides = {264}; });
  expect("less than the 256 within it", [](TensorShape& s) { s.strides = {128}; });
  expect("257 elements in dimension 1", [](TensorShape& s) { s.tile[1] = 257; });
  expect("a row of the tile has 12 bytes", [](TensorShape& s) { s.tile[0] = 3; });
  expect("more than the 64 of the swizzle", [](TensorShape& s) { s.swizzle = TensorSwizzle::bytes64; });
  expect("dimension 0 has 0 elements", [](TensorShape& s) { s.extents[0] = 0; });
  expect("does not lie within memory", [](TensorShape& s) { s.extents[1] = 5000; });
  expect("does not lie within memory", [](TensorShape& s) {
    s.extents = {16, 1ull << 32, 1ull << 32};
    s.strides = {64, 1ull << 39};
    s.tile = {16, 1, 1};
  });
  expect("the step of dimension 1 is 9", [](TensorShape& s) { s.steps = {1, 9}; });
  expect("not 100", [](TensorShape& s) { s.cacheBytes = 100; });
  expect("integers have no NaN", [](TensorShape& s) {
    s.element = TensorElement::int32;
    s.nanOutside = true;
  });
}

}  // namespace
}  // namespace lathe::test
