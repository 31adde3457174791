// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels print, and how they fail: on every runtime that opens here, with bare entries and with a state. Where
// only a state can do it, kernels are also compiled without asking for one.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <lathe/compiler.h>
#include <lathe/runtime.h>

extern "C" const char lathe_services_source[], lathe_services_source_end[];

namespace lathe::test {
namespace {

constexpr const char* file = "kernels/services.cpp";

std::string readSource() {
  return {lathe_services_source, lathe_services_source_end};
}

/// The line of the source that holds `text`.
unsigned lineOf(const std::string& text) {
  std::istringstream source(readSource());
  unsigned number = 1;
  for (std::string line; std::getline(source, line); ++number) {
    if (line.find(text) != std::string::npos) return number;
  }
  return 0;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  return out;
}

/// The runtime, or the text that it takes, and how kernels are compiled for it.
using Setting = std::tuple<std::string, EntryAbi, OptLevel>;

std::string targetOf(const std::string& runtime) {
  if (runtime == "opencl") return "spirv";
  return runtime == "hip" ? "amdgpu" : runtime;
}

class Services : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    const std::string& name = std::get<0>(GetParam());
    auto device = Device::open(name == "opencl-c" ? "opencl" : name);
    if (!device) GTEST_SKIP() << device.error().message;
    if (device->info().arch.starts_with("cl1"))
      GTEST_SKIP() << device->info().name << " takes OpenCL C 1.2 alone, whose kernels cannot be given a state";
    device_.emplace(*std::move(device));
  }
  [[nodiscard]] bool isBareGpu() const {
    return std::get<0>(GetParam()) != "cpu" && std::get<1>(GetParam()) == EntryAbi::bare;
  }

  RawKernel kernel(const std::string& name) {
    const auto compiler = Compiler::create();
    Job job;
    job.source.name = file;
    job.source.text = readSource();
    job.entries = {name};
    job.target = targetOf(std::get<0>(GetParam()));
    job.arch = device_->info().arch;
    job.options.entryAbi = std::get<1>(GetParam());
    job.options.optLevel = std::get<2>(GetParam());
    const auto compiled = compiler->compile(job);
    EXPECT_TRUE(compiled) << compiled.error().render();
    EXPECT_TRUE(compiled->warnings.empty());
    auto module = device_->load(compiled->image);
    EXPECT_TRUE(module) << module.error().render();
    module_.emplace(*std::move(module));
    auto raw = module_->rawKernel(name);
    EXPECT_TRUE(raw) << raw.error().render();
    return *std::move(raw);
  }

  /// Launches and waits.
  template <class... Arguments>
  Result<void> run(const RawKernel& kernel, const LaunchOptions& options, Arguments... arguments) {
    const std::array<const void*, sizeof...(Arguments)> pointers = {static_cast<const void*>(&arguments)...};
    if (auto queued = kernel.launch(options, pointers); !queued) return queued;
    return device_->synchronize();
  }

  /// What `step` makes kernels print.
  template <class Step>
  std::string printed(const Step& step) {
    testing::internal::CaptureStdout();
    step();
    return testing::internal::GetCapturedStdout();
  }

  Buffer<int> upload(const std::vector<int>& values) {
    auto out = *device_->allocate<int>(values.size());
    EXPECT_TRUE(out.upload(values));
    return out;
  }

  std::optional<Device> device_;
  std::optional<Module> module_;
};

TEST_P(Services, PrintsAsC) {
  const RawKernel conversions = kernel("conversions");
  const int n = 42;
  const long wide = 123456789012345;
  const double x = 3.14159;
  auto buffer = upload({0});
  int* const address = buffer.data();
  const std::string text =
      printed([&] { EXPECT_TRUE(run(conversions, {}, n, wide, x, static_cast<const int*>(address))); });
  std::string want = "no argument, 100%\n";
  const auto add = [&](const char* format, auto... arguments) {
    char line[256];
    std::snprintf(line, sizeof(line), format, arguments...);
    want += line;
  };
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
  add("%d|%5d|%-5d|%05d|%+d|%i|%u|%x|%#X|%o\n", n, n, n, n, n, -n, n, n, n, n);
  add("%ld|%lld|%lu|%lx|%zu\n", wide, static_cast<long long>(-wide), static_cast<unsigned long>(wide), wide,
      sizeof(wide));
  add("%hd|%hhd|%c|%c\n", static_cast<short>(-n), static_cast<signed char>(n), 'a', 'b' + 1);
  add("%f|%.3f|%10.2e|%-10g|%G|%a\n", x, x, x, x, x * 1e10, 0.5);
  add("%f %d %f\n", 1.5, n, -x);
  add("%*d|%-*d|%.*f|%*.*f\n", 6, n, 6, n, 2, x, 8, 1, x);
  add("%s|%10s|%-6s|%.2s|%s\n", "text", "right", "left", "cut off", "");
  add("%p\n", static_cast<void*>(address));
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
  if (!isBareGpu()) {
    EXPECT_EQ(text, want);
    return;
  }
  // The driver's own printf has no %z, no '*' and is wrong behind %hh: the lines without these.
  const auto got = linesOf(text), wanted = linesOf(want);
  ASSERT_EQ(got.size(), wanted.size());
  for (const std::size_t line : {0u, 1u, 4u, 5u, 7u, 8u}) EXPECT_EQ(got[line], wanted[line]);
}

