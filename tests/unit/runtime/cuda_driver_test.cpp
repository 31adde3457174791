// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cuda runtime against a driver that records and fails on request (fake_cuda.cpp), so that it is tested on machines
// without a GPU: arguments, status codes, choice of code, and that a launch allocates nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <lathe/sdk/kernel_state.h>
#include "count_allocations.h"
#include "example_image.h"
#include "fakes/fake_cuda.h"
#include "runtimes/cuda/cuda_api.h"
#include "vendor_library.h"

namespace lathe {
namespace {

using test::entryWith;
using test::FakeCuda;

struct Pair {
  float a;
  double b;
};

/// The fake's state. Opened by its path first: from then on "libcuda.so.1" is this library, whatever is installed.
FakeCuda& fake() {
  static FakeCuda& state = test::openFake<FakeCuda>(LATHE_FAKE_CUDA, "fakeCuda");
  return state;
}

void failNext(const char* function, int status) {
  fake().failNext(function, status);
}

Image imageOf(std::vector<Image::CodeBlob> code) {
  return test::imageFor("cuda", {entryWith<int, Pair, float*>("k", {"n", "pair", "out"}), entryWith<int>("missing")},
                        std::move(code));
}

class CudaDriver : public ::testing::Test {
 protected:
  void SetUp() override {
    fake();
    auto device = Device::open("cuda");
    ASSERT_TRUE(device) << device.error().render();
    device_.emplace(*std::move(device));
  }
  Module load() {
    auto module = device_->load(imageOf({{"ptx", "sm_80", "good"}}));
    EXPECT_TRUE(module) << module.error().render();
    return *std::move(module);
  }
  std::optional<Device> device_;
};

TEST_F(CudaDriver, DescribesTheDevice) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.name, "Fake");
  EXPECT_EQ(info.arch, "sm_90");
  EXPECT_EQ(info.multiprocessors, 132u);
  EXPECT_EQ(info.subgroupSize, 32u);
  EXPECT_EQ(info.maxGroup, (Extent3{1024, 1024, 64}));
  EXPECT_EQ(info.maxGrid, (Extent3{2147483647, 65535, 65535}));
  EXPECT_EQ(info.maxSharedBytes, 227u * 1024);
  EXPECT_EQ(info.driverVersion, "12.4");
  EXPECT_EQ(Device::open("cuda", 1).error().code, ErrorCode::DeviceNotFound);
}

TEST_F(CudaDriver, PassesLaunchesThrough) {
  const Module module = load();
  const auto kernel = module.kernel<int, Pair, float*>("k");
  ASSERT_TRUE(kernel) << kernel.error().render();
  FakeCuda& driver = fake();
  driver.argumentCount = 3;
  driver.argumentBytes[0] = sizeof(int);
  driver.argumentBytes[1] = sizeof(Pair);
  driver.argumentBytes[2] = sizeof(float*);
  auto stream = device_->createStream();
  ASSERT_TRUE(stream);
  float target = 0;
  const Pair pair{1.5f, 2.5};
  ASSERT_TRUE((*kernel)({.grid = {7, 6, 5}, .group = {32, 4, 2}, .dynamicSharedBytes = 99, .stream = &*stream}, -3,
                        pair, &target));
  const unsigned shape[] = {7, 6, 5, 32, 4, 2, 99};
  EXPECT_EQ(std::memcmp(driver.shape, shape, sizeof(shape)), 0);
  EXPECT_EQ(driver.stream, stream->nativeHandle());
  int n = 0;
  Pair given{};
  float* pointer = nullptr;
  std::memcpy(&n, driver.arguments[0], sizeof(n));
  std::memcpy(&given, driver.arguments[1], sizeof(given));
  std::memcpy(&pointer, driver.arguments[2], sizeof(pointer));
  EXPECT_EQ(n, -3);
  EXPECT_EQ(given.a, 1.5f);
  EXPECT_EQ(given.b, 2.5);
  EXPECT_EQ(pointer, &target);
  ASSERT_TRUE((*kernel)({}, -3, pair, &target));
  EXPECT_EQ(driver.stream, nullptr);
}

