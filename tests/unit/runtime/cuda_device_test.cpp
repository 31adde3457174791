// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cuda runtime on a real device, with PTX written by hand. Skipped, with the reason, where there is none.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <thread>
#include <type_traits>

#include <dlfcn.h>

#include "example_image.h"

namespace lathe {
namespace {

using test::entryWith;

/// saxpy, and `shift`: y[i] = x[(i + 32) % n] through dynamic shared memory.
constexpr const char* ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 answer = 42;
.extern .shared .align 16 .b8 block[];

.visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y) {
  .reg .pred %p<2>;
  .reg .f32 %f<5>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra done;
  ld.param.f32 %f1, [a];
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  ld.global.f32 %f3, [%rd5];
  fma.rn.f32 %f4, %f1, %f2, %f3;
  st.global.f32 [%rd5], %f4;
done:
  ret;
}

.visible .entry shift(.param .u64 x, .param .u64 y) {
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r3, [%rd4];
  mov.u32 %r4, block;
  shl.b32 %r5, %r1, 2;
  add.u32 %r5, %r4, %r5;
  st.shared.u32 [%r5], %r3;
  bar.sync 0;
  add.u32 %r6, %r1, 32;
  rem.u32 %r6, %r6, %r2;
  shl.b32 %r6, %r6, 2;
  add.u32 %r6, %r4, %r6;
  ld.shared.u32 %r7, [%r6];
  add.s64 %rd5, %rd2, %rd3;
  st.global.u32 [%rd5], %r7;
  ret;
}
)";

class CudaDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    auto device = Device::open("cuda");
    if (!device) GTEST_SKIP() << device.error().render();
    device_.emplace(*std::move(device));
    EntryPoint shift = entryWith<const int*, int*>("shift");
    shift.dynamicShared = true;
    ImageInfo info;
    info.target = info.runtime = "cuda";
    info.entries = {entryWith<unsigned, float, const float*, float*>("saxpy"), shift};
    GlobalVariable answer;
    answer.name = answer.symbol = "answer";
    info.globals = {answer};
    auto module = device_->load(Image::build(info, {{"ptx", "sm_70", ptx}}));
    ASSERT_TRUE(module) << module.error().render();
    module_.emplace(*std::move(module));
  }
  std::optional<Device> device_;
  std::optional<Module> module_;
};

