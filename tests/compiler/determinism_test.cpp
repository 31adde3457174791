// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal jobs give equal bytes: again, in another folder, on other threads, under either isolation. And how memory
// grows.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include <unistd.h>

#include "jobs.h"

namespace lathe::test {
namespace {

std::vector<Job> variedJobs() {
  std::vector<Job> jobs;
  for (const auto& [target, arch] : std::initializer_list<std::pair<const char*, const char*>>{
           {"cpu", "x86-64-v3"}, {"cuda", "sm_80"}, {"cuda", "sm_90"}, {"amdgpu", "gfx1100"}, {"amdgpu", "gfx942"}}) {
    jobs.push_back(kernelJob(goodKernel, target, arch));
    jobs.push_back(
        kernelJob("struct P { char c; double d; };\n"
                  "LATHE_CONSTANT float table[2] = {1, 2};\n"
                  "LATHE_KERNEL void sum(P p, const float* in, float* out) {\n"
                  "  LATHE_SHARED float part[64];\n"
                  "  const unsigned i = lathe::item_id().x & 63;\n"
                  "  part[i] = in[i] * table[i & 1];\n"
                  "  for (unsigned s = 32; s > 0; s /= 2) {\n"
                  "    lathe::barrier();\n"
                  "    if (i < s) part[i] += part[i + s];\n"
                  "  }\n"
                  "  if (i == 0) lathe::atomic_add(out, part[0] * float(p.d));\n"
                  "}\n",
                  target, arch));
    jobs.push_back(kernelJob("LATHE_KERNEL void broken(int* p) { *p = missing; }\n", target, arch));
  }
  return jobs;
}

TEST(Determinism, SameJobTwice) {
  const Compiler first = makeCompiler(), second = makeCompiler();
  for (const Job& job : variedJobs()) {
    const std::string expected = outcome(first.compile(job));
    EXPECT_EQ(outcome(first.compile(job)), expected) << describe(job);
    EXPECT_EQ(outcome(second.compile(job)), expected) << describe(job);
  }
}

/// A target machine that served other modules before leaves nothing of them in the next one; nor does one that follows
/// it when it has served long enough.
TEST(Determinism, MachinesServeOneCompileAfterAnother) {
  const std::string plain = "LATHE_KERNEL void after(float* p) { p[lathe::global_id().x] *= 2; }\n";
  const std::string calls =
      "[[gnu::noinline]] float squared(float x) { return x * x + 1; }\n"
      "LATHE_KERNEL void after(float* p) { p[0] = squared(p[1]) + squared(p[2]); }\n";
  const std::string shared =
      "LATHE_KERNEL void between(double* p) {\n"
      "  LATHE_SHARED double part[32];\n"
      "  part[lathe::item_id().x & 31] = p[lathe::global_id().x];\n"
      "  lathe::barrier();\n"
      "  p[lathe::global_id().x] = part[31 - (lathe::item_id().x & 31)] / 3;\n"
      "}\n";
  for (const auto& [target, arch] : std::initializer_list<std::pair<const char*, const char*>>{
           {"cpu", "x86-64-v3"}, {"cuda", "sm_90"}, {"amdgpu", "gfx1100"}}) {
    for (const auto& [format, body] : {std::pair{"asm", plain}, {"image", plain}, {"asm", calls}}) {
      Job job = kernelJob(body, target, arch), other = kernelJob(shared, target, arch);
      job.emit = format;
      const std::string expected = outcome(makeCompiler().compile(job));
      EXPECT_NE(expected.substr(0, 6), "error:") << expected;
      const Compiler compiler = makeCompiler();
      for (int i = 0; i < 70; ++i) {
        if (i % 8 == 0) (void)outcome(compiler.compile(other));
        ASSERT_EQ(outcome(compiler.compile(job)), expected) << describe(job) << ", compile " << i;
      }
    }
  }
}

TEST(Determinism, WorkerAndInProcessAgree) {
  const Compiler compiler = makeCompiler();
  const CompileRequest worker{.timeStages = false, .dumpAfter = {}, .replaceAt = {}, .isolation = Isolation::worker};
  for (const Job& job : variedJobs())
    EXPECT_EQ(outcome(compiler.compile(job, worker)), outcome(compiler.compile(job))) << describe(job);
}

TEST(Determinism, ThreadsAgreeWithSerial) {
  const Compiler compiler = makeCompiler();
  const std::vector<Job> jobs = variedJobs();
  std::vector<std::string> serial, parallel(jobs.size() * 4);
  for (const Job& job : jobs) serial.push_back(outcome(compiler.compile(job)));
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      // Each thread starts elsewhere, so that different targets meet.
      for (std::size_t k = 0; k < jobs.size(); ++k) {
        const std::size_t i = (k + thread * 4) % jobs.size();
        parallel[thread * jobs.size() + i] = outcome(compiler.compile(jobs[i]));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < parallel.size(); ++i)
    EXPECT_EQ(parallel[i], serial[i % jobs.size()]) << describe(jobs[i % jobs.size()]);
}

/// The working folder and where a header lies are not in the result, unless debug information asks for paths.
TEST(Determinism, FoldersDoNotShow) {
  const Compiler compiler = makeCompiler();
  const std::filesystem::path root =
      std::filesystem::path(testing::TempDir()) / ("lathe-folders-" + std::to_string(getpid()));
  const std::filesystem::path previous = std::filesystem::current_path();
  std::vector<std::string> outcomes;
  for (const char* name : {"one", "another_longer_name"}) {
    const std::filesystem::path folder = root / name;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "factor.h") << "constexpr int factor = 3;\n";
    std::filesystem::current_path(folder);
    Job job = kernelJob("#include \"factor.h\"\nLATHE_KERNEL void scale(int* data) { *data *= factor; }\n");
    job.options.includeDirs = {"."};
    outcomes.push_back(outcome(compiler.compile(job)));
  }
  std::filesystem::current_path(previous);
  std::filesystem::remove_all(root);
  EXPECT_NE(outcomes[0].substr(0, 6), "error:") << outcomes[0];
  EXPECT_EQ(outcomes[0], outcomes[1]);
}

double residentKiB() {
  std::ifstream status("/proc/self/statm");
  double total = 0, resident = 0;
  status >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1024;
}

/// The slope is printed, not judged: allocators keep what they like. A compile that keeps its module fails by far.
TEST(Memory, GrowthOverManyCompiles) {
  const Compiler compiler = makeCompiler();
  const auto compileSome = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      ASSERT_TRUE(compiler.compile(kernelJob(
          "LATHE_KERNEL void k" + std::to_string(i) + "(int* p) { *p += " + std::to_string(i) + "; }\n", "cuda")));
    }
  };
  compileSome(0, 100);
  const double before = residentKiB();
  compileSome(100, 500);
  const double slope = (residentKiB() - before) / 400;
  std::printf("resident memory grows by %.3f KiB a compile\n", slope);
  RecordProperty("kib_per_compile", std::to_string(slope));
  EXPECT_LT(slope, 64);
}

}  // namespace
}  // namespace lathe::test