TEST_F(CudaDriver, PassesCooperativeLaunchesAndClusters) {
  const Module module = load();
  const auto kernel = *module.kernel<int, Pair, float*>("k");
  ASSERT_TRUE(kernel({.grid = {8, 6}, .group = {32}, .cooperative = true}, 1, Pair{}, nullptr));
  EXPECT_EQ(fake().cooperative, 1u);
  EXPECT_EQ(fake().cluster[0], 1u);
  fake().cooperative = 0;
  ASSERT_TRUE(
      kernel({.grid = {8, 6}, .group = {32, 2}, .dynamicSharedBytes = 64, .cluster = {4, 2}}, 1, Pair{}, nullptr));
  EXPECT_EQ(fake().cooperative, 0u);
  EXPECT_EQ(std::vector<unsigned>(fake().cluster, fake().cluster + 3), (std::vector<unsigned>{4, 2, 1}));
  EXPECT_EQ(std::vector<unsigned>(fake().shape, fake().shape + 7), (std::vector<unsigned>{8, 6, 1, 32, 2, 1, 64}));
  const auto expectRefused = [&](Extent3 cluster, const char* part) {
    const auto done = kernel({.grid = {8, 6}, .group = {32}, .cluster = cluster}, 1, Pair{}, nullptr);
    ASSERT_FALSE(done) << part;
    EXPECT_EQ(done.error().code, ErrorCode::LaunchInvalid);
    EXPECT_NE(done.error().message.find(part), std::string::npos) << done.error().message;
  };
  expectRefused({3}, "a cluster of 3x1x1 groups does not divide the grid of 8x6x1");
  expectRefused({8, 6}, "a cluster of 8x6x1 groups is larger than the device's 8");
  expectRefused({1, 1, 2}, "a cluster of 1x1x2 groups is larger than the grid of 8x6x1");
  expectRefused({0}, "a cluster of 0x1x1 has no groups");
}

TEST_F(CudaDriver, LeavesClustersOfTheKernelToTheCode) {
  EntryPoint entry = entryWith<int>("k", {"n"});
  entry.cluster.size = {4, 2, 1};
  const auto launch = [&](const LaunchOptions& options) {
    fake().cluster[0] = 99;
    fake().argumentCount = 0;
    const auto module = device_->load(test::imageFor("cuda", {entry}, {{"ptx", "sm_90", "good"}}));
    const Result<void> done = (*module->kernel<int>("k"))(options, 1);
    EXPECT_TRUE(done) << done.error().render();
    EXPECT_EQ(fake().cluster[0], 99u);  // no attribute of the launch
    return std::vector<unsigned>(fake().shape, fake().shape + 4);
  };
  EXPECT_EQ(launch({.grid = {8, 6}, .group = {32}}), (std::vector<unsigned>{8, 6, 1, 32}));
  EXPECT_EQ(launch({.grid = {8, 6}, .group = {32}, .cluster = {4, 2}}), (std::vector<unsigned>{8, 6, 1, 32}));
  entry.cluster.countsClusters = true;
  EXPECT_EQ(launch({.grid = {8, 6}, .group = {32}}), (std::vector<unsigned>{2, 3, 1, 32}));
  fake().cluster[0] = 1;
}

TEST_F(CudaDriver, LaunchesWithoutAllocating) {
#if LATHE_COUNTS_ALLOCATIONS
  const Module module = load();
  const auto kernel = *module.kernel<int, Pair, float*>("k");
  auto stream = *device_->createStream();
  float target = 0;
  ASSERT_TRUE(kernel({.dynamicSharedBytes = 100000}, 1, Pair{}, &target));
  const long before = test::allocations;
  const int launches = fake().launches;
  bool good = true;
  for (int i = 0; i < 1000; ++i) {
    good = good && kernel({.grid = {4}, .group = {64}, .dynamicSharedBytes = 100000}, i, Pair{}, &target);
    good = good && kernel({.grid = {4}, .group = {64}, .stream = &stream}, i, Pair{}, &target);
  }
  EXPECT_EQ(test::allocations - before, 0);
  EXPECT_TRUE(good);
  EXPECT_EQ(fake().launches - launches, 2000);
  const auto refused = kernel({.grid = {0}}, 1, Pair{}, &target);
  EXPECT_FALSE(refused);
  EXPECT_GT(test::allocations - before, 0);  // the counter counts
#else
  GTEST_SKIP() << "a sanitizer owns malloc";
#endif
}

