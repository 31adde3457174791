// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs of several sources: separately compiled ones give the code of those compiled together, and caches, bundles and
// workers know all of them.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <lathe/bundle.h>

#include "jobs.h"

namespace lathe::test {
namespace {

constexpr const char* firstText = R"(#include <lathe/device.h>
#include "shared.h"
static int own(int x) { return x + base; }
int count;
LATHE_KERNEL void apply(const int* in, Pair* out) {
  const unsigned i = lathe::global_id().x;
  out[i] = {scaled(own(in[i])), table[i & 3]};
  count = 3;
}
)";
constexpr const char* secondText = R"(#include <lathe/device.h>
#include "shared.h"
static int own(int x) { return x * base; }
extern int count;
float table[4] = {1, 2, 4, 8};
int scaled(int x) { return own(x) + count; }
LATHE_KERNEL void other(int* p) { p[lathe::global_id().x] = own(2); }
template <class T> LATHE_KERNEL void fill(T* p, T value) { p[lathe::global_id().x] = value; }
)";

/// Two sources and the header of both, in a folder that goes away with the object.
class Program {
 public:
  Program() : folder_(std::filesystem::path(testing::TempDir()) / ("lathe-program-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    writeHeader("7");
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { remove(); }
  void remove() const { std::filesystem::remove_all(folder_); }
  void writeHeader(const std::string& base) const {
    std::ofstream(folder_ / "shared.h") << "#pragma once\nstruct Pair { int first; float second; };\nextern float table[];\n"
                                           "int scaled(int x);\nconstexpr int base = " +
                                               base + ";\n";
  }
  Job job(const std::string& target, const std::string& arch = {}) const {
    Job out;
    out.source = {.name = "first.cpp", .text = firstText, .dialect = {}};
    out.furtherSources = {{.name = "second.cpp", .text = secondText, .dialect = {}}};
    out.target = target;
    out.arch = arch;
    out.options.includeDirs = {folder_.string()};
    return out;
  }
  std::filesystem::path folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

std::string bytesOf(const Image& image) {
  return {reinterpret_cast<const char*>(image.bytes().data()), image.bytes().size()};
}

/// All code of an image; what it was made of may have other names.
std::string codeOf(const Result<CompileResult>& result) {
  if (!result) return "error: " + result.error().render();
  std::string out;
  for (const Code& code : result->image.code()) out += std::string(reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size());
  return out;
}

constexpr std::pair<const char*, const char*> machines[] = {
    {"cpu", "x86-64-v3"}, {"cuda", "sm_80"}, {"amdgpu", "gfx1100"}, {"spirv", ""}};

TEST(Link, SeparatelyCompiledSourcesGiveTheCodeOfOneJob) {
  const Compiler compiler = makeCompiler();
  const Program program;
  for (const auto& [target, arch] : machines) {
    for (const OptLevel level : {OptLevel::O0, OptLevel::O3}) {
      Job direct = program.job(target, arch);
      direct.options.optLevel = level;
      Job separate = direct;
      for (Source* const source : {&separate.source, &separate.furtherSources[0]}) {
        Job one = direct;
        one.source = *source;
        one.furtherSources.clear();
        one.emit = "relocatable";
        const auto made = compiler.compile(one);
        ASSERT_TRUE(made) << made.error().render();
        *source = {.name = source->name, .text = bytesOf(made->image), .dialect = "ir"};
      }
      const std::string expected = codeOf(compiler.compile(direct));
      ASSERT_NE(expected.substr(0, 6), "error:") << target << ": " << expected;
      EXPECT_TRUE(codeOf(compiler.compile(separate)) == expected) << describe(direct);
    }
  }
}

TEST(Link, NamedKernelsAreFoundInTheirSources) {
  const Compiler compiler = makeCompiler();
  const Program program;
  Job job = program.job("cuda", "sm_80");
  job.entries = {"fill<double>", "apply", "fill<int>"};
  const auto result = compiler.compile(job);
  ASSERT_TRUE(result) << result.error().render();
  const auto& entries = result->image.info().entries;
  ASSERT_EQ(entries.size(), 3U);
  for (std::size_t i = 0; i < entries.size(); ++i) EXPECT_EQ(entries[i].name, job.entries[i]);
  job.entries = {"fill<nonsense>"};
  const auto wrong = compiler.compile(job);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::UnknownKernel);
}

TEST(Link, WorkersAndCallsForManyTargetsGiveTheSame) {
  const Compiler compiler = makeCompiler();
  const Program program;
  std::vector<Job> jobs;
  for (const auto& [target, arch] : machines) jobs.push_back(program.job(target, arch));
  for (const Isolation isolation : {Isolation::inProcess, Isolation::worker}) {
    CompileRequest request;
    request.isolation = isolation;
    CompilerConfig config;
    config.workerProgram = LATHE_TEST_WORKER;
    config.cache.enabled = false;
    const auto uncached = Compiler::create(config);
    ASSERT_TRUE(uncached);
    const auto together = uncached->compileTogether(jobs, request);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      EXPECT_TRUE(outcome(together[i]) == outcome(compiler.compile(jobs[i]))) << describe(jobs[i]);
      ASSERT_TRUE(together[i]);
      EXPECT_EQ(together[i]->files, uncached->compile(jobs[i], request)->files) << describe(jobs[i]);
    }
  }
}

TEST(Link, ABundleReplaysWithoutTheFilesOfAnySource) {
  const Compiler compiler = makeCompiler();
  const Program program;
  const Job job = program.job("cpu", "x86-64-v3");
  const std::string expected = outcome(compiler.compile(job));
  const auto saved = compiler.bundle(job);
  ASSERT_TRUE(saved) << saved.error().render();
  EXPECT_EQ(saved->inputs.files.size(), 1U) << "the header, which both read, once";
  const auto bundle = bundleFromBytes(bundleBytes(*saved));
  ASSERT_TRUE(bundle) << bundle.error().render();
  program.remove();
  ASSERT_FALSE(compiler.compile(job));
  EXPECT_TRUE(outcome(compiler.replay(*bundle)) == expected);
}

TEST(Link, TheCacheKnowsEverySource) {
  ::unsetenv("LATHE_CACHE");
  const Program program;
  CompilerConfig config;
  config.workerProgram = LATHE_TEST_WORKER;
  config.cache.folder = program.folder() / "cache";
  config.cache.memoryBytes = 0;
  const auto compiler = Compiler::create(std::move(config));
  ASSERT_TRUE(compiler);
  CompileRequest durable;
  durable.durable = true;
  const auto origin = [&](const Job& job) {
    const auto result = compiler->compile(job, durable);
    EXPECT_TRUE(result) << result.error().render();
    return result ? result->origin : CacheOrigin::remote;
  };
  const Job job = program.job("cuda", "sm_80");
  EXPECT_EQ(origin(job), CacheOrigin::compiled);
  EXPECT_EQ(origin(job), CacheOrigin::disk);
  Job changed = job;
  changed.furtherSources[0].text += "\n";
  EXPECT_EQ(origin(changed), CacheOrigin::compiled) << "the second source's text";
  changed = job;
  changed.furtherSources[0].name = "renamed.cpp";
  EXPECT_EQ(origin(changed), CacheOrigin::compiled) << "its name, which assert() and __FILE__ show";
  changed = job;
  std::swap(changed.source, changed.furtherSources[0]);
  EXPECT_EQ(origin(changed), CacheOrigin::compiled) << "the order, which is that of the kernels";
  program.writeHeader("8");
  EXPECT_EQ(origin(job), CacheOrigin::compiled) << "a header of both";
  program.writeHeader("7");
  EXPECT_EQ(origin(job), CacheOrigin::disk);
}

TEST(Link, JobsOfSeveralSourcesAreValues) {
  const Program program;
  const Job job = program.job("cpu");
  const auto read = jobFromBytes(canonicalBytes(job));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, job);
  const auto json = jobFromJson(toJson(job));
  ASSERT_TRUE(json) << json.error().render();
  EXPECT_EQ(*json, job);
  Job other = job;
  other.furtherSources.clear();
  EXPECT_NE(hashOf(other), hashOf(job));
  EXPECT_EQ(describe(job), "every kernel from first.cpp + second.cpp for cpu at O3");
}

