// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA C++ for hardware that one vendor has. Without a GPU the kernels are compiled only, and the test counts as
// skipped.
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>

#include <gtest/gtest.h>
#include <lathe/compiler.h>
#include <lathe/runtime.h>

extern "C" const char lathe_hardware_source[], lathe_hardware_source_end[];

namespace lathe::test {
namespace {

/// What 2 and 4 significant bits hold exactly, so that sums of 16 products are exact in any order.
std::vector<int> smallNumbers(std::size_t count, unsigned seed) {
  std::minstd_rand random(seed);
  std::vector<int> out(count);
  for (int& value : out) value = static_cast<int>(random() % 15) - 7;
  return out;
}

/// Twice `first` plus row-major a times column-major b, of 16 × 16.
template <class T>
std::vector<T> product(const std::vector<int>& a, const std::vector<int>& b, int first) {
  std::vector<T> out;
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      int sum = first;
      for (std::size_t k = 0; k < 16; ++k) sum += a[16 * i + k] * b[16 * j + k];
      out.push_back(static_cast<T>(2 * sum));
    }
  }
  return out;
}

class Hardware : public testing::Test {
 protected:
  /// Compiles the kernel; then skips unless there is a device.
  void prepare(const std::string& name) {
    auto device = Device::open("cuda");
    Job job;
    job.source = {.name = "hardware.cu", .text = {lathe_hardware_source, lathe_hardware_source_end}, .dialect = "cuda"};
    job.entries = {name};
    job.target = "cuda";
    job.arch = device ? device->info().arch : "sm_90";
    auto compiler = Compiler::create();
    ASSERT_TRUE(compiler) << compiler.error().render();
    auto compiled = compiler->compile(job);
    ASSERT_TRUE(compiled) << compiled.error().render();
    if (!device) GTEST_SKIP() << "compiled only: " << device.error().message;
    device_.emplace(*std::move(device));
    auto module = device_->load(compiled->image);
    ASSERT_TRUE(module) << module.error().render();
    module_.emplace(*std::move(module));
  }
  template <class T>
  Buffer<T> put(const std::vector<T>& values) {
    auto out = device_->allocate<T>(values.size());
    EXPECT_TRUE(out && out->upload(values));
    return *std::move(out);
  }
  /// Raw, because the host has no types for narrow floats.
  template <class... Args>
  void run(const std::string& name, const LaunchOptions& options, Args... arguments) {
    const auto kernel = module_->rawKernel(name);
    ASSERT_TRUE(kernel) << kernel.error().render();
    const auto queued = kernel->launch(options, std::array<const void*, sizeof...(Args)>{&arguments...});
    ASSERT_TRUE(queued) << queued.error().render();
    const auto done = device_->synchronize();
    ASSERT_TRUE(done) << done.error().render();
  }

  /// Two tiles of small numbers, which `encode` gives the elements' format, multiplied by `name`.
  template <class Sum, class Encode>
  void multiply(const std::string& name, int first, const Encode& encode) {
    const auto a = smallNumbers(256, 1), b = smallNumbers(256, 2);
    auto left = put(encode(a)), right = put(encode(b));
    auto out = put(std::vector<Sum>(256));
    run(name, {.group = {32}}, left.data(), right.data(), out.data());
    EXPECT_EQ(*out.read(), product<Sum>(a, b, first));
  }

  std::optional<Device> device_;
  std::optional<Module> module_;
};

#define PREPARE(name)                     \
  ASSERT_NO_FATAL_FAILURE(prepare(name)); \
  if (IsSkipped()) return

/// The bits of small whole numbers in a format of `exponentBits` and `fractionBits`.
std::vector<std::uint16_t> narrow(const std::vector<int>& values, int exponentBits, int fractionBits) {
  std::vector<std::uint16_t> out;
  for (const int value : values) {
    int bits = value < 0 ? 0x8000 : 0;
    if (value != 0) {
      int exponent = 0;
      const double fraction = std::frexp(std::abs(value), &exponent);  // in [0.5, 1)
      const int biased = exponent - 1 + (1 << (exponentBits - 1)) - 1;
      bits |= biased << fractionBits | static_cast<int>(std::ldexp(2 * fraction - 1, fractionBits));
    }
    out.push_back(static_cast<std::uint16_t>(bits));
  }
  return out;
}

TEST_F(Hardware, MultipliesMatricesOfHalves) {
  PREPARE("matrix_half");
  multiply<float>("matrix_half", 0, [](const auto& values) { return narrow(values, 5, 10); });
}