TEST_F(CudaDriver, AsksOnceForLargeSharedMemory) {
  const Module module = load();
  const auto kernel = *module.kernel<int, Pair, float*>("k");
  const int before = fake().optIns;
  ASSERT_TRUE(kernel({.dynamicSharedBytes = 46 * 1024}, 1, Pair{}, nullptr));  // with 2048 static bytes: 48 KiB exactly
  EXPECT_EQ(fake().optIns, before);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(kernel({.dynamicSharedBytes = 46 * 1024 + 1}, 1, Pair{}, nullptr));
  EXPECT_EQ(fake().optIns, before + 1);
  EXPECT_EQ(fake().allowedDynamic, 225 * 1024);
  const auto refused = kernel({.dynamicSharedBytes = 225 * 1024 + 1}, 1, Pair{}, nullptr);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::LaunchInvalid);
}

TEST_F(CudaDriver, KnowsTheLoadedFunction) {
  const Module module = load();
  const auto kernel = *module.kernel<int, Pair, float*>("k");
  const auto use = kernel.resources();
  ASSERT_TRUE(use);
  EXPECT_EQ(use->registers, 40);
  EXPECT_EQ(kernel.raw().architectures(), (CodeArchitectures{.text = 80, .machine = 90}));
  EXPECT_EQ(use->sharedBytes, 2048);
  EXPECT_EQ(use->localBytes, 24);
  EXPECT_EQ(use->constantBytes, 16);
  EXPECT_EQ(kernel({.group = {513}}, 1, Pair{}, nullptr).error().code, ErrorCode::LaunchInvalid);  // the function's 512
  const auto missing = module.rawKernel("missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::ImageCorrupt);
}

TEST_F(CudaDriver, PrefersMachineCodeThenTheLatestPtx) {
  const auto loadedFrom = [&](std::vector<Image::CodeBlob> code) {
    const auto module = device_->load(imageOf(std::move(code)));
    return module ? std::string(fake().loaded) : module.error().message;
  };
  EXPECT_EQ(loadedFrom({{"ptx", "sm_90", "p90"}, {"cubin", "sm_80", "c80"}, {"cubin", "sm_90", "c90"}}), "c90");
  EXPECT_EQ(loadedFrom({{"ptx", "sm_70", "p70"},
                        {"ptx", "compute_80", "p80"},
                        {"ptx", "sm_100", "p100"},
                        {"cubin", "sm_86", "c86"}}),
            "p80");
  EXPECT_EQ(loadedFrom({{"ptx", "sm_90a", "p90a"}, {"ptx", "sm_80", "p80"}}), "p90a");
  EXPECT_EQ(loadedFrom({{"ptx", "sm_89a", "p89a"}, {"ptx", "sm_80", "p80"}}), "p80");
  EXPECT_EQ(loadedFrom({{"cubin", "sm_90", "foreign"}, {"ptx", "sm_80", "p80"}}), "p80");
  EXPECT_EQ(loadedFrom({{"ptx", "sm_90", std::string(64, 'x')}}), std::string(64, 'x'));  // ended by a zero byte
}

TEST_F(CudaDriver, AssemblesAtTheLevelOfTheJob) {
  for (const unsigned level : {0U, 1U, 2U, 3U}) {
    ImageInfo info = imageOf({}).info();
    info.optLevel = static_cast<std::uint8_t>(level);
    ASSERT_TRUE(device_->load(Image::build(info, {{"ptx", "sm_80", "good"}})));
    EXPECT_EQ(fake().optLevel, level == 3 ? 4 : level);
  }
}

TEST_F(CudaDriver, SaysWhyCodeDoesNotLoad) {
  const auto errorFor = [&](std::vector<Image::CodeBlob> code) {
    const auto module = device_->load(imageOf(std::move(code)));
    return module ? Error{} : module.error();
  };
  const Error bad = errorFor({{"ptx", "sm_90", "bad"}});
  EXPECT_EQ(bad.code, ErrorCode::ImageCorrupt);
  ASSERT_EQ(bad.notes.size(), 2u);
  EXPECT_EQ(bad.notes[0].message, "line 1: syntax error");
  EXPECT_EQ(errorFor({{"ptx", "sm_90", "future"}}).code, ErrorCode::DriverTooOld);
  EXPECT_EQ(errorFor({{"cubin", "sm_90", "foreign"}}).code, ErrorCode::IncompatibleDevice);
  const Error none = errorFor({{"cubin", "sm_100", "x"}, {"ptx", "sm_120", "y"}});
  EXPECT_EQ(none.code, ErrorCode::IncompatibleDevice);
  EXPECT_EQ(none.message,
            "image: it holds cubin for sm_100, ptx for sm_120, which Fake (sm_90) cannot run; compile it for sm_90");
  EXPECT_EQ(errorFor({}).code, ErrorCode::IncompatibleDevice);
}

TEST_F(CudaDriver, LinksKernelsThatLaunchKernelsWithTheDevicesRuntime) {
  const std::filesystem::path root = std::filesystem::path(testing::TempDir()) / "cuda-home";
  std::filesystem::create_directories(root / "lib64");
  const std::filesystem::path library = root / "lib64/libcudadevrt.a";
  std::ofstream(library) << "!<arch>";
  const char* const before = std::getenv("CUDA_HOME");
  const std::string old = before ? before : "";
  ASSERT_EQ(setenv("CUDA_HOME", root.c_str(), 1), 0);
  const std::string call = "call __cudaCDP2LaunchDeviceV2";
  const auto module = device_->load(imageOf({{"ptx", "sm_90", call}}));
  EXPECT_TRUE(module) << module.error().render();
  EXPECT_EQ(fake().loaded, call + " + " + library.string());
  const auto bad = device_->load(imageOf({{"ptx", "sm_90", "bad " + call}}));
  EXPECT_EQ(bad ? ErrorCode{} : bad.error().code, ErrorCode::ImageCorrupt);
  EXPECT_EQ(fake().links, 0);
  if (before)
    setenv("CUDA_HOME", old.c_str(), 1);
  else
    unsetenv("CUDA_HOME");
  std::filesystem::remove_all(root);
}

/// A cache of its own, for as long as it lives.
class OwnCache {
 public:
  explicit OwnCache(const char* name) : folder_(std::filesystem::path(testing::TempDir()) / name) {
    std::filesystem::remove_all(folder_);
    const char* const before = std::getenv("LATHE_CACHE");
    if (before) cache_ = before;
    unsetenv("LATHE_CACHE");
    setenv("LATHE_CACHE_DIR", folder_.c_str(), 1);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  ~OwnCache() {
    unsetenv("LATHE_CACHE_DIR");
    if (cache_) setenv("LATHE_CACHE", cache_->c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  /// The files of what was kept.
  [[nodiscard]] std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> out;
    if (!std::filesystem::exists(folder_)) return out;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder_)) {
      if (file.path().extension() == ".d") out.push_back(file.path());
    }
    return out;
  }

 private:
  std::filesystem::path folder_;
  std::optional<std::string> cache_;
};

/// Loads PTX, and says whether the driver compiled it.
bool isCompiled(const Device& device, const std::string& ptx, std::uint8_t optLevel = 3) {
  const int before = fake().linksSoFar;
  Image image = imageOf({{"ptx", "sm_90", ptx}});
  ImageInfo info = image.info();
  info.optLevel = optLevel;
  const auto module = device.load(Image::build(std::move(info), {{"ptx", "sm_90", ptx}}));
  EXPECT_TRUE(module) << module.error().render();
  EXPECT_EQ(fake().loaded, ptx);
  EXPECT_EQ(fake().links, 0);
  return fake().linksSoFar != before;
}

TEST_F(CudaDriver, KeepsTheDriversMachineCode) {
  const OwnCache cache("lathe-cubins");
  EXPECT_TRUE(isCompiled(*device_, "good one"));
  EXPECT_EQ(cache.files().size(), 1u);
  EXPECT_FALSE(isCompiled(*device_, "good one"));
  EXPECT_TRUE(isCompiled(*device_, "good two"));     // other code,
  EXPECT_TRUE(isCompiled(*device_, "good one", 0));  // another level,
  fake().driverVersion = 12050;                      // another driver
  EXPECT_TRUE(isCompiled(*device_, "good one"));
  fake().driverVersion = 12040;
  EXPECT_FALSE(isCompiled(*device_, "good one"));
  EXPECT_EQ(cache.files().size(), 4u);
  // What is damaged is compiled again, and replaced.
  for (const auto& file : cache.files()) {
    std::ofstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(-1, std::ios::end).put('#');
  }
  EXPECT_TRUE(isCompiled(*device_, "good one"));
  EXPECT_FALSE(isCompiled(*device_, "good one"));
  // Machine code that the driver refuses is too: the first load after it is of PTX again.
  failNext("cuModuleLoadDataEx", 200);
  EXPECT_TRUE(isCompiled(*device_, "good one"));
}

TEST_F(CudaDriver, CompilesWithoutALinkWhereNothingIsKept) {
  const OwnCache cache("lathe-no-cubins");
  setenv("LATHE_CACHE", "off", 1);
  EXPECT_FALSE(isCompiled(*device_, "good"));
  EXPECT_TRUE(cache.files().empty());
  unsetenv("LATHE_CACHE");
  // A driver that cannot link compiles as it always did; what is wrong is said by the compile.
  failNext("cuLinkCreate_v2", 801);
  EXPECT_FALSE(isCompiled(*device_, "good"));
  const auto bad = device_->load(imageOf({{"ptx", "sm_90", "bad code"}}));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::ImageCorrupt);
  ASSERT_FALSE(bad.error().notes.empty());
  EXPECT_EQ(bad.error().notes.front().message, "line 1: syntax error");
  EXPECT_EQ(fake().links, 0);
  EXPECT_TRUE(cache.files().empty());
}

