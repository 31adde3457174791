// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each input of a compile, changed alone, misses; nothing else does. The oracle is a compiler without a cache.
#include <unistd.h>

#include <functional>
#include <set>
#include <span>

#include <nlohmann/json.hpp>

#include "cache_fixture.h"
#include "jobs.h"

namespace lathe::test {
namespace {

class CacheKey : public CacheTest {
 protected:
  CacheKey() { write(header("factor.h"), "#define FACTOR 2\n"); }
};

TEST_F(CacheKey, ASecondProcessIsServedWhatACompileGives) {
  for (const char* const target : {"cpu", "cuda", "amdgpu", "spirv", "object", "null"}) {
    const Compiler first = make();
    const auto compiled = first.compile(job(target));
    ASSERT_TRUE(compiled) << compiled.error().render();
    EXPECT_EQ(compiled->origin, CacheOrigin::compiled) << target;
    const auto remembered = first.compile(job(target));
    EXPECT_EQ(remembered->origin, CacheOrigin::memory) << target;
    const auto read = make().compile(job(target));
    EXPECT_EQ(read->origin, CacheOrigin::disk) << target;
    const std::string expected = outcome(makeUncached().compile(job(target)));
    EXPECT_EQ(outcome(compiled), expected) << target;
    EXPECT_EQ(outcome(remembered), expected) << target;
    EXPECT_EQ(outcome(read), expected) << target;
  }
}

/// The paths of a job's JSON that `changes` do not reach. Lists are one place, whatever is in them.
std::set<std::string> unreached(const Job& base, std::span<const std::function<void(Job&)>> changes) {
  const auto fieldOf = [](std::string path) {
    const std::size_t last = path.rfind('/');
    const bool isElement = path.find_first_not_of("0123456789-", last + 1) == std::string::npos;
    return isElement ? path.substr(0, last) : path;
  };
  const auto before = nlohmann::json::parse(toJson(base));
  std::set<std::string> out;
  const auto fields = before.flatten();
  for (const auto& [path, value] : fields.items()) out.insert(fieldOf(path));
  for (const auto& change : changes) {
    Job changed = base;
    change(changed);
    for (const auto& difference : nlohmann::json::diff(before, nlohmann::json::parse(toJson(changed)))) {
      const std::string path = difference["path"];
      std::erase_if(out, [&](const std::string& field) {
        return fieldOf(path) == field || path == field || path.starts_with(field + "/");
      });
    }
  }
  return out;
}

TEST_F(CacheKey, EveryFieldOfTheJobIsInIt) {
  Job base = job();
  base.source.text += "LATHE_KERNEL void shift(int* data, int by) { data[lathe::global_id().x] += by; }\n";
  EXPECT_EQ(originOf(base), CacheOrigin::compiled);
  const std::function<void(Job&)> changes[] = {
      [](Job& job) { job.source.text += "// more\n"; },
      [](Job& job) { job.source.name = "other.cpp"; },
      [](Job& job) { job.source.dialect = "kernel"; },
      [](Job& job) { job.furtherSources = {{.name = "more.cpp", .text = "int more;", .dialect = ""}}; },
      [](Job& job) { job.headers = {{"unused.h", ""}}; },
      [](Job& job) { job.entries = {"twice"}; },
      [](Job& job) { job.target = "cuda"; },
      [](Job& job) { job.arch = "x86-64-v3"; },
      [](Job& job) { job.features = "+avx2"; },
      [](Job& job) { job.emit = "ir"; },
      [](Job& job) { job.options.optLevel = OptLevel::O1; },
      [](Job& job) { job.options.debugInfo = true; },
      [](Job& job) { job.options.fastMath = true; },
      [](Job& job) { job.options.contract = false; },
      [](Job& job) { job.options.flushDenormals = true; },
      [](Job& job) { job.options.approximateMath = true; },
      [](Job& job) { job.options.entryAbi = EntryAbi::bare; },
      [](Job& job) { job.options.checked = true; },
      [](Job& job) { job.options.coarsening = 2; },
      [](Job& job) { job.options.languageStandard = "c++17"; },
      [](Job& job) { job.options.defines = {"MORE"}; },
      [](Job& job) { job.options.undefines = {"MORE"}; },
      [](Job& job) { job.options.includeDirs.emplace_back("/nowhere"); },
      [](Job& job) { job.options.prefixMap = {"/nowhere=/there"}; },
      [](Job& job) { job.options.launchBounds.maxItems = 64; },
      [](Job& job) { job.options.launchBounds.minGroups = 2; },
      [](Job& job) { job.options.launchBounds.maxRegisters = 32; },
      [](Job& job) { job.options.launchBounds.groupSize = {64, 1, 1}; },
      [](Job& job) { job.options.promises.arguments = {{"by", "4"}}; },
      [](Job& job) { job.options.promises.noAlias = true; },
      [](Job& job) { job.options.promises.pointerAlign = 16; },
      [](Job& job) { job.options.parameters = {{"width", "4"}}; },
  };
  EXPECT_EQ(unreached(base, changes), std::set<std::string>{}) << "fields without a change in the list above";
  for (const auto& change : changes) {
    Job changed = base;
    change(changed);
    EXPECT_EQ(originOf(changed), CacheOrigin::compiled) << describe(changed) << ", change " << &change - changes;
    EXPECT_EQ(originOf(changed), CacheOrigin::disk) << describe(changed) << ", change " << &change - changes;
  }
  EXPECT_EQ(originOf(base), CacheOrigin::disk);
}

TEST_F(CacheKey, NothingElseIsInIt) {
  const std::string compiled = outcome(make().compile(job()));
  const auto expectServed = [&](const std::string& what, CompilerConfig changed, const CompileRequest& request = {}) {
    const auto result = make(std::move(changed)).compile(job(), request);
    EXPECT_EQ(outcome(result), compiled) << what;
    EXPECT_EQ(result->origin, CacheOrigin::disk) << what;
  };
  CompilerConfig changed = config();
  changed.isolation = Isolation::worker;
  expectServed("isolation", changed);
  changed.containCrashes = true;
  changed.workerProgram = "/nowhere";
  expectServed("crashes and the worker's program", changed);
  changed.cache.memoryBytes = 0;
  changed.cache.diskBytes = 1 << 30;
  expectServed("sizes", changed);
  changed.targetPath = {root_};  // which has no descriptor
  expectServed("a folder without descriptors", changed);
  CompileRequest request;
  request.isolation = Isolation::worker;
  request.timeLimit = std::chrono::minutes(3);
  request.durable = true;
  expectServed("the request", config(), request);
  std::filesystem::last_write_time(header("factor.h"), std::filesystem::file_time_type::clock::now());
  expectServed("a touched header", config());
  write(header("unused.h"), "");
  expectServed("a header beside it", config());
  for (const char* const name : {"HOME", "USER", "PWD", "LANG", "TZ", "TMPDIR", "COLUMNS", "XDG_CACHE_HOME", "CPATH"}) {
    const char* const before = std::getenv(name);
    const std::string kept = before ? before : "";
    ::setenv(name, root_.c_str(), 1);
    expectServed(name, config());
    before ? ::setenv(name, kept.c_str(), 1) : ::unsetenv(name);
  }
}

TEST_F(CacheKey, AHeaderCountsByItsText) {
  const std::string two = outcome(make().compile(job()));
  write(header("factor.h"), "#define FACTOR 3\n");
  EXPECT_EQ(originOf(job()), CacheOrigin::compiled);
  EXPECT_NE(outcome(make().compile(job())), two);
  expectFresh(job());
  write(header("factor.h"), "#define FACTOR 2\n");  // as it was, with another time
  EXPECT_EQ(originOf(job()), CacheOrigin::disk);
  EXPECT_EQ(outcome(make().compile(job())), two);
}

TEST_F(CacheKey, ARunningCompilerSeesAHeaderChange) {
  const Compiler compiler = make();
  const std::string two = outcome(compiler.compile(job()));
  write(header("factor.h"), "#define FACTOR 3\n");
  const auto three = compiler.compile(job());
  EXPECT_EQ(three->origin, CacheOrigin::compiled);
  EXPECT_EQ(outcome(three), outcome(makeUncached().compile(job())));
  write(header("factor.h"), "#define FACTOR 2\n");
  EXPECT_EQ(compiler.compile(job())->origin, CacheOrigin::memory);
  EXPECT_EQ(outcome(compiler.compile(job())), two);
}

TEST_F(CacheKey, WhatWasLookedForInVainCounts) {
  Job probing = job();
  probing.source.text = "#if __has_include(\"tuned.h\")\n#undef FACTOR\n#include \"tuned.h\"\n#endif\n";
  probing.source.text = "#include <lathe/device.h>\n#include \"factor.h\"\n" + probing.source.text + twice;
  EXPECT_EQ(originOf(probing), CacheOrigin::compiled);
  EXPECT_EQ(originOf(probing), CacheOrigin::disk);
  write(header("tuned.h"), "#define FACTOR 8\n");
  EXPECT_EQ(originOf(probing), CacheOrigin::compiled);
  expectFresh(probing);
  std::filesystem::remove(header("tuned.h"));
  EXPECT_EQ(originOf(probing), CacheOrigin::disk);
  expectFresh(probing);
}

TEST_F(CacheKey, AHeaderInAFolderSearchedBeforeCounts) {
  Job two = job();
  const auto before = root_ / "before";
  two.options.includeDirs.insert(two.options.includeDirs.begin(), before.string());
  EXPECT_EQ(originOf(two), CacheOrigin::compiled);
  std::filesystem::create_directory(before);
  EXPECT_NE(originOf(two), CacheOrigin::memory);  // a folder more: either is right
  write(before / "factor.h", "#define FACTOR 5\n");
  EXPECT_EQ(originOf(two), CacheOrigin::compiled);
  expectFresh(two);
}

TEST_F(CacheKey, AFileInPlaceOfAFolderCounts) {
  Job two = job();
  const auto before = root_ / "before";
  two.options.includeDirs.insert(two.options.includeDirs.begin(), before.string());
  std::filesystem::create_directories(before / "factor.h");
  EXPECT_EQ(originOf(two), CacheOrigin::compiled);
  EXPECT_EQ(originOf(two), CacheOrigin::disk);
  std::filesystem::remove(before / "factor.h");
  EXPECT_EQ(originOf(two), CacheOrigin::disk);  // nothing, where nothing of use was
  write(before / "factor.h", "#define FACTOR 5\n");
  EXPECT_EQ(originOf(two), CacheOrigin::compiled);
  expectFresh(two);
}

TEST_F(CacheKey, EmbeddedFilesBesideTheSourceAreThoseOfItsPlace) {
  Job embedding = job();
  embedding.source.text =
      "#include <lathe/device.h>\nconst unsigned char bytes[] = {\n#embed \"bytes.bin\"\n};\n"
      "LATHE_KERNEL void first(int* out) { *out = bytes[0]; }\n";
  const auto start = std::filesystem::current_path();
  for (const auto& [place, byte] : {std::pair("one", "A"), std::pair("two", "B")}) {
    std::filesystem::create_directory(root_ / place);
    std::filesystem::current_path(root_ / place);
    write("twice.cpp", embedding.source.text);
    write("bytes.bin", byte);
    EXPECT_EQ(originOf(embedding), CacheOrigin::compiled) << place;
    expectFresh(embedding);
    EXPECT_EQ(originOf(embedding), CacheOrigin::disk) << place;
  }
  std::filesystem::current_path(start);
}

TEST_F(CacheKey, ALinkInPlaceOfACopyCounts) {
  Job both = job();
  both.source.text = std::string("#include <lathe/device.h>\n#include \"a.h\"\n#include \"b.h\"\n") + twice;
  const std::string text =
      "#pragma once\n#ifdef FACTOR\n#undef FACTOR\n#define FACTOR 4\n#else\n#define FACTOR 2\n#endif\n";
  write(header("a.h"), text);
  write(header("b.h"), text);
  EXPECT_EQ(originOf(both), CacheOrigin::compiled);
  std::filesystem::remove(header("b.h"));
  std::filesystem::create_symlink("a.h", header("b.h"));
  EXPECT_EQ(originOf(both), CacheOrigin::compiled);
  expectFresh(both);
}

TEST_F(CacheKey, ATreeThatMovedIsServedByRelativeNames) {
  Job relative = job();
  relative.options.includeDirs = {"include"};
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(root_);
  EXPECT_EQ(originOf(relative), CacheOrigin::compiled);
  std::filesystem::create_directory(root_ / "moved");
  std::filesystem::rename(root_ / "include", root_ / "moved" / "include");
  std::filesystem::current_path(root_ / "moved");
  EXPECT_EQ(originOf(relative), CacheOrigin::disk);
  write("include/factor.h", "#define FACTOR 6\n");
  EXPECT_EQ(originOf(relative), CacheOrigin::compiled);
  relative.options.debugInfo = true;  // which names the working directory
  EXPECT_EQ(originOf(relative), CacheOrigin::compiled);
  std::filesystem::rename(root_ / "moved", root_ / "again");
  std::filesystem::current_path(root_ / "again");
  EXPECT_EQ(originOf(relative), CacheOrigin::compiled);
  std::filesystem::current_path(before);
}

TEST_F(CacheKey, DescriptorsAndLibrariesCount) {
  const auto targets = root_ / "targets";
  std::filesystem::create_directory(targets);
  CompilerConfig own = config();
  own.targetPath = {targets};
  const auto origin = [&] {
    const auto result = make(own).compile(job("mine"));
    EXPECT_TRUE(result) << result.error().render();
    return result ? result->origin : CacheOrigin::memory;
  };
  write(targets / "mine.yaml", "lathe: 1\nname: mine\nextends: cuda\n");
  EXPECT_EQ(origin(), CacheOrigin::compiled);
  EXPECT_EQ(origin(), CacheOrigin::disk);
  write(targets / "mine.yaml", "lathe: 1\nname: mine\nextends: cuda\nlimits: {shared_bytes: 1024}\n");
  EXPECT_EQ(origin(), CacheOrigin::compiled);
  write(targets / "mine.yaml", "lathe: 1\nname: mine\nextends: cuda\n");
  EXPECT_EQ(origin(), CacheOrigin::disk);
  ::setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
  EXPECT_EQ(origin(), CacheOrigin::compiled);
  ::unsetenv("SOURCE_DATE_EPOCH");
  own.variables["SOURCE_DATE_EPOCH"] = "1000000000";  // the same by the program
  EXPECT_EQ(origin(), CacheOrigin::disk);
  own.variables["SOURCE_DATE_EPOCH"] = "1000000001";
  EXPECT_EQ(origin(), CacheOrigin::compiled);
}

TEST_F(CacheKey, ContentsOfDeviceLibrariesCountAndNotTheirPaths) {
  // Kernels without mathematics take nothing from it; another library may still not give the same code.
  const auto origin = [&](const std::string& name, const std::string& text) {
    write(root_ / name, text);
    ::setenv("LATHE_LIBDEVICE", (root_ / name).c_str(), 1);
    const CacheOrigin out = originOf(job("cuda"));
    ::unsetenv("LATHE_LIBDEVICE");
    return out;
  };
  EXPECT_EQ(origin("first.bc", "one"), CacheOrigin::compiled);
  EXPECT_EQ(origin("first.bc", "one"), CacheOrigin::disk);
  EXPECT_EQ(origin("first.bc", "two"), CacheOrigin::compiled);
  EXPECT_EQ(origin("second.bc", "one"), CacheOrigin::disk);
}

TEST_F(CacheKey, ToolsOfOthersCount) {
  const auto tools = root_ / "toolkit" / "bin";
  std::filesystem::create_directories(tools);
  ::setenv("CUDA_HOME", (root_ / "toolkit").c_str(), 1);
  Job cubin = job("cuda");
  cubin.emit = "cubin";
  cubin.options.optLevel = OptLevel::O2;  // by ptxas, also where nvJitLink is there
  const auto origin = [&](const std::string& version) {
    write(tools / "ptxas", "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\necho " + version + " > \"$2\"\n");
    std::filesystem::permissions(tools / "ptxas", std::filesystem::perms(0700));
    return originOf(cubin);
  };
  EXPECT_EQ(origin("first"), CacheOrigin::compiled);
  EXPECT_EQ(originOf(cubin), CacheOrigin::disk);
  EXPECT_EQ(origin("another"), CacheOrigin::compiled);
  cubin.emit = "ptx";  // without ptxas
  EXPECT_EQ(origin("third"), CacheOrigin::compiled);
  EXPECT_EQ(origin("fourth"), CacheOrigin::disk);
  ::unsetenv("CUDA_HOME");
}

TEST_F(CacheKey, GivenVariablesStandBeforeTheEnvironment) {
  const auto toolkit = [&](const std::string& name) {
    const auto bin = root_ / name / "bin";
    std::filesystem::create_directories(bin);
    write(bin / "ptxas", "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\necho made by " + name + " > \"$2\"\n");
    std::filesystem::permissions(bin / "ptxas", std::filesystem::perms(0700));
    return (root_ / name).string();
  };
  Job cubin = job("cuda");
  cubin.emit = "cubin";
  cubin.options.optLevel = OptLevel::O2;
  ::setenv("CUDA_HOME", toolkit("environment").c_str(), 1);
  CompilerConfig own = config();
  const auto made = [&](const CompilerConfig& chosen, CacheOrigin origin) {
    const auto result = make(chosen).compile(cubin);
    EXPECT_TRUE(result) << result.error().render();
    if (!result) return std::string();
    EXPECT_EQ(result->origin, origin);
    return std::string(reinterpret_cast<const char*>(result->image.code().front().bytes.data()), 12);
  };
  EXPECT_EQ(made(own, CacheOrigin::compiled), "made by envi");
  own.variables = {{"CUDA_HOME", toolkit("given")}};
  EXPECT_EQ(made(own, CacheOrigin::compiled), "made by give");
  EXPECT_EQ(made(own, CacheOrigin::disk), "made by give");
  EXPECT_EQ(made(config(), CacheOrigin::disk), "made by envi");
  // In another process too, and for descriptors.
  CompilerConfig worker = own;
  worker.isolation = Isolation::worker;
  worker.cache.enabled = false;
  std::filesystem::create_directories(root_ / "targets");
  write(root_ / "targets" / "mine.yaml", "lathe: 1\nname: mine\nextends: cuda\n");
  cubin.target = "mine";
  EXPECT_EQ(make(worker).compile(cubin).error().code, ErrorCode::UnknownTarget);
  worker.variables["LATHE_TARGET_PATH"] = (root_ / "targets").string();
  EXPECT_EQ(made(worker, CacheOrigin::compiled), "made by give");
  ::setenv("LATHE_TARGET_PATH", (root_ / "targets").c_str(), 1);
  worker.variables["LATHE_TARGET_PATH"].clear();
  EXPECT_EQ(make(worker).compile(cubin).error().code, ErrorCode::UnknownTarget) << "an empty one hides it";
  ::unsetenv("LATHE_TARGET_PATH");
  ::unsetenv("CUDA_HOME");
}

TEST_F(CacheKey, ResolversAreAskedAgain) {
  std::string text = "#define FACTOR 2\n";
  CompilerConfig resolving = config();
  resolving.headers = [&](std::string_view name) -> std::optional<std::string> {
    if (name == "factor.h") return text;
    return std::nullopt;
  };
  Job plain = job();
  plain.options.includeDirs.clear();
  const Compiler compiler = make(resolving);
  EXPECT_EQ(compiler.compile(plain)->origin, CacheOrigin::compiled);
  EXPECT_EQ(compiler.compile(plain)->origin, CacheOrigin::memory);
  text = "#define FACTOR 7\n";
  EXPECT_EQ(compiler.compile(plain)->origin, CacheOrigin::compiled);
  EXPECT_EQ(make(resolving).compile(plain)->origin, CacheOrigin::disk);
}

TEST_F(CacheKey, ErrorsOfTheSourceAreKeptAndNoOthers) {
  Job wrong = job();
  wrong.source.text += "int x = y;\n";
  const std::string said = outcome(make().compile(wrong));
  EXPECT_NE(said.find("'y'"), std::string::npos) << said;
  const auto before = stats();
  EXPECT_EQ(outcome(make().compile(wrong)), said);
  EXPECT_EQ(stats().diskHits, before.diskHits + 1);
  Job missing = job();
  missing.source.text += "#include \"later.h\"\n";
  EXPECT_FALSE(make().compile(missing));
  write(header("later.h"), "\n");
  EXPECT_EQ(originOf(missing), CacheOrigin::compiled);
  Job large = job("cuda");  // more than the target has: not the source's fault on another day
  large.arch = "sm_9999";
  EXPECT_FALSE(make().compile(large));
  const auto after = stats();
  EXPECT_FALSE(make().compile(large));
  EXPECT_EQ(stats().diskHits, after.diskHits);
}

TEST_F(CacheKey, WarningsComeWithTheImage) {
  Job warned = job();
  warned.source.text += "#warning \"take care\"\n";
  const auto first = make().compile(warned);
  const auto second = make().compile(warned);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->origin, CacheOrigin::disk);
  ASSERT_EQ(second->warnings.size(), 1U);
  EXPECT_EQ(second->warnings.front().message, first->warnings.front().message);
}

TEST_F(CacheKey, WatchedCompilesCompile) {
  (void)originOf(job());
  CompileRequest timed;
  timed.timeStages = true;
  const auto result = make().compile(job(), timed);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->origin, CacheOrigin::compiled);
  EXPECT_FALSE(result->times.empty());
}