TEST_P(Services, PrintsFormatsThatAreNoConstants) {
  const RawKernel forwarded = kernel("forwarded");
  const std::string text = printed([&] { EXPECT_TRUE(run(forwarded, {}, 7)); });
  const auto lines = linesOf(text);
  ASSERT_EQ(lines.size(), 2u) << text;
  EXPECT_EQ(lines[0], "n is 7");
  EXPECT_TRUE(lines[1].starts_with("name:    six of ")) << lines[1];
  EXPECT_TRUE(lines[1].ends_with(", large")) << lines[1];
}

TEST_P(Services, DoesNotMixLines) {
  constexpr unsigned groups = 40, items = 32;
  const RawKernel kernelOfLines = kernel("lines");
  auto results = upload(std::vector<int>(groups * items));
  const std::string text =
      printed([&] { EXPECT_TRUE(run(kernelOfLines, {.grid = {groups}, .group = {items}}, results.data())); });
  std::multiset<std::string> want;
  for (unsigned i = 0; i < groups * items; ++i) {
    char line[64];
    std::snprintf(line, sizeof(line), "item %u of group %u: %f", i % items, i / items, i * 0.5);
    want.insert(line);
  }
  const auto got = linesOf(text);
  EXPECT_EQ((std::multiset<std::string>(got.begin(), got.end())), want);
  const auto counts = results.read();
  ASSERT_TRUE(counts);
  EXPECT_EQ(std::ranges::count(*counts, 3), groups * items);
}

TEST_P(Services, CountsWhatDidNotFit) {
  if (std::get<1>(GetParam()) == EntryAbi::bare) GTEST_SKIP() << "bare kernels print without a buffer of Lathe's";
  constexpr unsigned groups = 200, items = 64;
  const RawKernel flood = kernel("flood");
  auto results = upload(std::vector<int>(groups * items));
  for (int round = 0; round < 2; ++round) {  // the second finds the buffer empty again
    const std::string text =
        printed([&] { EXPECT_TRUE(run(flood, {.grid = {groups}, .group = {items}}, results.data())); });
    auto lines = linesOf(text);
    ASSERT_GT(lines.size(), 1000u);
    ASSERT_LT(lines.size(), groups * items);
    const std::string last = lines.back();
    lines.pop_back();
    for (const std::string& line : lines) ASSERT_TRUE(line.ends_with("and then too full")) << line;
    const auto counts = *results.read();
    const auto dropped = std::ranges::count(counts, -1);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(counts, 2)), lines.size());
    EXPECT_TRUE(last.starts_with("lathe: " + std::to_string(dropped) + " more texts")) << last;
  }
}

TEST_P(Services, ReportsAFailedAssertion) {
  if (isBareGpu()) GTEST_SKIP() << "the driver's own assertion ends the context";
  const RawKernel checked = kernel("checked");
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 0);
  auto in = upload(values), out = upload(std::vector<int>(64));
  const auto launch = [&](int bad) {
    return run(checked, {.grid = {4}, .group = {16}}, static_cast<const int*>(in.data()), out.data(), bad);
  };
  ASSERT_TRUE(launch(-1));
  const auto failed = launch(37);
  ASSERT_FALSE(failed);
  const Error& error = failed.error();
  EXPECT_EQ(error.code, ErrorCode::DeviceFault);
  const unsigned line = lineOf("assert(values[i] != bad)");
  EXPECT_EQ(error.message, "kernel 'checked': assertion 'values[i] != bad' failed in group 2,0,0, item 5,0,0");
  EXPECT_EQ(error.location.file, file);
  EXPECT_EQ(error.location.line, line);
  ASSERT_EQ(error.notes.size(), 1u);
  EXPECT_NE(error.notes[0].message.find("checked"), std::string::npos);
  // The device lives, and the failure is told once.
  EXPECT_TRUE(device_->synchronize());
  ASSERT_TRUE(launch(-1));
  const auto results = out.read();
  ASSERT_TRUE(results);
  for (int i = 0; i < 64; ++i) EXPECT_EQ((*results)[static_cast<std::size_t>(i)], i + 2);
}