TEST_F(Hardware, MultipliesMatricesOfBfloats) {
  PREPARE("matrix_bfloat");
  multiply<float>("matrix_bfloat", 1, [](const auto& values) { return narrow(values, 8, 7); });
}

TEST_F(Hardware, MultipliesMatricesOfBytes) {
  PREPARE("matrix_bytes");
  multiply<int>("matrix_bytes", 0,
                [](const auto& values) { return std::vector<std::int8_t>(values.begin(), values.end()); });
}

/// `first` plus row-major a of `rows` × `inner` times column-major b of `inner` × 8.
template <class T>
std::vector<T> fragmentProduct(const std::vector<int>& a, const std::vector<int>& b, std::size_t inner, int first) {
  std::vector<T> out;
  for (std::size_t i = 0; i < a.size() / inner; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      int sum = first;
      for (std::size_t k = 0; k < inner; ++k) sum += a[inner * i + k] * b[inner * j + k];
      out.push_back(static_cast<T>(sum));
    }
  }
  return out;
}

TEST_F(Hardware, MultipliesFragments) {
  PREPARE("fragments_u8");
  const auto a = smallNumbers(512, 3), b = smallNumbers(256, 4);
  const auto bytesOf = [](const std::vector<int>& values, int fractionBits) {
    std::vector<std::uint8_t> out;
    for (const std::uint16_t bits : narrow(values, 7 - fractionBits, fractionBits))
      out.push_back(static_cast<std::uint8_t>((bits & 0x7f) | bits >> 8));
    return out;
  };
  for (const int fractionBits : {3, 2}) {
    const std::string name = fractionBits == 3 ? "fragments_e4m3" : "fragments_e5m2";
    prepare(name);
    std::vector<int> left = a, right = b;
    for (auto* const values : {&left, &right})
      for (int& value : *values) value = fractionBits == 2 && value % 2 != 0 && std::abs(value) > 4 ? 4 : value;
    auto first = put(bytesOf(left, fractionBits)), second = put(bytesOf(right, fractionBits));
    auto out = put(std::vector<float>(128));
    run(name, {.group = {32}}, first.data(), second.data(), out.data());
    EXPECT_EQ(*out.read(), fragmentProduct<float>(left, right, 32, 1)) << name;
  }
  std::vector<int> positive = a;
  for (int& value : positive) value += 200;
  prepare("fragments_u8");
  auto bytes = put(std::vector<std::uint8_t>(positive.begin(), positive.end()));
  auto other = put(std::vector<std::uint8_t>(positive.begin(), positive.begin() + 256));
  auto counts = put(std::vector<int>(128));
  run("fragments_u8", {.group = {32}}, bytes.data(), other.data(), counts.data());
  EXPECT_EQ(*counts.read(), fragmentProduct<int>(positive, {positive.begin(), positive.begin() + 256}, 32, 1));
  prepare("fragments_f64");
  const std::vector<int> few(a.begin(), a.begin() + 32), fewer(b.begin(), b.begin() + 32);
  auto left = put(std::vector<double>(few.begin(), few.end())),
       right = put(std::vector<double>(fewer.begin(), fewer.end()));
  auto sums = put(std::vector<double>(64));
  run("fragments_f64", {.group = {32}}, left.data(), right.data(), sums.data());
  EXPECT_EQ(*sums.read(), fragmentProduct<double>(few, fewer, 4, 1));
}

TEST_F(Hardware, KeepsRoundsOfAGridApart) {
  PREPARE("grid_rounds");
  if (!device_->info().gridBarriers) GTEST_SKIP() << "this device takes no cooperative launches";
  constexpr unsigned rounds = 20, group = 128;
  const unsigned groups = device_->info().multiprocessors, count = group * groups;
  std::vector<unsigned> expected(std::size_t{count} * (rounds + 1));
  for (unsigned i = 0; i < count; ++i) expected[i] = i * 2654435761u;
  auto values = put(expected);
  for (unsigned round = 0; round < rounds; ++round)
    for (unsigned i = 0; i < count; ++i)
      expected[(round + 1) * count + i] = expected[round * count + i] + expected[round * count + (i + group) % count];
  run("grid_rounds", {.grid = {groups}, .group = {group}, .cooperative = true}, values.data(), rounds);
  EXPECT_EQ(*values.read(), expected);
}