/// An image whose kernel `k` takes an int and a state.
Image imageWithState() {
  EntryPoint entry = entryWith<int>("k");
  entry.abi = EntryAbi::state;
  Parameter state;
  state.type.kind = TypeKind::record;
  state.type.size = sizeof(abi::KernelState);
  state.type.align = 8;
  for (const char* name : {"exception", "print", "kernel"})
    state.type.fields.push_back({name, 8 * state.type.fields.size(), test::layoutOf<std::uint64_t>("unsigned long")});
  entry.hidden.push_back(std::move(state));
  return test::imageFor("cuda", {entry}, {{"ptx", "sm_80", "good"}});
}

/// What a kernel would do: trap if its argument is not 0.
void trappingKernel(void** parameters) {
  const int when = *static_cast<const int*>(parameters[0]);
  const auto& state = *static_cast<const abi::KernelState*>(parameters[1]);
  if (when == 0 || state.exception->claimed) return;
  state.exception->claimed = state.exception->complete = 1;
  state.exception->kind = abi::ExceptionKind::trap;
  state.exception->kernel = state.kernel;
  state.exception->item[0] = static_cast<unsigned>(when);
}

TEST_F(CudaDriver, GivesKernelsTheirState) {
  fake().argumentCount = 0;
  const int before = fake().hostBuffers;
  {
    const auto module = device_->load(imageWithState());
    ASSERT_TRUE(module) << module.error().render();
    const auto kernel = module->kernel<int>("k");
    ASSERT_TRUE(kernel) << kernel.error().render();
    EXPECT_EQ(fake().hostBuffers, before);
    failNext("cuMemHostAlloc", 2);
    EXPECT_EQ((*kernel)({}, 0).error().code, ErrorCode::OutOfDeviceMemory);
    fake().kernel = &trappingKernel;
    auto stream = *device_->createStream(), other = *device_->createStream();
    ASSERT_TRUE((*kernel)({.stream = &stream}, 7));
    ASSERT_TRUE((*kernel)({.stream = &stream}, 8));
    ASSERT_TRUE((*kernel)({.stream = &other}, 0));
    EXPECT_EQ(fake().hostBuffers, before + 2);  // one for each queue
    EXPECT_TRUE(other.synchronize());
    const auto failed = stream.synchronize();
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::DeviceFault);
    EXPECT_EQ(failed.error().message, "kernel 'k': it trapped in group 0,0,0, item 7,0,0");  // the first
    EXPECT_TRUE(stream.synchronize());

    // Waiting for the device is waiting for its streams, and so is a copy from it.
    ASSERT_TRUE((*kernel)({.stream = &stream}, 9));
    EXPECT_EQ(device_->synchronize().error().code, ErrorCode::DeviceFault);
    EXPECT_TRUE(device_->synchronize());
    ASSERT_TRUE((*kernel)({}, 10));
    auto buffer = *device_->allocate<int>(1);
    EXPECT_EQ(buffer.read().error().code, ErrorCode::DeviceFault);
    EXPECT_TRUE(buffer.read());
    fake().kernel = nullptr;
  }
  EXPECT_EQ(fake().hostBuffers, before + 1);  // the default stream's stays with the device
  device_.reset();
  EXPECT_EQ(fake().hostBuffers, before);
}

