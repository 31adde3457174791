// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs compiled together: the results of each alone, and one run of the front end where it sees the same. And images
// that do not depend on the folder they were made in.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "jobs.h"

namespace lathe::test {
namespace {

std::vector<Job> forAllTargets(const std::string& body, const std::string& dialect = {}) {
  std::vector<Job> out;
  for (const auto& [target, arch] :
       std::initializer_list<std::pair<const char*, const char*>>{{"cpu", "x86-64-v3"},
                                                                  {"cuda", "sm_80"},
                                                                  {"cuda", "sm_90"},
                                                                  {"amdgpu", "gfx1100"},
                                                                  {"spirv", ""},
                                                                  {"object", "x86-64-v3"}}) {
    out.push_back(kernelJob(body, target, arch));
    out.back().source.dialect = dialect;
  }
  out.push_back(out.front());
  out.back().emit = "portable";
  return out;
}

constexpr const char* lively = R"(
  struct P { char c; double d; };
  LATHE_CONSTANT float table[2] = {1, 2};
  template <class T> T shifted(const T* in, unsigned i) { return in[i] + in[i + 1] * T(3); }
  LATHE_KERNEL void sum(P p, const float* in, float* out) {
    LATHE_SHARED float part[64];
    const unsigned i = lathe::item_id().x & 63;
    part[i] = shifted(in, i) * table[i & 1];
    for (unsigned s = 32; s > 0; s /= 2) {
      lathe::barrier();
      if (i < s) part[i] += part[i + s];
    }
    if (i == 0) lathe::atomic_add(out, part[0] * float(p.d) + lathe::sin(p.d));
  }
  LATHE_KERNEL void fill(int* p, int v) { p[lathe::global_id().x] = v; })";

TEST(Together, GivesWhatEachGivesAlone) {
  const Compiler alone = makeCompiler(), together = makeCompiler();
  for (const bool debug : {false, true}) {
    for (const Isolation isolation : {Isolation::inProcess, Isolation::worker}) {
      auto jobs = forAllTargets(lively);
      for (Job& job : jobs) job.options.debugInfo = debug;
      CompileRequest request;
      request.isolation = isolation;
      const auto results = together.compileTogether(jobs, request);
      ASSERT_EQ(results.size(), jobs.size());
      for (std::size_t i = 0; i < jobs.size(); ++i)
        EXPECT_TRUE(outcome(results[i]) == outcome(alone.compile(jobs[i])))
            << describe(jobs[i]) << (debug ? " -g" : "");
    }
  }
}

TEST(Together, ReportsErrorsAndWarningsOfEach) {
  const Compiler compiler = makeCompiler();
  auto jobs = forAllTargets("#warning careful\nLATHE_KERNEL void bad(int* p) { *p = missing; }\n");
  for (const auto& result : compiler.compileTogether(jobs)) EXPECT_FALSE(result);
  jobs = forAllTargets("#warning careful\nLATHE_KERNEL void good(int* p) { *p = 1; }\n");
  jobs[1].target = "nowhere";
  const auto results = compiler.compileTogether(jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    ASSERT_EQ(static_cast<bool>(results[i]), i != 1);
    if (!results[i]) continue;
    EXPECT_EQ(results[i]->warnings.size(), 1U) << describe(jobs[i]);
  }
}

TEST(Together, ReadsASourceOnce) {
  std::atomic<int> asked = 0;
  CompilerConfig config;
  config.cache.enabled = false;
  config.headers = [&](std::string_view name) -> std::optional<std::string> {
    if (name != "counted.h") return std::nullopt;
    ++asked;
    return "#define VALUE 3\n";
  };
  const auto compiler = Compiler::create(std::move(config));
  ASSERT_TRUE(compiler);
  auto jobs = forAllTargets("#include \"counted.h\"\nLATHE_KERNEL void put(int* p) { *p = VALUE; }\n");
  std::erase_if(jobs, [](const Job& job) { return job.target == "spirv"; });  // in a worker, without the resolver
  ASSERT_TRUE(compiler->compile(jobs[0]));
  const int once = asked.exchange(0);
  for (const auto& result : compiler->compileTogether(jobs)) EXPECT_TRUE(result) << result.error().render();
  EXPECT_EQ(asked, once);
  // Another macro is another source.
  jobs[1].options.defines = {"OTHER"};
  asked = 0;
  (void)compiler->compileTogether(jobs);
  EXPECT_EQ(asked, 2 * once);
}

/// CUDA C++ sees the architecture in __CUDA_ARCH__: a source that has no use for its value is one for all of them.
TEST(Together, ReadsACudaSourceOnceForEachArchitectureThatItSees) {
  std::atomic<int> asked = 0;
  CompilerConfig config;
  config.cache.enabled = false;
  config.headers = [&](std::string_view name) -> std::optional<std::string> {
    if (name != "counted.h") return std::nullopt;
    ++asked;
    return "#define VALUE 3\n";
  };
  const auto compiler = Compiler::create(std::move(config));
  ASSERT_TRUE(compiler);
  const auto readsOf = [&](const std::string& text) {
    std::vector<Job> jobs;
    for (const auto& [target, arch] : std::initializer_list<std::pair<const char*, const char*>>{
             {"cuda", "sm_75"}, {"cuda", "sm_80"}, {"amdgpu", "gfx1100"}, {"cuda", "sm_90"}, {"cpu", "x86-64-v3"}}) {
      Job& job = jobs.emplace_back();
      job.source = {.name = "k.cu", .text = "#include \"counted.h\"\n" + text, .dialect = "cuda"};
      job.target = target;
      job.arch = arch;
    }
    std::vector<std::string> alone;
    for (const Job& job : jobs) alone.push_back(outcome(compiler->compile(job)));
    const int once = std::max(asked.exchange(0) / static_cast<int>(jobs.size()), 1);
    const auto results = compiler->compileTogether(jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      EXPECT_TRUE(results[i]) << results[i].error().render();
      EXPECT_TRUE(outcome(results[i]) == alone[i]) << describe(jobs[i]) << text;
    }
    return asked.exchange(0) / once;
  };
  EXPECT_EQ(readsOf("__global__ void put(int* p) { *p = VALUE; }\n"), 1);
  EXPECT_EQ(readsOf("#ifdef __CUDA_ARCH__\n__global__ void put(int* p) { *p = VALUE; }\n#endif\n"), 1);
  EXPECT_EQ(readsOf("__global__ void put(int* p) { *p = __CUDA_ARCH__; }\n"), 3) << "750, 800 thrice, 900";
  EXPECT_EQ(readsOf("#if __CUDA_ARCH__ >= 900\n#define V 4\n#else\n#define V 5\n#endif\n__global__ void put(int* p) { "
                    "*p = V; }\n"),
            2)
      << "750 and 800 are one";
  EXPECT_EQ(readsOf("#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ / 10 > 60 && \\\n __CUDA_ARCH__ < 2'000)\n"
                    "__global__ void put(int* p) { *p = 1; }\n#endif\n"),
            3)
      << "what is not understood";
  EXPECT_EQ(readsOf("#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ / 10 > 60 && \\\n __CUDA_ARCH__ < 2000)\n"
                    "__global__ void put(int* p) { *p = 1; }\n#endif\n"),
            1)
      << "true for all";
  EXPECT_EQ(readsOf("#if __CUDA_ARCH__ < 800\n#define V 1\n#elif __CUDA_ARCH__ < 900\n#define V 2\n#else\n#define V 3\n"
                    "#endif\n__global__ void put(int* p) { *p = V; }\n"),
            3);
  EXPECT_EQ(readsOf("#if __CUDA_ARCH__ >= 700\n__global__ void put(int* p) { *p = __CUDA_ARCH__; }\n#endif\n"), 3)
      << "compared and used";
  EXPECT_EQ(readsOf("#define A (__CUDA_ARCH__ >= 700)\n#if A\n__global__ void put(int* p) { *p = 1; }\n#endif\n"), 3)
      << "by another macro";
  EXPECT_EQ(readsOf("#define A __CUDA_ARCH__\n__global__ void put(int* p) { *p = A; }\n"), 3) << "through another";
  EXPECT_EQ(readsOf("#define A __CUDA_ARCH__\n__global__ void put(int* p) { *p = 1; }\n"), 1) << "which nobody uses";
  EXPECT_EQ(readsOf("#undef __CUDA_ARCH__\n#define __CUDA_ARCH__ 1\n__global__ void put(int* p) { *p = 2; }\n"), 1);
  EXPECT_EQ(
      readsOf(
          "#undef __CUDA_ARCH_LIST__\n#if __CUDA_ARCH__ - 800 < __CUDA_ARCH_LIST__\n#define V 1\n#else\n#define V 2\n"
          "#endif\n__global__ void put(int* p) { *p = V; }\n"),
      3)
      << "compared with another that the source changed";
}

TEST(PrefixMap, MakesImagesOfTwoFoldersEqual) {
  const Compiler compiler = makeCompiler();
  std::vector<std::vector<std::string>> images;
  std::string unmapped;
  for (const std::string name : {"one", "another"}) {
    const auto folder = std::filesystem::temp_directory_path() / ("lathe-map-" + std::to_string(::getpid()) + name);
    std::filesystem::create_directories(folder / "include");
    std::ofstream(folder / "include" / "where.h") << "inline const char* where() { return __FILE__; }\n";
    std::vector<std::string>& all = images.emplace_back();
    for (Job job : forAllTargets(
             "#include <assert.h>\n#include <stdio.h>\n#include \"where.h\"\nLATHE_KERNEL void k(int* p) { assert(*p); "
             "printf(\"%s %s\", where(), __FILE__); }\n")) {
      if (job.target == "spirv" || job.target == "object") continue;
      job.source.name = (folder / "kernel.cpp").string();
      job.options.includeDirs = {(folder / "include").string()};
      job.options.debugInfo = true;
      job.options.prefixMap = {"/=wrong", folder.string() + "=."};
      const auto result = compiler.compile(job);
      ASSERT_TRUE(result) << result.error().render();
      EXPECT_EQ(result->image.info().provenance.sourceName, "./kernel.cpp");
      EXPECT_EQ(outcome(result).find(name + "/"), std::string::npos) << describe(job);
      all.push_back(outcome(result));
      job.options.prefixMap.clear();
      unmapped = outcome(compiler.compile(job));
      EXPECT_NE(unmapped.find(folder.string()), std::string::npos) << "without a map the path is there";
      // Diagnostics say the path that there is.
      job.options.prefixMap = {folder.string() + "=."};
      job.source.text += "LATHE_KERNEL void bad(int* p) { *p = missing; }\n";
      EXPECT_NE(outcome(compiler.compile(job)).find(folder.string() + "/kernel.cpp:"), std::string::npos);
    }
    std::filesystem::remove_all(folder);
  }
  ASSERT_EQ(images[0].size(), images[1].size());
  for (std::size_t i = 0; i < images[0].size(); ++i) {
    EXPECT_TRUE(images[0][i] == images[1][i]) << "job " << i;
  }
}

TEST(PrefixMap, RefusesWhatIsNone) {
  const Compiler compiler = makeCompiler();
  for (const char* const map : {"/home", "=x", ""}) {
    Job job = kernelJob(goodKernel);
    job.options.prefixMap = {map};
    const auto result = compiler.compile(job);
    ASSERT_FALSE(result) << map;
    EXPECT_EQ(result.error().code, ErrorCode::InvalidArgument);
  }
}

}  // namespace
}  // namespace lathe::test