TEST_F(Hardware, RefusesAGridThatDoesNotFit) {
  PREPARE("grid_rounds");
  if (!device_->info().gridBarriers) GTEST_SKIP() << "this device takes no cooperative launches";
  const auto kernel = module_->kernel<unsigned*, unsigned>("grid_rounds");
  ASSERT_TRUE(kernel);
  const auto queued = (*kernel)({.grid = {1u << 20}, .group = {1024}, .cooperative = true}, nullptr, 1u);
  ASSERT_FALSE(queued);
  EXPECT_EQ(queued.error().code, ErrorCode::LaunchFailed) << queued.error().render();
}

/// Each of 16 groups adds up what the other groups of its cluster of four have.
class Clusters : public Hardware {
 protected:
  void expectSums(const std::string& name, const LaunchOptions& options) {
    if (device_->info().maxCluster == 1) GTEST_SKIP() << "this device has no clusters";
    std::vector<unsigned> in(16), expected;
    for (unsigned i = 0; i < in.size(); ++i) in[i] = 1u << i;
    for (unsigned i = 0; i < in.size(); ++i) expected.push_back((0xfu << (i / 4 * 4)) & ~(1u << i));
    auto source = put(in), out = put(std::vector<unsigned>(in.size()));
    run(name, options, source.data(), out.data());
    EXPECT_EQ(*out.read(), expected);
  }
};

TEST_F(Clusters, AreOfTheSizeThatTheLaunchGives) {
  PREPARE("cluster_sums");
  expectSums("cluster_sums", {.grid = {16}, .group = {32}, .cluster = {4}});
}

TEST_F(Clusters, AreOfTheSizeThatTheKernelHas) {
  PREPARE("cluster_dims_sums");
  expectSums("cluster_dims_sums", {.grid = {16}, .group = {32}});
}

/// The driver's grid counts clusters of such a kernel, Lathe's groups as always.
TEST_F(Clusters, AreOfTheSizeOfABlockSizeKernel) {
  PREPARE("block_size_sums");
  expectSums("block_size_sums", {.grid = {16}, .group = {32}});
}

TEST_F(Hardware, RoundsByMode) {
  PREPARE("rounded");
  std::mt19937 random(7);
  std::vector<float> x, y;
  for (unsigned i = 0; i < 1000; ++i) {
    // Positive, for the root; of many magnitudes, normal results.
    x.push_back(
        std::ldexp(1.0f + static_cast<float>(random() % 8388608) * 0x1p-23f, static_cast<int>(random() % 40) - 20));
    const float sign = random() % 2 ? -1.0f : 1.0f;
    y.push_back(sign * std::ldexp(1.0f + static_cast<float>(random() % 8388608) * 0x1p-23f,
                                  static_cast<int>(random() % 40) - 20));
  }
  auto left = put(x), right = put(y), out = put(std::vector<float>(16 * x.size()));
  run("rounded", {.grid = {8}, .group = {128}}, static_cast<unsigned>(x.size()), left.data(), right.data(), out.data());
  const auto results = *out.read();
  constexpr std::array modes = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t mode = 0; mode < modes.size(); ++mode) {
      std::fesetround(modes[mode]);
      volatile float a = x[i], b = y[i], sum = a + b, times = a * b, over = a / b, root = std::sqrt(a);
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(results[16 * i + mode], sum) << x[i] << " + " << y[i];
      EXPECT_EQ(results[16 * i + 4 + mode], times) << x[i] << " * " << y[i];
      EXPECT_EQ(results[16 * i + 8 + mode], over) << x[i] << " / " << y[i];
      EXPECT_EQ(results[16 * i + 12 + mode], root) << "root of " << x[i];
    }
  }
}

TEST_F(Hardware, ConvertsNarrowFloats) {
  PREPARE("narrow_floats");
  auto wrong = put(std::vector<unsigned>(256, 9));
  run("narrow_floats", {.group = {256}}, wrong.data());
  EXPECT_EQ(*wrong.read(), std::vector<unsigned>(256));
}

TEST_F(Hardware, CopiesIntoSharedMemory) {
  PREPARE("staged");
  std::vector<int> in(512), expected(512);
  for (int i = 0; i < 512; ++i) {
    in[static_cast<std::size_t>(i)] = 3 * i;
    expected[static_cast<std::size_t>(i / 128 * 128 + 127 - i % 128)] = 3 * i;
  }
  auto source = put(in), out = put(std::vector<int>(512));
  run("staged", {.grid = {4}, .group = {128}}, source.data(), out.data());
  EXPECT_EQ(*out.read(), expected);
}

}  // namespace
}  // namespace lathe::test