/// What no linker can join, at its places.
TEST(Link, ReportsContradictions) {
  const Compiler compiler = makeCompiler();
  const auto attempt = [&](const std::string& one, const std::string& two, const std::string& target = "cpu") {
    Job job = kernelJob(one + "\nLATHE_KERNEL void a(int* p) { *p = use(*p); }\n", target);
    job.source.name = "one.cpp";
    job.furtherSources = {{.name = "two.cpp", .text = "#include <lathe/device.h>\n" + two + "\n", .dialect = {}}};
    const auto result = compiler.compile(job);
    return result ? "compiled" : result.error().message;
  };
  EXPECT_EQ(attempt("int use(int);", "int use(int x) { return x; }"), "compiled");
  EXPECT_EQ(attempt("int use(int x) { return x; }", "int use(int x) { return x + 1; }"),
            "'use(int)' is defined in one.cpp and in two.cpp");
  EXPECT_EQ(attempt("inline int use(int x) { return x; }", "inline int use(int x) { return x; }\nLATHE_KERNEL void b(int* p) { *p = use(1); }"),
            "compiled");
  EXPECT_EQ(attempt("static int use(int x) { return x; }", "int use(int x) { return x; }"), "compiled");
  EXPECT_EQ(attempt("extern int v; int use(int x) { return v + x; }", "float v = 1;"),
            "'v' has type i32 in one.cpp and float in two.cpp");
  EXPECT_EQ(attempt("extern int v[]; int use(int x) { return v[x]; }", "int v[3] = {1, 2, 3};"), "compiled");
  EXPECT_EQ(attempt("extern int v[2]; int use(int x) { return v[x]; }", "int v[3] = {1, 2, 3};"),
            "'v' has type [2 x i32] in one.cpp and [3 x i32] in two.cpp");
  EXPECT_EQ(attempt("extern \"C\" int v(int); int use(int x) { return v(x); }", "extern \"C\" { int v = 1; }"),
            "'v' is a function in one.cpp and a variable in two.cpp");
  EXPECT_EQ(attempt("struct S { int a; float b; }; extern S v; int use(int x) { return v.a + x; }",
                    "struct T { int c; float d; }; T v = {1, 2};"),
            "compiled");
  EXPECT_EQ(attempt("int use(int x);", "int another;"), "'use(int)' is called but nothing defines it");
  EXPECT_EQ(attempt("extern int v; int use(int x) { return v + x; }", "int another;"),
            "variable 'v' is used but nothing defines it");
}

