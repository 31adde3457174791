// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is checked before a launch, the same for all runtimes; on the null runtime, which checks all and runs nothing.
#include <gtest/gtest.h>

#include "example_image.h"
#include "runtimes/null/null_runtime.h"

namespace lathe {
namespace {

using test::entryWith;
using test::imageFor;

struct Pair {
  float a, b;
};
struct alignas(16) Four {
  float v[4];
};
enum class Color : int { red };

EntryPoint saxpyEntry() {
  EntryPoint out = entryWith<int, float, const float*, float*>("saxpy", {"n", "a", "x", "y"});
  out.resources.sharedBytes = 1024;
  return out;
}

template <class... Args>
Result<void> check(const EntryPoint& entry) {
  static constexpr std::array<detail::HostType, sizeof...(Args)> types = {detail::hostType<Args>()...};
  return detail::checkSignature(entry, types);
}

/// What a kernel may write through is not const to the program.
TEST(Signature, RefusesConstWhereTheKernelMayWrite) {
  const EntryPoint saxpy = saxpyEntry();
  const auto refused = check<int, float, const float*, const float*>(saxpy);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::ArgumentMismatch);
  EXPECT_NE(refused.error().message.find("parameter 4 'y'"), std::string::npos) << refused.error().message;
}

TEST(Signature, AcceptsWhatMeansTheSame) {
  const EntryPoint saxpy = saxpyEntry();
  EXPECT_TRUE((check<int, float, const float*, float*>(saxpy)));
  EXPECT_TRUE((check<unsigned, float, float*, float*>(saxpy)));  // signs are the caller's affair
  EXPECT_TRUE((check<Color, float, float*, float*>(saxpy)));
  EXPECT_TRUE((check<int, float, void*, const void*>(saxpy)));
  EXPECT_TRUE((check<Pair>(entryWith<Pair>("k"))));
  EXPECT_TRUE((check<bool>(entryWith<std::uint8_t>("k"))));
  EXPECT_TRUE((check<long long>(entryWith<unsigned long>("k"))));
  EntryPoint untyped = entryWith<void*>("k");
  EXPECT_TRUE((check<double*>(untyped)));
  EntryPoint half = entryWith<std::uint16_t>("k");
  half.parameters[0].type.kind = TypeKind::floating;
  EXPECT_TRUE((check<std::uint16_t>(half)));
}

TEST(Signature, RefusesWhatDoesNot) {
  const EntryPoint saxpy = saxpyEntry();
  const auto message = [](const Result<void>& result) { return result ? std::string() : result.error().message; };
  EXPECT_EQ(message(check<int, double, float*, float*>(saxpy)),
            "kernel 'saxpy': parameter 2 'a' is 'value' (of 4 bytes); an 8-byte floating-point number was given");
  EXPECT_EQ(message(check<int, int, float*, float*>(saxpy)),
            "kernel 'saxpy': parameter 2 'a' is 'value' (of 4 bytes); a 4-byte signed integer was given");
  EXPECT_EQ(
      message(check<int, float, double*, float*>(saxpy)),
      "kernel 'saxpy': parameter 3 'x' is 'pointer' (to 4 bytes); a pointer to 8-byte floating-point number was given");
  EXPECT_FALSE((check<int, float, int*, float*>(saxpy)));
  EXPECT_FALSE((check<int, float, float, float*>(saxpy)));
  EXPECT_FALSE((check<std::uint64_t, float, float*, float*>(saxpy)));
  EXPECT_FALSE((check<Four>(entryWith<float*, float*>("k"))));
  EntryPoint loose = entryWith<Four>("k");
  loose.parameters[0].type.align = 4;  // the device's float[4] needs less
  EXPECT_FALSE((check<Four>(loose)));
  const auto count = check<int, float>(saxpy);
  ASSERT_FALSE(count);
  EXPECT_EQ(count.error().code, ErrorCode::ArgumentMismatch);
  EXPECT_EQ(count.error().hint, "its parameters are (value n, value a, pointer x, pointer y)");
}

class Launch : public ::testing::Test {
 protected:
  /// A launch of saxpy after `change` was made to its entry.
  Result<void> launch(const LaunchOptions& options, void (*change)(EntryPoint&) = nullptr) {
    EntryPoint entry = saxpyEntry();
    if (change) change(entry);
    auto module = device_.load(imageFor("null", {entry}, {}));
    if (!module) return module.error();
    auto kernel = module->kernel<int, float, const float*, float*>("saxpy");
    if (!kernel) return kernel.error();
    return (*kernel)(options, 1, 2.0f, nullptr, nullptr);
  }
  void expectRefused(const LaunchOptions& options, std::string_view part, void (*change)(EntryPoint&) = nullptr) {
    const std::uint64_t before = detail::nullLaunches();
    const auto done = launch(options, change);
    ASSERT_FALSE(done) << part;
    EXPECT_EQ(done.error().code, ErrorCode::LaunchInvalid);
    EXPECT_NE(done.error().message.find(part), std::string::npos) << done.error().message;
    EXPECT_EQ(detail::nullLaunches(), before);
  }
  Device device_ = *Device::open("null");
};

TEST_F(Launch, IsCountedWhenItIsPossible) {
  const std::uint64_t before = detail::nullLaunches();
  EXPECT_TRUE(launch({.grid = {7, 3, 2}, .group = {32, 4, 2}, .dynamicSharedBytes = 100}));
  EXPECT_TRUE(launch({.grid = {}, .group = {1024}}));
  EXPECT_TRUE(launch({.grid = {}, .group = {}, .dynamicSharedBytes = 47 * 1024}));
  EXPECT_EQ(detail::nullLaunches(), before + 3);
}

TEST_F(Launch, RefusesImpossibleShapes) {
  expectRefused({.grid = {1, 0, 1}, .group = {32}}, "a grid of 1x0x1 has no groups");
  expectRefused({.grid = {1}, .group = {0}}, "a group of 0x1x1 has no items");
  expectRefused({.grid = {1}, .group = {1025}}, "larger than the device's 1024x1024x64");
  expectRefused({.grid = {1}, .group = {512, 4}},
                "a group of 2048 items is larger than 1024, the most the device can run of it");
  expectRefused({.grid = {1}, .group = {4294967295u, 4294967295u, 4294967295u}}, "larger than the device's");
  expectRefused({.grid = {1, 65536}, .group = {32}}, "a grid of 1x65536x1 groups is larger");
}

TEST_F(Launch, RefusesTooMuchSharedMemory) {
  expectRefused({.grid = {}, .group = {}, .dynamicSharedBytes = 47 * 1024 + 1},
                "48129 bytes of dynamic and 1024 of static shared memory");
  expectRefused({.grid = {}, .group = {}, .dynamicSharedBytes = 4294967295u}, "more than the device's 49152");
  expectRefused({.grid = {}, .group = {}}, "of static",
                [](EntryPoint& entry) { entry.resources.sharedBytes = std::int64_t{1} << 40; });
}

TEST_F(Launch, RefusesWhatTheDeviceLacks) {
  expectRefused({.grid = {4}, .cooperative = true}, "this device's runtime takes no cooperative launches");
  expectRefused({.grid = {4}, .cluster = {2}}, "a cluster of 2x1x1 groups was asked of a device that has no clusters");
}

TEST_F(Launch, KeepsThePromisesOfTheKernel) {
  expectRefused({.grid = {}, .group = {256}}, "larger than 128, the most it was compiled for",
                [](EntryPoint& entry) { entry.bounds.maxItems = 128; });
  expectRefused({.grid = {}, .group = {16, 8}}, "differs from 16x16x1",
                [](EntryPoint& entry) { entry.bounds.groupSize = {16, 16, 1}; });
  EXPECT_TRUE(launch({.grid = {}, .group = {16, 16}}, [](EntryPoint& entry) { entry.bounds.groupSize = {16, 16, 1}; }));
}

TEST_F(Launch, KeepsTheClustersOfTheKernel) {
  const auto pairs = [](EntryPoint& entry) { entry.cluster.size = {2, 1, 1}; };
  expectRefused({.grid = {4}, .cluster = {4}},
                "a cluster of 4x1x1 groups differs from 2x1x1, the size it was compiled for", pairs);
  expectRefused({.grid = {4}}, "a cluster of 2x1x1 groups was asked of a device that has no clusters", pairs);
  EXPECT_TRUE(launch({.grid = {3}}, [](EntryPoint& entry) { entry.cluster.size = {1, 1, 1}; }));
  expectRefused({.grid = {8}, .cluster = {8}},
                "a cluster of 8x1x1 groups is larger than 4, the most it was compiled for",
                [](EntryPoint& entry) { entry.cluster.most = 4; });
}

TEST_F(Launch, RefusesStreamsOfOtherDevices) {
  auto stream = Device::open("cpu")->createStream();
  ASSERT_TRUE(stream);
  expectRefused({.grid = {}, .group = {}, .stream = &*stream}, "belongs to another device");
  auto own = Device::open("null")->createStream();  // another handle to the same device
  ASSERT_TRUE(own);
  EXPECT_TRUE(launch({.grid = {}, .group = {}, .stream = &*own}));
}

TEST_F(Launch, ChecksTheNumberOfRawArguments) {
  auto module = device_.load(imageFor("null", {saxpyEntry()}, {}));
  auto kernel = module->rawKernel("saxpy");
  const auto done = kernel->launch({}, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::ArgumentMismatch);
}

TEST_F(Launch, RefusesTheHiddenStateArgument) {
  const auto undescribed = launch({}, [](EntryPoint& entry) { entry.abi = EntryAbi::state; });
  ASSERT_FALSE(undescribed);
  EXPECT_EQ(undescribed.error().code, ErrorCode::Unsupported);
  const auto done = launch({}, [](EntryPoint& entry) {
    entry.abi = EntryAbi::state;
    Parameter state;
    state.type.kind = TypeKind::record;
    state.type.size = 8;
    entry.hidden.push_back(std::move(state));
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Unsupported);
  EXPECT_NE(done.error().message.find("which runtime 'null' does not give"), std::string::npos) << done.error().message;
}

TEST(Devices, AreOpenedByName) {
  const auto names = Device::runtimes();
  EXPECT_EQ(names, (std::vector<std::string>{"bpf", "cpu", "cuda", "hip", "null", "opencl"}));
  const auto unknown = Device::open("cdua");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(unknown.error().message, "there is no runtime 'cdua'; did you mean 'cuda'?");
  EXPECT_EQ(Device::open("cpu", 1).error().code, ErrorCode::DeviceNotFound);
  EXPECT_EQ(Device::open("cpu", -1).error().code, ErrorCode::DeviceNotFound);
  const auto all = Device::list();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].runtime, "cpu");
  for (const DeviceInfo& info : all) EXPECT_NE(info.runtime, "null");
}