TEST_F(CudaDriver, LargeGridsTakeTheCoarseForm) {
  EntryPoint entry = entryWith<int>("k", {"n"});
  entry.coarse = {"k$coarse4", 4, 100};
  const auto module = *device_->load(test::imageFor("cuda", {entry}, {{"ptx", "sm_80", "good"}}));
  const auto kernel = *module.kernel<int>("k");
  FakeCuda& driver = fake();
  driver.argumentCount = 0;
  const auto launched = [&](const LaunchOptions& options) {
    std::memset(driver.arguments, 0, sizeof(driver.arguments));
    driver.kernel = [](void** parameters) {
      if (fake().coarse) std::memcpy(fake().arguments[1], parameters[1], sizeof(unsigned));
    };
    const auto done = kernel(options, 7);
    driver.kernel = nullptr;
    EXPECT_TRUE(done) << done.error().render();
    unsigned count = 0;
    std::memcpy(&count, driver.arguments[1], sizeof(count));
    return std::tuple(driver.coarse, driver.shape[0], driver.shape[1], count);
  };
  const std::uint32_t items = 100 * 132;  // the least of a launch on this device
  EXPECT_EQ(launched({.grid = {items / 8 / 2 + 1, 2}, .group = {8}}),
            std::tuple(true, (items / 16) / 4 + 1, 2u, items / 16 + 1));
  EXPECT_EQ(launched({.grid = {items / 8}, .group = {8}}),
            std::tuple(true, items / 32 + (items / 8 % 4 != 0), 1u, items / 8));
  EXPECT_EQ(launched({.grid = {items / 8 - 1}, .group = {8}}), std::tuple(false, items / 8 - 1, 1u, 0u));
  // A grid that is long along another axis, and launches that are about more than items.
  EXPECT_EQ(launched({.grid = {3, items}, .group = {8}}), std::tuple(false, 3u, items, 0u));
  EXPECT_EQ(launched({.grid = {items}, .group = {8}, .dynamicSharedBytes = 16}), std::tuple(false, items, 1u, 0u));
  EXPECT_EQ(launched({.grid = {items}, .group = {8}, .cooperative = true}), std::tuple(false, items, 1u, 0u));
  EXPECT_EQ(launched({.grid = {items}, .group = {8}, .cluster = {2, 1, 1}}), std::tuple(false, items, 1u, 0u));
}

