// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels specialised for a launch: the results are those of the kernel as it was, and other launches are refused.
#include <cmath>
#include <cstring>
#include <limits>

#include <lathe/runtime.h>

#include "jobs.h"

namespace lathe::test {
namespace {

RawKernel loaded(const Device& device, const Job& job) {
  auto compiled = makeCompiler().compile(job);
  EXPECT_TRUE(compiled) << compiled.error().render();
  auto module = device.load(compiled->image);
  EXPECT_TRUE(module) << module.error().render();
  auto kernel = module->rawKernel("k");
  EXPECT_TRUE(kernel) << kernel.error().render();
  return *kernel;
}

/// Specialises a kernel that stores its argument for `value`, and runs it with that and with `other`.
template <class T>
void expectFixed(const char* type, T value, T other) {
  SCOPED_TRACE(type);
  const Device device = *Device::open("cpu");
  const Job job = kernelJob(std::string("LATHE_KERNEL void k(") + type + "* out, " + type +
                            " value) { out[lathe::item_id().x] = value; }\n");
  alignas(16) T out[4];
  std::memset(out, 0x55, sizeof(out));
  T* const pointer = out;
  const LaunchOptions options{.grid = {1}, .group = {4}};
  const void* const arguments[] = {&pointer, &value};
  const auto special = loaded(device, job).specialised(job, options, arguments);
  ASSERT_TRUE(special) << special.error().render();
  ASSERT_TRUE(special->options.promises.arguments.contains("1"));
  const RawKernel kernel = loaded(device, *special);
  const auto done = kernel.launch(options, arguments);
  ASSERT_TRUE(done) << done.error().render();
  for (const T& element : out) EXPECT_EQ(std::memcmp(&element, &value, sizeof(T)), 0) << +element << " for " << +value;

  const void* const others[] = {&pointer, &other};
  const auto refused = kernel.launch(options, others);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::ArgumentMismatch);
  EXPECT_NE(refused.error().message.find("argument 1, 'value', is "), std::string::npos) << refused.error().message;
  EXPECT_FALSE(kernel.launch({.grid = {1}, .group = {2}}, arguments)) << "a group of another size";
}

template <class T>
void expectLimitsFixed(const char* type) {
  using Limits = std::numeric_limits<T>;
  for (const T value : {Limits::min(), Limits::max(), Limits::lowest(), T(0), T(7)})
    expectFixed<T>(type, value, T(value == T(3) ? 4 : 3));
}

TEST(Specialise, GivesTheResultsOfTheKernelAsItWas) {
  expectFixed("bool", true, false);
  expectFixed("bool", false, true);
  expectLimitsFixed<signed char>("signed char");
  expectLimitsFixed<unsigned char>("unsigned char");
  expectLimitsFixed<short>("short");
  expectLimitsFixed<unsigned short>("unsigned short");
  expectLimitsFixed<int>("int");
  expectLimitsFixed<unsigned>("unsigned");
  expectLimitsFixed<long>("long");
  expectLimitsFixed<unsigned long>("unsigned long");
  expectLimitsFixed<float>("float");
  expectLimitsFixed<double>("double");
  for (const double value : {-0.0, 0.1, -1.0 / 3, 5e-324, double(INFINITY), -double(INFINITY)}) {
    expectFixed("double", value, 2.0);
    expectFixed("float", float(value), 2.0F);
  }
}

TEST(Specialise, ChecksWherePointersLead) {
  const Device device = *Device::open("cpu");
  Job job = kernelJob("LATHE_KERNEL void k(const float* in, float* out) { out[0] = in[0]; }\n");
  job.options.promises.pointerAlign = 32;
  const RawKernel kernel = loaded(device, job);
  EXPECT_EQ(kernel.entry().pointerAlign, 32U);
  alignas(32) float data[16] = {5};
  const float* in = data;
  float* out = data + 8;
  const void* const arguments[] = {&in, &out};
  const LaunchOptions options{.grid = {1}, .group = {1}};
  EXPECT_TRUE(kernel.launch(options, arguments));
  EXPECT_EQ(data[8], 5);
  out = data + 4;
  const auto refused = kernel.launch(options, arguments);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::ArgumentMismatch);
  EXPECT_NE(refused.error().message.find("'out', is no multiple of the 32 bytes"), std::string::npos)
      << refused.error().message;
  // What the two have in common is promised.
  const auto special = kernel.specialised(job, options, arguments);
  ASSERT_TRUE(special);
  EXPECT_EQ(special->options.promises.pointerAlign, 16U);
}

TEST(Specialise, LeavesWhatIsNoNumber) {
  const Device device = *Device::open("cpu");
  const Job job = kernelJob(
      "struct Pair { int a, b; };\n"
      "LATHE_KERNEL void k(float* out, Pair pair, float value) { out[0] = value + pair.a; }\n");
  const float value = NAN;
  const int pair[] = {1, 2};
  alignas(16) float out = 0;
  float* const pointer = &out;
  const void* const arguments[] = {&pointer, pair, &value};
  const auto special = loaded(device, job).specialised(job, {.grid = {1}, .group = {1}}, arguments);
  ASSERT_TRUE(special) << special.error().render();
  EXPECT_TRUE(special->options.promises.arguments.empty());
  EXPECT_TRUE(loaded(device, *special).launch({.grid = {1}, .group = {1}}, arguments));
  EXPECT_FALSE(loaded(device, job).specialised(job, {}, std::span(arguments).first(2)));
}

TEST(Specialise, RefusesWhatCannotBe) {
  const auto errorOf = [](const Promises& promises) {
    Job job = kernelJob(
        "struct Pair { int a, b; };\n"
        "LATHE_KERNEL void k(float* out, int count, bool flag, unsigned char small, float x, Pair pair) "
        "{ if (flag) out[count] = small * x + pair.a; }\n");
    job.options.promises = promises;
    const auto result = makeCompiler().compile(job);
    if (result) return std::string("compiled");
    EXPECT_EQ(result.error().code, ErrorCode::InvalidArgument);
    EXPECT_FALSE(result.error().hint.empty());
    return result.error().message;
  };
  EXPECT_EQ(errorOf({.arguments = {{"cuont", "1"}}}),
            "no kernel has a parameter 'cuont' to fix; did you mean 'count'?");
  EXPECT_EQ(errorOf({.arguments = {{"6", "1"}}}), "no kernel has a parameter '6' to fix");
  for (const auto& [name, value] : std::map<std::string, std::vector<std::string>>{
           {"count", {"", "x", "1.5", "2147483648", "-2147483649", "1 ", "99999999999999999999"}},
           {"flag", {"2", "-1", "yes"}},
           {"small", {"256", "-1", "true"}},
           {"x", {"", "one", "1e99", "1,5"}},
           {"out", {"0", "null"}},
           {"pair", {"0"}}}) {
    for (const std::string& text : value) {
      const std::string message = errorOf({.arguments = {{name, text}}});
      EXPECT_TRUE(message.starts_with("kernel 'k': parameter '" + name + "' of type '")) << text << ": " << message;
      EXPECT_TRUE(message.ends_with("cannot be fixed to '" + text + "'")) << message;
    }
  }
  for (const std::uint32_t bytes : {3U, 8192U, 48U})
    EXPECT_EQ(errorOf({.arguments = {}, .pointerAlign = bytes}),
              "pointers cannot be aligned to " + std::to_string(bytes) + " bytes");
  EXPECT_EQ(errorOf({.arguments = {{"count", "0x10"}, {"flag", "true"}, {"3", "255"}, {"x", "0x1p-3"}}}), "compiled");
}

}  // namespace
}  // namespace lathe::test
