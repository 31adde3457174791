// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkouts of one project in several folders share results where a prefix map makes their images the same, and only
// there. The oracle is a compiler without a cache.
#include <filesystem>
#include <functional>

#include "cache_fixture.h"

namespace lathe::test {
namespace {

class CachePlaces : public CacheTest {
 protected:
  /// A checkout of the project: a header, one that includes it by a path, and a folder that was searched in vain.
  std::filesystem::path checkout(const std::string& name, const std::string& factor = "2") const {
    const auto out = root_ / name;
    std::filesystem::create_directories(out / "include" / "more");
    write(out / "include" / "factor.h", "#pragma once\n#include \"more/value.h\"\n#warning \"look here\"\n");
    write(out / "include" / "more" / "value.h",
          "#define FACTOR " + factor + "\ninline const char* place() { return __FILE__; }\n");
    return out;
  }
  static Job jobIn(const std::filesystem::path& folder) {
    Job out;
    out.source.name = (folder / "twice.cpp").string();
    out.source.text = std::string("#include <lathe/device.h>\n#include <factor.h>\n") + twice +
                      "LATHE_KERNEL void where(char* out) { out[0] = place()[lathe::global_id().x]; }\n";
    out.options.includeDirs = {(folder / "absent").string(), (folder / "include").string()};
    out.options.prefixMap = {folder.string() + "=."};
    return out;
  }
};

TEST_F(CachePlaces, CheckoutsShareAResultThatIsTheSameInBoth) {
  const Job here = jobIn(checkout("here")), there = jobIn(checkout("there"));
  EXPECT_EQ(originOf(here), CacheOrigin::compiled);
  EXPECT_EQ(originOf(there), CacheOrigin::disk);
  expectFresh(there);
  const Compiler one = make();
  ASSERT_TRUE(one.compile(here));
  EXPECT_EQ(one.compile(there)->origin, CacheOrigin::memory);
}

TEST_F(CachePlaces, MessagesAndFilesAreOfTheCheckoutThatAsks) {
  const auto other = checkout("there");
  EXPECT_EQ(originOf(jobIn(checkout("here"))), CacheOrigin::compiled);
  const auto served = make().compile(jobIn(other));
  const auto compiled = makeUncached().compile(jobIn(other));
  ASSERT_TRUE(served && compiled);
  EXPECT_EQ(served->origin, CacheOrigin::disk);
  ASSERT_EQ(served->warnings.size(), 1U);
  EXPECT_EQ(served->warnings, compiled->warnings);
  EXPECT_EQ(served->warnings.front().location.file, (other / "include" / "factor.h").string());
  EXPECT_EQ(served->files, compiled->files);
}

TEST_F(CachePlaces, ErrorsOfTheSourceAreOfTheCheckoutThatAsks) {
  Job wrong = jobIn(checkout("here")), there = jobIn(checkout("there"));
  for (Job* const each : {&wrong, &there}) each->source.text += "LATHE_KERNEL void bad() { missing(); }\n";
  ASSERT_FALSE(make().compile(wrong));
  const auto before = stats();
  const auto served = make().compile(there);
  EXPECT_EQ(stats().diskHits, before.diskHits + 1);
  ASSERT_FALSE(served);
  EXPECT_EQ(served.error(), makeUncached().compile(there).error());
}

TEST_F(CachePlaces, AFileThatDiffersOrComesMisses) {
  EXPECT_EQ(originOf(jobIn(checkout("here"))), CacheOrigin::compiled);
  const Job other = jobIn(checkout("there", "3"));
  EXPECT_EQ(originOf(other), CacheOrigin::compiled);
  expectFresh(other);
  const auto third = checkout("third");
  EXPECT_EQ(originOf(jobIn(third)), CacheOrigin::disk);
  std::filesystem::create_directory(third / "absent");
  write(third / "absent" / "factor.h", "#define FACTOR 7\ninline const char* place() { return __FILE__; }\n");
  EXPECT_EQ(originOf(jobIn(third)), CacheOrigin::compiled);
  expectFresh(jobIn(third));
}

TEST_F(CachePlaces, AnotherMapIsAnotherResult) {
  const auto here = checkout("here"), there = checkout("there");
  EXPECT_EQ(originOf(jobIn(here)), CacheOrigin::compiled);
  Job otherName = jobIn(there);
  otherName.options.prefixMap = {there.string() + "=project"};
  EXPECT_EQ(originOf(otherName), CacheOrigin::compiled);
  expectFresh(otherName);
  // The header's path has another name here, the source's and the folders' have the same.
  Job finer = jobIn(here);
  finer.options.prefixMap = {here.string() + "=.", (here / "include" / "more").string() + "=deep"};
  EXPECT_EQ(originOf(finer), CacheOrigin::compiled);
  Job coarse = jobIn(there);
  coarse.options.prefixMap = {there.string() + "=.", "/nowhere=deep"};
  EXPECT_EQ(originOf(coarse), CacheOrigin::compiled);
  expectFresh(coarse);
  Job unmapped = jobIn(here);
  unmapped.options.prefixMap.clear();
  EXPECT_EQ(originOf(unmapped), CacheOrigin::compiled);
  expectFresh(unmapped);
}

TEST_F(CachePlaces, ATextThatNamesTheFolderIsOfOnePlace) {
  const auto here = checkout("here"), there = checkout("there");
  // As generators write it: `__FILE__` is mapped where the folder is the one that the map has.
  const std::string line = "#line 1 \"" + (here / "grammar.y").string() + "\"\n" +
                           "LATHE_KERNEL void line(char* out) { out[0] = __FILE__[lathe::global_id().x]; }\n";
  Job first = jobIn(here), second = jobIn(there);
  for (Job* const each : {&first, &second}) each->source.text += line;
  EXPECT_EQ(originOf(first), CacheOrigin::compiled);
  EXPECT_EQ(originOf(second), CacheOrigin::compiled);
  expectFresh(second);
  for (const auto& folder : {here, there})
    write(folder / "include" / "more" / "value.h",
          "#define FACTOR 2\n" + line + "inline const char* place() { return __FILE__; }\n");
  // Whichever is first, the one whose folder is named and the other.
  EXPECT_EQ(originOf(jobIn(there)), CacheOrigin::compiled);
  EXPECT_EQ(originOf(jobIn(here)), CacheOrigin::compiled);
  expectFresh(jobIn(here));
  EXPECT_EQ(originOf(jobIn(here)), CacheOrigin::disk);
  EXPECT_EQ(originOf(jobIn(there)), CacheOrigin::disk);
  expectFresh(jobIn(there));
}

TEST_F(CachePlaces, MessagesThatNameTheFolderAreOfOnePlace) {
  const auto here = checkout("here"), there = checkout("there");
  const auto expectOwn = [&](const std::function<void(Job&)>& change) {
    Job first = jobIn(here), second = jobIn(there);
    change(first);
    change(second);
    for (const Job& each : {first, second, first, second}) {
      const auto served = make().compile(each), compiled = makeUncached().compile(each);
      ASSERT_FALSE(served || compiled);
      EXPECT_EQ(served.error(), compiled.error());
    }
  };
  expectOwn([](Job& job) { job.source.text += "#include <gone.h>\n"; });
  expectOwn([](Job& job) { job.entries = {"nope"}; });
  expectOwn([](Job& job) { job.source.text = "int nothing;\n"; });
}

TEST_F(CachePlaces, AMapThatCutsNamesIsOfOnePlace) {
  const auto here = checkout("here");
  Job asCuda = jobIn(here), asKernel = asCuda;
  asCuda.source.name = (here / "k.cu").string();
  asKernel.source.name = (here / "k.cpp").string();
  for (Job* const job : {&asCuda, &asKernel}) {
    job->source.text = "__global__ void k(int* p) { *p = 1; }\n";
    job->options.prefixMap = {job->source.name + "=k"};
  }
  EXPECT_FALSE(make().compile(asKernel));
  EXPECT_TRUE(make().compile(asCuda));
}

TEST_F(CachePlaces, LathesOwnHeadersAreNotBelowTheMap) {
  Job whole = jobIn(checkout("here")), part = whole;
  whole.options.prefixMap = {"/=."};
  part.options.prefixMap = {"/lathe=."};
  EXPECT_EQ(originOf(whole), CacheOrigin::compiled);
  EXPECT_EQ(originOf(part), CacheOrigin::compiled);
  expectFresh(part);
}

TEST_F(CachePlaces, DebugInformationIsSharedToo) {
  const auto here = checkout("here"), there = checkout("there");
  const auto before = std::filesystem::current_path();
  const auto origin = [&](const std::filesystem::path& folder) {
    std::filesystem::current_path(folder);
    Job job = jobIn(folder);
    job.options.debugInfo = true;
    const CacheOrigin out = originOf(job);
    expectFresh(job);
    std::filesystem::current_path(before);
    return out;
  };
  EXPECT_EQ(origin(here), CacheOrigin::compiled);
  EXPECT_EQ(origin(there), CacheOrigin::disk);
}

TEST_F(CachePlaces, WhyMissSpeaksOfThisMachinesPaths) {
  const auto here = checkout("here"), there = checkout("there");
  EXPECT_EQ(originOf(jobIn(here)), CacheOrigin::compiled);
  EXPECT_TRUE(make().whyMiss(jobIn(there))->empty());
  write(there / "include" / "more" / "value.h", "#define FACTOR 4\n");
  const auto changed = make().whyMiss(jobIn(there));
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->front(), (there / "include" / "more" / "value.h").string() + ": is changed or gone");
  Job otherLevel = jobIn(there);
  otherLevel.options.optLevel = OptLevel::O1;
  EXPECT_EQ(make().whyMiss(otherLevel)->front(), "options/optLevel: 'O1', there 'O3'");
}

}  // namespace
}  // namespace lathe::test