TEST_F(CudaDriver, TheCoarseFormGetsTheStateToo) {
  EntryPoint entry = imageWithState().info().entries.front();
  entry.coarse = {"k$coarse2", 2, 0};
  const auto module = *device_->load(test::imageFor("cuda", {entry}, {{"ptx", "sm_80", "good"}}));
  const auto kernel = *module.kernel<int>("k");
  static unsigned count;
  count = 0;
  fake().argumentCount = 0;
  fake().kernel = [](void** parameters) { std::memcpy(&count, parameters[2], sizeof(count)); };
  ASSERT_TRUE(kernel({.grid = {5}, .group = {32}}, 0));
  fake().kernel = nullptr;
  EXPECT_TRUE(fake().coarse);
  EXPECT_EQ(fake().shape[0], 3u);
  EXPECT_EQ(count, 5u);
}

TEST_F(CudaDriver, LaunchesWithAStateWithoutAllocating) {
#if LATHE_COUNTS_ALLOCATIONS
  fake().argumentCount = 0;
  const auto module = *device_->load(imageWithState());
  const auto kernel = *module.kernel<int>("k");
  ASSERT_TRUE(kernel({}, 0));
  const long before = test::allocations;
  bool good = true;
  for (int i = 0; i < 1000; ++i) good = good && kernel({.grid = {4}, .group = {64}}, 0);
  EXPECT_EQ(test::allocations - before, 0);
  EXPECT_TRUE(good);
#else
  GTEST_SKIP() << "a sanitizer owns malloc";
#endif
}