TEST_P(Services, ReportsOneOfMany) {
  if (isBareGpu()) GTEST_SKIP() << "the driver's own assertion ends the context";
  const RawKernel checked = kernel("checked");
  auto in = upload(std::vector<int>(256, 9)), out = upload(std::vector<int>(256));
  const auto failed = run(checked, {.grid = {8}, .group = {32}}, static_cast<const int*>(in.data()), out.data(), 9);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("assertion 'values[i] != bad' failed"), std::string::npos)
      << failed.error().message;
  EXPECT_TRUE(device_->synchronize());
}

TEST_P(Services, FailsInABranchBeforeABarrier) {
  if (isBareGpu()) GTEST_SKIP() << "the driver's own assertion ends the context";
  const RawKernel divergent = kernel("divergent");
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 0);
  auto in = upload(values), out = upload(std::vector<int>(64));
  const auto launch = [&](int bad) {
    return run(divergent, {.grid = {1}, .group = {64}}, static_cast<const int*>(in.data()), out.data(), bad);
  };
  Result<void> failed;
  const std::string text = printed([&] { failed = launch(33); });
  EXPECT_EQ(text, "item 33 fails\n");
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("in group 0,0,0, item 33,0,0"), std::string::npos) << failed.error().message;
  ASSERT_TRUE(launch(34));  // an even one is not looked at
  const auto results = *out.read();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(results[static_cast<std::size_t>(63 - i)], i % 2 ? 2 * i : i);
}

TEST_P(Services, FailsBeforeABarrierOfTheGrid) {
  if (!device_->info().gridBarriers) GTEST_SKIP() << "this device takes no cooperative launches";
  if (std::get<0>(GetParam()) == "cuda") GTEST_SKIP() << "groups wait there for one that has failed";
  const RawKernel met = kernel("met");
  constexpr int groups = 6;
  auto out = upload(std::vector<int>(2 * groups));
  const LaunchOptions options{.grid = {groups}, .group = {96}, .cooperative = true};
  for (int round = 0; round < 2; ++round) {  // the barrier is whole again behind a failure
    ASSERT_TRUE(run(met, options, out.data(), -1));
    const auto results = *out.read();
    for (int i = 0; i < groups; ++i) EXPECT_EQ(results[static_cast<std::size_t>(groups + i)], groups - i);
    ASSERT_TRUE(out.upload(std::vector<int>(2 * groups)));
    const auto failed = run(met, options, out.data(), 4);
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().message.find("failed in group 4,0,0"), std::string::npos) << failed.error().message;
  }
}

TEST_P(Services, ReportsATrap) {
  if (isBareGpu()) GTEST_SKIP() << "a trap ends the context";
  for (const char* name : {"trapped", "builtin_trap"}) {
    const RawKernel trapped = kernel(name);
    const auto failed = run(trapped, {.grid = {3}, .group = {8}}, 21);
    ASSERT_FALSE(failed) << name;
    EXPECT_EQ(failed.error().code, ErrorCode::DeviceFault);
    EXPECT_EQ(failed.error().message, "kernel '" + std::string(name) + "': it trapped in group 2,0,0, item 5,0,0");
    EXPECT_TRUE(run(trapped, {.grid = {3}, .group = {8}}, 100));
  }
}

TEST_P(Services, ReachesFunctionsThatAreNotInlined) {
  const RawKernel nested = kernel("nested");
  auto out = upload({0});
  EXPECT_EQ(printed([&] { EXPECT_TRUE(run(nested, {}, 5, 4, out.data())); }), "5\n");
  EXPECT_EQ(*out.read(), std::vector<int>{11});
  if (isBareGpu()) return;
  Result<void> failed;
  EXPECT_EQ(printed([&] { failed = run(nested, {}, 4, 4, out.data()); }), "4\n");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().location.line, lineOf("assert(n - bad != 0)"));
}

