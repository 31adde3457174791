// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job bundles: a replay without the original files gives the same bytes, and every damaged bundle is refused.
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <lathe/bundle.h>

#include "jobs.h"

namespace lathe::test {
namespace {

/// A project on disk that goes away with the object.
class Project {
 public:
  Project() : root_(std::filesystem::path(testing::TempDir()) / ("lathe-bundle-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_ / "include" / "deep");
    write("include/scale.h", "#pragma once\n#include \"deep/factor.h\"\nconstexpr int scale = factor * 2;\n");
    write("include/deep/factor.h", "constexpr int factor = 21;\n");
    write("include/probed.h", "");
    std::filesystem::create_symlink("scale.h", root_ / "include" / "also_scale.h");
  }
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;
  ~Project() { remove(); }
  void remove() const { std::filesystem::remove_all(root_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(root_ / name) << text; }
  std::string path(const std::string& name) const { return (root_ / name).string(); }

  /// Includes a header by two names, probes one that is there and one that is not.
  Job job(const std::string& target, const std::string& arch) const {
    Job out = kernelJob(
        "#include \"scale.h\"\n"
        "#include \"also_scale.h\"\n"
        "#include \"given.h\"\n"
        "#if !__has_include(\"probed.h\") || __has_include(\"absent.h\")\n"
        "#error probes\n"
        "#endif\n"
        "LATHE_KERNEL void k(float* p) { p[0] = __builtin_sinf(p[1]) * scale + given; }\n",
        target, arch);
    out.headers = {{"given.h", "constexpr int given = 1;\n"}};
    out.options.includeDirs = {path("include")};
    return out;
  }

 private:
  std::filesystem::path root_;
};

JobBundle bundleOf(const Compiler& compiler, const Job& job, const CompileRequest& request = {}) {
  auto bundle = compiler.bundle(job, request);
  if (!bundle) {
    ADD_FAILURE() << bundle.error().render();
    return {};
  }
  return *std::move(bundle);
}

TEST(Bundle, ReplaysWithoutTheOriginalFiles) {
  const Compiler compiler = makeCompiler();
  for (const auto& [target, arch] : std::initializer_list<std::pair<const char*, const char*>>{
           {"cpu", ""}, {"cpu", "x86-64-v3"}, {"cuda", "sm_90"}, {"amdgpu", "gfx1100"}, {"cpu", "native"}}) {
    const Project project;
    const Job job = project.job(target, arch);
    const std::string expected = outcome(compiler.compile(job));
    ASSERT_NE(expected.substr(0, 6), "error:") << expected;
    const std::string bytes = bundleBytes(bundleOf(compiler, job));
    project.remove();
    ASSERT_FALSE(compiler.compile(job));
    const auto bundle = bundleFromBytes(bytes);
    ASSERT_TRUE(bundle) << bundle.error().render();
    EXPECT_EQ(versionDifference(*bundle), "");
    for (const Isolation isolation : {Isolation::inProcess, Isolation::worker}) {
      CompileRequest request;
      request.isolation = isolation;
      const auto replayed = compiler.replay(*bundle, request);
      EXPECT_EQ(outcome(replayed), expected) << target;
      ASSERT_TRUE(replayed);
      EXPECT_EQ(hashOf(replayed->image), bundle->imageHash);
    }
  }
}

/// The time that a build gives its sources is an input like any other.
TEST(Bundle, KeepsTheTimeOfTheBuild) {
  Job job;
  job.source = {"dated.cpp", "#include <lathe/device.h>\nLATHE_KERNEL void dated(char* out) { *out = __DATE__[10]; }", {}};
  job.target = "null";
  job.emit = "ir";
  const auto compilerAt = [](const char* epoch) {
    CompilerConfig config;
    config.workerProgram = LATHE_TEST_WORKER;
    if (epoch) config.variables["SOURCE_DATE_EPOCH"] = epoch;
    return *Compiler::create(std::move(config));
  };
  const Compiler of2001 = compilerAt("1000000000"), of1970 = compilerAt(nullptr);
  const std::string expected = outcome(of2001.compile(job));
  EXPECT_NE(expected, outcome(of1970.compile(job)));
  ::setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
  EXPECT_EQ(outcome(of1970.compile(job)), expected);
  ::unsetenv("SOURCE_DATE_EPOCH");
  const auto bundle = bundleFromBytes(bundleBytes(bundleOf(of2001, job)));
  ASSERT_TRUE(bundle) << bundle.error().render();
  EXPECT_EQ(outcome(of1970.replay(*bundle)), expected);
  const auto undated = bundleFromBytes(bundleBytes(bundleOf(of1970, job)));
  ASSERT_TRUE(undated) << undated.error().render();
  EXPECT_EQ(outcome(of2001.replay(*undated)), outcome(of1970.compile(job)));
}

/// Debug information names the folder of the first compile, wherever the second one runs.
TEST(Bundle, ReplaysFromAnotherFolder) {
  const Project project;
  const Compiler compiler = makeCompiler();
  const auto before = std::filesystem::current_path();
  Job job = project.job("cuda", "sm_80");
  job.options.debugInfo = true;
  job.options.includeDirs = {"include"};
  std::filesystem::current_path(project.path("."));
  const std::string expected = outcome(compiler.compile(job));
  const JobBundle bundle = bundleOf(compiler, job);
  std::filesystem::current_path(before);
  project.remove();
  EXPECT_NE(expected.substr(0, 6), "error:") << expected;
  EXPECT_EQ(outcome(compiler.replay(bundle)), expected);
}

TEST(Bundle, EqualCompilesGiveEqualBytes) {
  const Project project;
  const Compiler first = makeCompiler(), second = makeCompiler();
  const Job job = project.job("cpu", "x86-64-v3");
  CompileRequest worker;
  worker.isolation = Isolation::worker;
  const std::string bytes = bundleBytes(bundleOf(first, job));
  EXPECT_EQ(bundleBytes(bundleOf(first, job)), bytes);
  EXPECT_EQ(bundleBytes(bundleOf(second, job, worker)), bytes);
  const auto read = bundleFromBytes(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(bundleBytes(*read), bytes);
}

TEST(Bundle, HoldsWhatWasReadAndNothingBuiltIn) {
  const Project project;
  const JobBundle bundle = bundleOf(makeCompiler(), project.job("cpu", "x86-64-v3"));
  std::vector<std::string> names;
  for (const InputFile& file : bundle.inputs.files) {
    names.push_back(std::filesystem::path(file.path).filename());
    EXPECT_EQ(file.sameAs.empty(), file.path != project.path("include/also_scale.h")) << file.path;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"scale.h", "factor.h", "also_scale.h", "probed.h"}));
  ASSERT_EQ(bundle.inputs.descriptors.size(), 1U);
  EXPECT_EQ(bundle.inputs.descriptors[0].origin, "built in");
  for (const InputLibrary& library : bundle.inputs.libraries) EXPECT_EQ(library.path.empty(), library.bytes.empty());
}

TEST(Bundle, KeepsDescriptorsOfFilesAndTheirBases) {
  const Project project;
  std::filesystem::create_directories(project.path("targets"));
  project.write("targets/mine.yaml", "lathe: 1\nname: mine\nextends: cpu\narchitectures: {default: x86-64-v2}\n");
  CompilerConfig config;
  config.targetPath = {project.path("targets")};
  auto compiler = Compiler::create(std::move(config));
  ASSERT_TRUE(compiler);
  const Job job = project.job("mine", "");
  const std::string expected = outcome(compiler->compile(job));
  const JobBundle bundle = bundleOf(*compiler, job);
  ASSERT_EQ(bundle.inputs.descriptors.size(), 2U);
  EXPECT_EQ(bundle.inputs.descriptors[0].name, "cpu");
  EXPECT_EQ(bundle.inputs.descriptors[1].name, "mine");
  project.remove();
  EXPECT_EQ(outcome(makeCompiler().replay(bundle)), expected);  // a compiler that never heard of it
}

TEST(Bundle, AFailingCompileReplaysItsError) {
  const Project project;
  Job job = project.job("cpu", "");
  job.source.text += "#include \"scale.h\"\nint broken = scale + missing;\n";
  const Compiler compiler = makeCompiler();
  const auto expected = compiler.compile(job);
  ASSERT_FALSE(expected);
  std::optional<Error> failure;
  const auto bundle = compiler.bundle(job, {}, &failure);
  ASSERT_TRUE(bundle);
  ASSERT_TRUE(failure);
  EXPECT_EQ(*failure, expected.error());
  EXPECT_EQ(bundle->failure, "source-error");
  EXPECT_TRUE(bundle->imageHash.empty());
  project.remove();
  const auto replayed = compiler.replay(*bundle);
  ASSERT_FALSE(replayed);
  EXPECT_EQ(replayed.error(), expected.error());
}

/// The compile takes its process with it; what it read is in the bundle all the same.
TEST(Bundle, ACrashingCompileMakesOneToo) {
  const Project project;
  Job job = project.job("cpu", "");
  job.source.text += "#pragma clang __debug parser_crash\n";
  CompileRequest request;
  request.isolation = Isolation::worker;
  const Compiler compiler = makeCompiler();
  const JobBundle bundle = bundleOf(compiler, job, request);
  EXPECT_EQ(bundle.failure, "compiler-crash");
  EXPECT_EQ(bundle.inputs.files.size(), 4U);
  project.remove();
  const auto replayed = compiler.replay(bundle, request);
  ASSERT_FALSE(replayed);
  EXPECT_EQ(replayed.error().code, ErrorCode::CompilerCrash);
}

TEST(Bundle, AnUnknownTargetIsAnError) {
  const auto bundle = makeCompiler().bundle(kernelJob(goodKernel, "nowhere"));
  ASSERT_FALSE(bundle);
  EXPECT_EQ(bundle.error().code, ErrorCode::UnknownTarget);
}

class DamagedBundle : public testing::Test {
 protected:
  void SetUp() override { bytes_ = bundleBytes(bundleOf(makeCompiler(), kernelJob(goodKernel))); }
  static void expect(const std::string& bytes, ErrorCode code, const std::string& part) {
    const auto bundle = bundleFromBytes(bytes);
    ASSERT_FALSE(bundle);
    EXPECT_EQ(bundle.error().code, code) << bundle.error().render();
    EXPECT_NE(bundle.error().message.find(part), std::string::npos) << bundle.error().message;
    EXPECT_FALSE(bundle.error().hint.empty());
  }
  std::string bytes_;
};

TEST_F(DamagedBundle, TruncatedIsRefused) {
  for (std::size_t kept = 0; kept < bytes_.size(); kept += kept < 64 ? 1 : 61)
    expect(bytes_.substr(0, kept), ErrorCode::ImageCorrupt, "truncated after " + std::to_string(kept) + " bytes");
}

TEST_F(DamagedBundle, ChangedIsRefused) {
  for (std::size_t at = 20; at < bytes_.size(); at += 13) {
    std::string changed = bytes_;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    expect(changed, ErrorCode::ImageCorrupt, "the checksum does not match");
  }
}

TEST_F(DamagedBundle, NewerIsRefused) {
  bytes_[8] = 9;
  expect(bytes_, ErrorCode::ImageVersion, "format version 9 is newer than this library's 1");
}

TEST_F(DamagedBundle, OtherFilesAreRefused) {
  expect("not a bundle at all", ErrorCode::ImageCorrupt, "not a job bundle");
  expect(bytes_ + "more", ErrorCode::ImageCorrupt, "bytes follow its end");
}

TEST_F(DamagedBundle, FilesNameThePath) {
  const std::string path = testing::TempDir() + "/damaged.lathejob";
  std::ofstream(path) << bytes_.substr(0, 30);
  const auto bundle = loadBundle(path);
  ASSERT_FALSE(bundle);
  EXPECT_NE(bundle.error().message.find(path), std::string::npos);
  const auto missing = loadBundle(testing::TempDir() + "/missing.lathejob");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::FileUnreadable);
}

}  // namespace
}  // namespace lathe::test