TEST_F(CudaDriver, ConvertsStatusCodes) {
  const Module module = load();
  const auto kernel = *module.kernel<int, Pair, float*>("k");
  const auto launchError = [&](int status) {
    failNext("cuLaunchKernel", status);
    const auto done = kernel({}, 1, Pair{}, nullptr);
    return done ? ErrorCode::Internal : done.error().code;
  };
  EXPECT_EQ(launchError(1), ErrorCode::LaunchFailed);
  EXPECT_EQ(launchError(701), ErrorCode::LaunchFailed);
  EXPECT_EQ(launchError(700), ErrorCode::DeviceFault);
  EXPECT_EQ(launchError(719), ErrorCode::DeviceFault);
  EXPECT_EQ(launchError(2), ErrorCode::OutOfDeviceMemory);
  EXPECT_EQ(launchError(46), ErrorCode::DeviceNotFound);  // gone, or another process has it for itself
  EXPECT_EQ(launchError(214), ErrorCode::DeviceFault);    // memory that no longer holds what was written
  EXPECT_EQ(launchError(220), ErrorCode::DeviceFault);    // a link that is down
  EXPECT_TRUE(kernel({}, 1, Pair{}, nullptr));

  auto buffer = *device_->allocate<int>(4);
  failNext("cuMemcpyDtoH_v2", 716);
  const auto read = buffer.read();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::DeviceFault);
  EXPECT_EQ(read.error().target, "cuda");
  EXPECT_EQ(read.error().message, "cuda: copying from the device: other error (CUDA_ERROR_OTHER, 716)");
  EXPECT_FALSE(read.error().hint.empty());
  failNext("cuCtxSynchronize", 999);
  EXPECT_EQ(device_->synchronize().error().code, ErrorCode::DriverError);
}

/// The driver gives the same answer to everything: so do all handles, and they go without a word.
TEST_F(CudaDriver, SaysOfALostDeviceThatItIsLost) {
  const auto kernel = *load().kernel<int, Pair, float*>("k");
  auto buffer = *device_->allocate<int>(4);
  auto stream = *device_->createStream();
  for (const auto& [status, code] : {std::pair{46, ErrorCode::DeviceNotFound}, {214, ErrorCode::DeviceFault}}) {
    fake().lost = status;
    EXPECT_EQ(kernel({}, 1, Pair{}, nullptr).error().code, code);
    EXPECT_EQ(kernel({.stream = &stream}, 1, Pair{}, nullptr).error().code, code);
    EXPECT_EQ(buffer.read().error().code, code);
    EXPECT_EQ(buffer.upload(std::vector<int>(4)).error().code, code);
    EXPECT_EQ(device_->synchronize().error().code, code);
    EXPECT_EQ(stream.synchronize().error().code, code);
    EXPECT_EQ(device_->load(imageOf({{"ptx", "sm_90", "good"}})).error().code, code);
    {
      const auto gone = std::move(buffer);
    }
    fake().lost = 0;
    buffer = *device_->allocate<int>(4);
  }
}

TEST_F(CudaDriver, ReportsTooLittleMemory) {
  const auto memory = device_->allocateBytes(std::size_t{1} << 31);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, ErrorCode::OutOfDeviceMemory);
  EXPECT_EQ(memory.error().message,
            "cuda: allocating memory: out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2) (2147483648 bytes of the device's "
            "1073741824 were asked for)");
}