TEST(Link, RefusesWhatIsNoSource) {
  const Compiler compiler = makeCompiler();
  const Program program;
  Job job = program.job("cpu");
  job.furtherSources[0] = {.name = "second.bc", .text = "BC\xC0\xDE, and then nothing", .dialect = {}};
  auto result = compiler.compile(job);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidModule);
  EXPECT_NE(result.error().message.find("second.bc"), std::string::npos) << result.error().render();
  job.furtherSources[0] = {.name = "second.ll", .text = "target datalayout = \"E-p:32:32\"\n", .dialect = "ir"};
  result = compiler.compile(job);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::PortableRule) << result.error().render();
  job.furtherSources[0] = {.name = "second.cpp", .text = secondText, .dialect = "no-such"};
  result = compiler.compile(job);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidArgument) << result.error().render();
  // An image of code cannot be compiled again.
  Job one = program.job("cpu");
  one.furtherSources[0].text = "#include <lathe/device.h>\n#include \"shared.h\"\nextern int count;\nfloat table[4]; int scaled(int x) { return x + count; }\n";
  const auto made = compiler.compile(one);
  ASSERT_TRUE(made) << made.error().render();
  job.furtherSources[0] = {.name = "second.limg", .text = bytesOf(made->image), .dialect = {}};
  result = compiler.compile(job);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidModule) << result.error().render();
}

}  // namespace
}  // namespace lathe::test