TEST_P(Services, ReportsFromFunctionsThatAreNotPartOfTheKernel) {
  if (std::get<0>(GetParam()).starts_with("opencl")) GTEST_SKIP() << "OpenCL has no recursion";
  const RawKernel separate = kernel("separate");
  auto out = upload({0});
  // Not deep: a GPU's thread has 1 KiB of stack unless its limit is raised.
  const auto ran = run(separate, {}, 3, -1, out.data());
  ASSERT_TRUE(ran) << ran.error().render();
  EXPECT_EQ(*out.read(), std::vector<int>{3});
  if (isBareGpu()) return;
  const auto failed = run(separate, {}, 3, 2, out.data());
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().message.starts_with("kernel 'separate': assertion 'n != bad' failed"))
      << failed.error().message;
  EXPECT_EQ(run(separate, {}, 100, 4, out.data()).error().message,
            "kernel 'separate': assertion 'n < 100' failed in group 0,0,0, item 0,0,0");
  if (std::get<1>(GetParam()) != EntryAbi::bare) return;  // a state, which does not travel through pointers
  const RawKernel throughPointer = kernel("through_pointer");
  EXPECT_TRUE(run(throughPointer, {}, 2, out.data()));
  EXPECT_EQ(*out.read(), std::vector<int>{2});
  EXPECT_EQ(run(throughPointer, {}, -2, out.data()).error().message,
            "kernel 'through_pointer': assertion 'n > 0' failed");
  EXPECT_EQ(run(throughPointer, {}, 3, out.data()).error().message, "kernel 'through_pointer': it trapped");
}

TEST_P(Services, BelongsToItsStream) {
  if (isBareGpu()) GTEST_SKIP() << "the driver's own assertion ends the context";
  const RawKernel trapped = kernel("trapped");
  auto stream = *device_->createStream();
  auto other = *device_->createStream();
  const int when = 3, never = -1;
  const std::array<const void*, 1> bad = {&when}, good = {&never};
  ASSERT_TRUE(trapped.launch({.group = {8}, .stream = &stream}, bad));
  ASSERT_TRUE(trapped.launch({.group = {8}, .stream = &other}, good));
  EXPECT_TRUE(other.synchronize());
  const auto failed = stream.synchronize();
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("it trapped"), std::string::npos);
  EXPECT_TRUE(stream.synchronize());
}

TEST_P(Services, GivesTextToTheProgram) {
  if (isBareGpu()) GTEST_SKIP() << "the driver prints to the standard output";
  const RawKernel nested = kernel("nested");
  std::string text;
  device_->setPrintSink([&](std::string_view part) { text += part; });
  auto out = upload({0});
  EXPECT_EQ(printed([&] { EXPECT_TRUE(run(nested, {}, 6, 4, out.data())); }), "");
  device_->setPrintSink({});
  EXPECT_EQ(text, "6\n");
}

TEST_P(Services, HidesTheStateFromArguments) {
  const RawKernel checked = kernel("checked");
  EXPECT_EQ(checked.entry().parameters.size(), 3u);
  EXPECT_EQ(checked.entry().hidden.size(), std::get<1>(GetParam()) == EntryAbi::bare ? 0u : 1u);
  EXPECT_TRUE((module_->kernel<const int*, int*, int>("checked")));
}

std::string nameOf(const testing::TestParamInfo<Setting>& info) {
  const auto& [runtime, abi, level] = info.param;
  const char* const kind = abi == EntryAbi::bare ? "_bare" : abi == EntryAbi::state ? "_state" : "_auto";
  return (runtime == "opencl-c" ? "opencl_c" : runtime) + kind + (level == OptLevel::O0 ? "_O0" : "_O3");
}

INSTANTIATE_TEST_SUITE_P(Conformance, Services,
                         testing::Combine(testing::Values(std::string("cpu"), std::string("cuda")),
                                          testing::Values(EntryAbi::bare, EntryAbi::state),
                                          testing::Values(OptLevel::O0, OptLevel::O3)),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(OfStates, Services,
                         testing::Combine(testing::Values(std::string("opencl"), std::string("opencl-c"),
                                                          std::string("hip")),
                                          testing::Values(EntryAbi::automatic, EntryAbi::state),
                                          testing::Values(OptLevel::O0, OptLevel::O3)),
                         nameOf);

}  // namespace
}  // namespace lathe::test