TEST_F(CudaDriver, SwitchesContextsOnlyWhenAnotherIsCurrent) {
  ASSERT_TRUE(device_->synchronize());
  const int before = fake().contextSwitches;
  ASSERT_TRUE(device_->synchronize());
  EXPECT_EQ(fake().contextSwitches, before);
  int other = 0;
  fake().current = &other;  // somebody else in the process
  ASSERT_TRUE(device_->synchronize());
  EXPECT_EQ(fake().contextSwitches, before + 1);
}

TEST_F(CudaDriver, AdoptsContextsOfOthers) {
  int made = 0;  // by somebody else
  void* const context = &made;
  const int own = fake().contexts;
  {
    auto device = Device::adopt("cuda", context);
    ASSERT_TRUE(device) << device.error().render();
    EXPECT_EQ(device->info().name, device_->info().name);
    auto buffer = *device->allocate<float>(100);
    EXPECT_EQ(fake().current, context);
    ASSERT_TRUE(device_->synchronize());
    EXPECT_NE(fake().current, context);
    // Two handles to it are one device, and none is the other's.
    auto module = Device::adopt("cuda", context)->load(imageOf({{"ptx", "sm_80", "good"}}));
    const auto kernel = *module->kernel<int, Pair, float*>("k");
    auto stream = *device->createStream(), elsewhere = *device_->createStream();
    EXPECT_TRUE(kernel({.stream = &stream}, 1, Pair{}, nullptr));
    EXPECT_EQ(kernel({.stream = &elsewhere}, 1, Pair{}, nullptr).error().code, ErrorCode::LaunchInvalid);
  }
  EXPECT_EQ(fake().contexts, own) << "it is not Lathe's to release";
  EXPECT_EQ(Device::adopt("cuda", nullptr).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(Device::adopt("cpu", context).error().code, ErrorCode::Unsupported);
  EXPECT_EQ(Device::adopt("cud", context).error().code, ErrorCode::InvalidArgument);
  failNext("cuCtxGetDevice", 201);  // CUDA_ERROR_INVALID_CONTEXT
  EXPECT_FALSE(Device::adopt("cuda", context));
}

TEST_F(CudaDriver, GivesEverythingBack) {
  {
    auto buffer = *device_->allocate<float>(100);
    auto stream = *device_->createStream();
    ASSERT_TRUE(stream.recordStart());
    EXPECT_EQ(*stream.elapsedSinceStart(), 1.5);
    auto other = *device_->createStream();
    const auto event = *stream.record();
    ASSERT_TRUE(other.wait(event));
    EXPECT_EQ(*event.elapsedUntil(*other.record()), 1.5);
    const auto kernel = *load().kernel<int, Pair, float*>("k");  // keeps the module
    EXPECT_EQ(fake().modules, 1);
    EXPECT_EQ(*Device::open("cuda")->allocate<int>(0)->read(), std::vector<int>());
    device_.reset();
    EXPECT_EQ(fake().contexts, 1);
    ASSERT_TRUE(kernel({.stream = &stream}, 1, Pair{}, nullptr));
  }
  const FakeCuda& driver = fake();
  EXPECT_EQ(driver.modules, 0);
  EXPECT_EQ(driver.buffers, 0);
  EXPECT_EQ(driver.streams, 0);
  EXPECT_EQ(driver.events, 0);
  EXPECT_EQ(driver.contexts, 0);
}

TEST(CudaLibrary, MissingIsAnErrorWithAHint) {
  static constexpr std::array names = {"libcuda-that-is-not-there.so.1", "libneither.so"};
  const auto api = detail::CudaApi::open(names);
  ASSERT_FALSE(api);
  EXPECT_EQ(api.error().code, ErrorCode::DriverMissing);
  EXPECT_EQ(api.error().notes.size(), 2u);
  EXPECT_NE(api.error().hint.find("driver"), std::string::npos);
}

TEST(CudaLibrary, LackingAFunctionIsTooOld) {
  test::expectTooOldWithout<detail::CudaApi>("cuInit");
}

}  // namespace
}  // namespace lathe
