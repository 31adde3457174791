// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compile learns of the machine beside the texts of headers: resolvers, spellings of paths, sizes of files that
// nobody reads.
#include "cache_fixture.h"
#include "jobs.h"

namespace lathe::test {
namespace {

class CacheSurroundings : public CacheTest {
 protected:
  /// A job with `text` in front of a kernel that takes FACTOR.
  [[nodiscard]] Job jobWith(const std::string& text) const {
    Job out = job("null");
    out.source.text = "#include <lathe/device.h>\n" + text + "\n" + twice;
    return out;
  }
};

TEST_F(CacheSurroundings, AResolverCounts) {
  CompilerConfig resolving = config();
  resolving.headers = [](std::string_view name) -> std::optional<std::string> {
    if (name == "tuned.h") return "#define FACTOR 5\n";
    return std::nullopt;
  };
  CompilerConfig plain = config();
  const Job job = jobWith("#if __has_include(\"tuned.h\")\n#include \"tuned.h\"\n#else\n#define FACTOR 1\n#endif");
  const std::string without = outcome(make(plain).compile(job));
  const std::string with = outcome(make(resolving).compile(job));
  EXPECT_NE(with, without);
  EXPECT_EQ(outcome(make(plain).compile(job)), without);
  EXPECT_EQ(make(resolving).compile(job)->origin, CacheOrigin::disk);
  const Job needed = jobWith("#include \"tuned.h\"");
  EXPECT_FALSE(make(plain).compile(needed));
  EXPECT_TRUE(make(resolving).compile(needed));
}

TEST_F(CacheSurroundings, APathWithFurtherSlashesBehindADotIsRelative) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(root_);
  Job relative = jobWith("#include \"factor.h\"");
  relative.options.includeDirs = {".//include"};
  write(header("factor.h"), "#define FACTOR 2\n");
  EXPECT_EQ(originOf(relative), CacheOrigin::compiled);
  EXPECT_EQ(originOf(relative), CacheOrigin::disk);
  write(header("factor.h"), "#define FACTOR 3\n");
  EXPECT_EQ(originOf(relative), CacheOrigin::compiled);
  std::filesystem::current_path(before);
}

TEST_F(CacheSurroundings, TheSizeOfAFileThatNobodyReadsCounts) {
  const Job kernel = jobWith("#if __has_embed(\"data.bin\") == 2\n#define FACTOR 2\n#else\n#define FACTOR 3\n#endif");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(root_);  // where it is looked for
  write("data.bin", "");
  EXPECT_EQ(originOf(kernel), CacheOrigin::compiled);
  EXPECT_EQ(originOf(kernel), CacheOrigin::disk);
  write("data.bin", "bytes");
  EXPECT_EQ(originOf(kernel), CacheOrigin::compiled);
  expectFresh(kernel);
  write("data.bin", "");
  EXPECT_EQ(originOf(kernel), CacheOrigin::disk);
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace lathe::test
