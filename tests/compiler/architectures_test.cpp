// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The architectures of every target: what `lathe targets` lists compiles, and what does not compile is refused by name.
#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "jobs.h"

namespace lathe::test {
namespace {

constexpr const char* saxpy = R"(#include <lathe/device.h>
LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] += a * x[i];
})";

/// The kernel in the language of machines without floats and grids.
constexpr const char* counter = R"(#include <lathe/bpf.h>
SEC("raw_tp/sched_switch")
int count(bpf_raw_tracepoint_args*) { return 0; }
LATHE_BPF_LICENSE("GPL");)";

struct Pair {
  std::string target, arch;
};

Job jobFor(const Pair& pair) {
  Job job;
  job.source.text = saxpy;
  job.target = pair.target;
  job.arch = pair.arch;
  if (pair.target.starts_with("bpf")) {
    job.source.text = counter;
    job.source.dialect = "bpf";
  }
  return job;
}

/// What is wrong with one architecture, or nothing. `work` may run on any thread.
std::vector<std::string> forEach(const std::vector<Pair>& pairs, const std::function<std::string(const Pair&)>& work) {
  std::vector<std::string> faults;
  std::mutex lock;
  std::atomic<std::size_t> next = 0;
  const auto serve = [&] {
    for (std::size_t i = next++; i < pairs.size(); i = next++) {
      std::string fault = work(pairs[i]);
      const std::lock_guard guard(lock);
      if (!fault.empty()) faults.push_back(pairs[i].target + ":" + pairs[i].arch + ": " + fault);
    }
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < std::max(2U, std::thread::hardware_concurrency()); ++i) others.emplace_back(serve);
  serve();
  others.clear();
  return faults;
}

TEST(Architectures, every_one_that_is_listed_compiles) {
  const Compiler compiler = makeCompiler();
  std::vector<Pair> pairs;
  for (const TargetInfo& target : compiler.targets()) {
    ASSERT_EQ(target.unavailable, "") << target.name;
    EXPECT_FALSE(target.architectures.empty()) << target.name;
    for (const std::string& arch : target.architectures) pairs.push_back({target.name, arch});
  }
  EXPECT_GT(pairs.size(), 300U);
  const auto faults = forEach(pairs, [&](const Pair& pair) -> std::string {
    const auto compiled = compiler.compile(jobFor(pair));
    return compiled ? "" : compiled.error().render();
  });
  for (const std::string& fault : faults) ADD_FAILURE() << fault;
}

TEST(Architectures, others_of_the_back_end_are_refused_by_name) {
  const Compiler compiler = makeCompiler();
  const std::vector<Pair> pairs = {
      {"object", "i386"},          {"object", "pentium4"},        {"x86-64-v2", "i386"},    {"riscv64", "sifive-e20"},
      {"riscv64", "generic-rv32"}, {"riscv64", "rp2350-hazard3"}, {"aarch64", "cortex-m4"}, {"wasm32", "mvq"}};
  for (const Pair& pair : pairs) {
    const auto compiled = compiler.compile(jobFor(pair));
    ASSERT_FALSE(compiled) << pair.arch;
    EXPECT_EQ(compiler.architecture(pair.target, pair.arch).error().message, compiled.error().message);
    EXPECT_EQ(compiled.error().code, ErrorCode::UnknownArchitecture) << compiled.error().render();
    EXPECT_NE(compiled.error().message.find("'" + pair.arch + "'"), std::string::npos) << compiled.error().message;
  }
  const auto narrow = compiler.compile(jobFor({"object", "i386"}));
  EXPECT_NE(narrow.error().message.find("is no processor of 64 bits"), std::string::npos) << narrow.error().message;
}

TEST(Architectures, have_the_names_of_their_images) {
  const Compiler compiler = makeCompiler();
  for (const Pair& pair : {Pair{"cpu", "native"}, Pair{"cuda", ""}, Pair{"amdgpu", "gfx942"}, Pair{"bpf", "v3"}}) {
    const auto compiled = compiler.compile(jobFor(pair));
    ASSERT_TRUE(compiled) << compiled.error().render();
    EXPECT_EQ(*compiler.architecture(pair.target, pair.arch), compiled->image.info().arch);
  }
  EXPECT_EQ(compiler.architecture("no-such", "").error().code, ErrorCode::UnknownTarget);
}

TEST(Architectures, features_that_exclude_one_another_are_the_callers_error) {
  expectInterruptedCompiles();  // LLVM gives up
  const Compiler compiler = makeCompiler();
  Job job = jobFor({"riscv64", "generic-rv64"});
  job.features = "+zcmp";  // not with c and d, which the target has
  const auto compiled = compiler.compile(job);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, ErrorCode::UnknownFeature) << compiled.error().render();
  EXPECT_NE(compiled.error().message.find("with +zcmp: "), std::string::npos) << compiled.error().message;
  // What was interrupted harms no later compile.
  EXPECT_TRUE(compiler.compile(jobFor({"riscv64", "generic-rv64"})));
}

TEST(Parameters, that_are_no_numbers_are_blamed_and_not_the_source) {
  const Compiler compiler = makeCompiler();
  for (const char* text : {"abc", "", "1.5", "0x", "99999999999999999999"}) {
    Job job = jobFor({"object", ""});
    job.options.parameters["tile"] = text;
    const auto compiled = compiler.compile(job);
    ASSERT_FALSE(compiled) << text;
    EXPECT_EQ(compiled.error().code, ErrorCode::InvalidArgument) << text;
    EXPECT_TRUE(compiled.error().message.starts_with("parameter 'tile': '")) << compiled.error().message;
  }
  for (const char* text : {"16", "-3", "0x10", "0b11"}) {
    Job job = jobFor({"object", ""});
    job.options.parameters["tile"] = text;
    EXPECT_TRUE(compiler.compile(job)) << text;
  }
}

}  // namespace
}  // namespace lathe::test