TEST_F(CudaDevice, RunsSaxpyOnStreamsAndThreads) {
  constexpr unsigned n = 1 << 20;
  const auto saxpy = module_->kernel<unsigned, float, const float*, float*>("saxpy");
  ASSERT_TRUE(saxpy) << saxpy.error().render();
  std::vector<std::thread> threads;
  std::vector<std::string> failures(4);
  for (std::string& failure : failures) {
    threads.emplace_back([&] {
      std::vector<float> x(n), y(n, 1.0f);
      std::iota(x.begin(), x.end(), 0.0f);
      auto deviceX = device_->allocate<float>(n), deviceY = device_->allocate<float>(n);
      auto stream = device_->createStream();
      if (!deviceX || !deviceY || !stream || !deviceX->upload(x) || !deviceY->upload(y)) {
        failure = "setup";
        return;
      }
      const auto queued =
          (*saxpy)({.grid = {n / 256}, .group = {256}, .stream = &*stream}, n, 2.0f, deviceX->data(), deviceY->data());
      const auto result = deviceY->read();
      if (!queued || !result) {
        failure = "launch or copy";
        return;
      }
      for (unsigned i = 0; i < n; ++i) {
        if ((*result)[i] != 2.0f * x[i] + 1.0f) failure = "element " + std::to_string(i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, std::vector<std::string>(4));
}

TEST_F(CudaDevice, UsesLargeDynamicSharedMemory) {
  if (device_->info().maxSharedBytes <= 49152) GTEST_SKIP() << "this device has no more than 48 KiB";
  constexpr std::size_t n = 256;
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  auto in = *device_->allocate<int>(n), out = *device_->allocate<int>(n);
  ASSERT_TRUE(in.upload(values));
  const auto shift = *module_->kernel<const int*, int*>("shift");
  const auto done = shift({.group = {n}, .dynamicSharedBytes = device_->info().maxSharedBytes}, in.data(), out.data());
  ASSERT_TRUE(done) << done.error().render();
  const auto result = *out.read();
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(result[i], static_cast<int>((i + 32) % n));
  EXPECT_EQ(shift({.group = {n}, .dynamicSharedBytes = device_->info().maxSharedBytes + 1}, in.data(), out.data())
                .error()
                .code,
            ErrorCode::LaunchInvalid);
}

TEST_F(CudaDevice, ReportsWhatItLoaded) {
  const auto use = module_->kernel<unsigned, float, const float*, float*>("saxpy")->resources();
  ASSERT_TRUE(use);
  EXPECT_GT(use->registers, 0);
  const CodeArchitectures code = module_->rawKernel("saxpy")->architectures();
  EXPECT_GE(code.machine, 50u);
  EXPECT_LE(code.text, code.machine);
  EXPECT_EQ(use->sharedBytes, 0);
  const auto answer = module_->global("answer");
  ASSERT_TRUE(answer) << answer.error().render();
  EXPECT_EQ(answer->second, 4u);
}

TEST_F(CudaDevice, FillsAndTimes) {
  auto buffer = *device_->allocate<std::uint32_t>(1000);
  ASSERT_TRUE(buffer.zero());
  EXPECT_EQ(*buffer.read(), std::vector<std::uint32_t>(1000));
  auto stream = *device_->createStream();
  ASSERT_TRUE(stream.recordStart());
  const auto elapsed = stream.elapsedSinceStart();
  ASSERT_TRUE(elapsed);
  EXPECT_GE(*elapsed, 0.0);
}

/// Somebody who calls the driver.
struct Driver {
  int (*create)(void**, unsigned, int) = nullptr;
  int (*destroy)(void*) = nullptr;
  int (*makeCurrent)(void*) = nullptr;
  int (*allocate)(void**, std::size_t) = nullptr;
  int (*copyOut)(void*, const void*, std::size_t) = nullptr;

  Driver() {
    void* const library = ::dlopen("libcuda.so.1", RTLD_NOW);
    const auto find = [&](auto*& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      EXPECT_TRUE(function) << name;
    };
    find(create, "cuCtxCreate_v2"), find(destroy, "cuCtxDestroy_v2"), find(makeCurrent, "cuCtxSetCurrent");
    find(allocate, "cuMemAlloc_v2"), find(copyOut, "cuMemcpyDtoH_v2");
  }
};

const auto saxpyImage = [] {
  return test::imageFor("cuda", {entryWith<std::uint32_t, float, const float*, float*>("saxpy")},
                        {{"ptx", "sm_70", ptx}});
};

TEST_F(CudaDevice, WorksInContextsOfOthers) {
  const Driver driver;
  void *context = nullptr, *theirs = nullptr;
  ASSERT_EQ(driver.create(&context, 0, 0), 0);
  ASSERT_EQ(driver.allocate(&theirs, 128 * sizeof(float)), 0);
  {
    auto device = Device::adopt("cuda", context);
    ASSERT_TRUE(device) << device.error().render();
    auto module = device->load(saxpyImage());
    ASSERT_TRUE(module) << module.error().render();
    auto saxpy = *module->kernel<std::uint32_t, float, const float*, float*>("saxpy");
    auto x = *device->allocate<float>(128);
    ASSERT_TRUE(x.upload(std::vector<float>(128, 3)));
    auto y = device->borrow(theirs, 128 * sizeof(float));
    ASSERT_TRUE(y.fill(0));
    ASSERT_TRUE(saxpy({.grid = {1}, .group = {128}}, 128u, 2.0f, x.data(), static_cast<float*>(theirs)));
    ASSERT_TRUE(device->synchronize());
  }
  float last = 0;
  EXPECT_EQ(driver.copyOut(&last, static_cast<float*>(theirs) + 127, sizeof last), 0);
  EXPECT_EQ(last, 6.0f);
  EXPECT_EQ(driver.destroy(context), 0);
}

/// Each thread has a context of its own, and uses the other's now and then.
TEST_F(CudaDevice, WorksInTwoThreadsOnTwoContexts) {
  const Driver driver;
  std::array<void*, 2> contexts{};
  for (void*& context : contexts) {
    ASSERT_EQ(driver.create(&context, 0, 0), 0);
    ASSERT_EQ(driver.makeCurrent(nullptr), 0);
  }
  {
    std::vector<Device> devices;
    for (void* const context : contexts) {
      auto device = Device::adopt("cuda", context);
      ASSERT_TRUE(device) << device.error().render();
      devices.push_back(*std::move(device));
    }
    std::array<int, 2> right{};
    const auto work = [&](std::size_t mine) {
      for (unsigned i = 0; i < 200; ++i) {
        const Device& device = devices[i % 8 == 7 ? 1 - mine : mine];
        auto module = device.load(saxpyImage());
        auto x = device.allocate<float>(128), y = device.allocate<float>(128);
        auto stream = device.createStream();
        if (!module || !x || !y || !stream || !x->upload(std::vector<float>(128)) ||
            !y->upload(std::vector<float>(128, float(i))))
          return;
        const auto saxpy = *module->kernel<std::uint32_t, float, const float*, float*>("saxpy");
        const auto launched =
            saxpy({.grid = {1}, .group = {128}, .stream = &*stream}, 128u, 2.0f, x->data(), y->data());
        if (!launched || !stream->synchronize() || y->read()->at(127) != float(i)) return;
        ++right[mine];
      }
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    EXPECT_EQ(right, (std::array{200, 200}));
  }
  for (void* const context : contexts) EXPECT_EQ(driver.destroy(context), 0);
}

TEST_F(CudaDevice, RefusesWhatItCannotDo) {
  EXPECT_EQ(device_->allocateBytes(std::size_t{1} << 50).error().code, ErrorCode::OutOfDeviceMemory);
  const auto load = [&](std::string text) {
    return device_->load(test::imageFor("cuda", {}, {{"ptx", "sm_70", std::move(text)}}));
  };
  const auto broken = load(".version 7.0\n.target sm_70\n.address_size 64\nnonsense\n");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::ImageCorrupt);
  EXPECT_FALSE(broken.error().notes.empty());
  const auto future = load(".version 99.9\n.target sm_70\n.address_size 64\n");
  ASSERT_FALSE(future);
  EXPECT_EQ(future.error().code, ErrorCode::DriverTooOld) << future.error().render();
  EXPECT_EQ(device_->load(test::imageFor("cuda", {}, {{"cubin", "sm_999", "x"}})).error().code,
            ErrorCode::IncompatibleDevice);
}

}  // namespace
}  // namespace lathe