TEST_F(CacheKey, TheDateIsFixedAndTimesOfFilesAreNotKept) {
  Job dated = job();
  dated.source.text += "LATHE_KERNEL void when(char* out) { out[0] = (__DATE__ __TIME__)[4]; }\n";
  EXPECT_EQ(originOf(dated), CacheOrigin::compiled);
  EXPECT_EQ(originOf(dated), CacheOrigin::disk);
  write(header("factor.h"), "#define FACTOR 2\ninline const char* changed() { return __TIMESTAMP__; }\n");
  EXPECT_EQ(originOf(job()), CacheOrigin::compiled);
  EXPECT_EQ(originOf(job()), CacheOrigin::compiled);
}

TEST_F(CacheKey, WhyMissNamesWhatDiffers) {
  const auto why = [&](const Job& asked) {
    const auto reasons = make().whyMiss(asked);
    EXPECT_TRUE(reasons) << reasons.error().render();
    std::string out;
    for (const std::string& reason : *reasons) out += reason + "\n";
    return out;
  };
  EXPECT_NE(why(job()).find("nothing of this source"), std::string::npos);
  (void)originOf(job());
  EXPECT_EQ(why(job()), "");
  Job changed = job();
  changed.options.optLevel = OptLevel::O1;
  EXPECT_EQ(why(changed), "options/optLevel: 'O1', there 'O3'\n");
  write(header("factor.h"), "#define FACTOR 3\n");
  EXPECT_NE(why(job()).find("factor.h: is changed or gone"), std::string::npos);
  write(header("factor.h"), "#define FACTOR 2\n");
  EXPECT_EQ(why(job()), "");
  CompilerConfig off = config();
  off.cache.enabled = false;
  EXPECT_FALSE(make(off).whyMiss(job()));
  Job timed = job();
  timed.source.name = "timed.cpp";
  timed.source.text += "#include <timed.h>\n";
  write(header("timed.h"), "inline const char* changed() { return __TIMESTAMP__; }\n");
  (void)originOf(timed);
  EXPECT_NE(why(timed).find("timed.h: has __TIMESTAMP__, so that no result is kept"), std::string::npos);
  CompilerConfig reading = config();
  reading.cache.readOnly = true;
  const auto reasons = make(reading).whyMiss(timed);
  ASSERT_TRUE(reasons);
  EXPECT_NE(reasons->back().find("is only read"), std::string::npos);
  // A list of files that was damaged, or is not the user's own, is there, and serves nobody.
  const auto list = [&] {
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder())) {
      if (file.path().extension() == ".i") return file.path();
    }
    return std::filesystem::path();
  };
  const auto kept = list();
  std::filesystem::permissions(kept, std::filesystem::perms(0666));
  EXPECT_NE(why(job()).find(kept.filename().string() + ": others may write to it"), std::string::npos);
  std::filesystem::remove(kept);
  std::filesystem::create_symlink(header("factor.h"), kept);
  EXPECT_NE(why(job()).find(kept.filename().string() + ": it is a link"), std::string::npos);
  std::filesystem::remove(kept);
  write(kept, "no entry");
  std::filesystem::permissions(kept, std::filesystem::perms(0600));
  EXPECT_NE(why(job()).find(kept.filename().string() + ": it was damaged"), std::string::npos);
}

}  // namespace
}  // namespace lathe::test