TEST(Devices, LoadOnlyTheirOwnImages) {
  const auto loaded = Device::open("cpu")->load(imageFor("cuda", {}, {}));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::IncompatibleDevice);
  EXPECT_EQ(Device::open("null")->load(imageFor("", {}, {})).error().code, ErrorCode::IncompatibleDevice);
}

TEST(Modules, NameWhatIsNear) {
  auto module = Device::open("null")->load(imageFor("null", {saxpyEntry()}, {}));
  const auto kernel = module->rawKernel("saxpi");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, ErrorCode::UnknownKernel);
  EXPECT_NE(kernel.error().message.find("did you mean 'saxpy'"), std::string::npos);
  EXPECT_EQ(module->global("x").error().code, ErrorCode::InvalidArgument);
}

TEST(MemoryChecks, KeepToTheBuffer) {
  for (const char* runtime : {"null", "cpu"}) {
    const Device device = *Device::open(runtime);
    auto buffer = device.allocate<int>(4);
    ASSERT_TRUE(buffer);
    const std::vector<int> values = {1, 2, 3, 4};
    ASSERT_TRUE(buffer->upload(values));
    EXPECT_EQ(*buffer->read(), values);
    EXPECT_TRUE(buffer->upload(std::span(values).first(1), 3));
    EXPECT_EQ(buffer->upload(values, 1).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(buffer->upload({}, 5).error().code, ErrorCode::InvalidArgument);
    const std::size_t wraps = ~std::size_t{0} / sizeof(int) + 1;  // times the element's size: 0
    EXPECT_EQ(buffer->upload(values, wraps).error().code, ErrorCode::InvalidArgument);
    std::vector<int> large(5);
    EXPECT_EQ(buffer->download(large).error().code, ErrorCode::InvalidArgument);
    ASSERT_TRUE(buffer->zero());
    EXPECT_EQ(*buffer->read(), std::vector<int>(4));
    auto moved = std::move(*buffer);
    EXPECT_EQ(buffer->size(), 0u);
    EXPECT_EQ(moved.size(), 4u);
  }
}

TEST(MemoryChecks, MayBeEmptyAndMayNotBeEndless) {
  const Device device = *Device::open("cpu");
  auto none = device.allocate<double>(0);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->size(), 0u);
  EXPECT_TRUE(none->zero());
  EXPECT_TRUE(none->read()->empty());
  EXPECT_EQ(device.allocate<double>(~std::size_t{0} / 2).error().code, ErrorCode::OutOfDeviceMemory);
  EXPECT_EQ(device.allocateBytes(std::size_t{1} << 60).error().code, ErrorCode::OutOfDeviceMemory);
}

}  // namespace
}  // namespace lathe
