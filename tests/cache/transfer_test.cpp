// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries of other folders: those that are only read, and those that were written to a file elsewhere.
#include "cache_fixture.h"

namespace lathe::test {
namespace {

class TransferTest : public CacheTest {
 protected:
  TransferTest() { write(header("factor.h"), "#define FACTOR 2\n"); }
  [[nodiscard]] std::filesystem::path other() const { return root_ / "other"; }
  /// Another folder, with the result of job() in it.
  void fillOther() const {
    CompilerConfig config = this->config();
    config.cache.folder = other();
    EXPECT_TRUE(make(std::move(config)).compile(job()));
  }
  [[nodiscard]] CompilerConfig reading() const {
    CompilerConfig out = config();
    out.cache.readOnlyFolders = {root_ / "nothing", other()};
    return out;
  }
};

TEST_F(TransferTest, FoldersThatAreOnlyRead) {
  fillOther();
  const auto before = std::filesystem::last_write_time(other());
  const Compiler compiler = make(reading());
  const auto first = compiler.compile(job());
  ASSERT_TRUE(first);
  EXPECT_EQ(first->origin, CacheOrigin::disk);
  EXPECT_EQ(first->files.size(), 1U);
  EXPECT_EQ(compiler.compile(job())->origin, CacheOrigin::memory);
  EXPECT_EQ(originOf(job()), CacheOrigin::compiled);  // nothing was copied
  EXPECT_EQ(std::filesystem::last_write_time(other()), before);
  write(header("factor.h"), "#define FACTOR 3\n");
  EXPECT_EQ(make(reading()).compile(job())->origin, CacheOrigin::compiled);
  EXPECT_EQ(originOf(job()), CacheOrigin::disk);
}

TEST_F(TransferTest, FoldersThatOthersMayWriteToAreNotRead) {
  fillOther();
  std::filesystem::permissions(other(), std::filesystem::perms::others_write, std::filesystem::perm_options::add);
  EXPECT_EQ(make(reading()).compile(job())->origin, CacheOrigin::compiled);
}

TEST_F(TransferTest, WithoutAFolderOfItsOwn) {
  fillOther();
  CompilerConfig config = reading();
  config.cache.disk = false;
  EXPECT_EQ(make(std::move(config)).compile(job())->origin, CacheOrigin::disk);
  EXPECT_FALSE(std::filesystem::exists(folder()));
}

TEST_F(TransferTest, ExportAndImport) {
  fillOther();
  const auto file = root_ / "export";
  auto from = Cache::open({.folder = other()}), to = Cache::open({.folder = folder()});
  ASSERT_TRUE(from && to);
  EXPECT_EQ(from->exportTo(file).value(), 2U);  // the list of files, and the result
  EXPECT_EQ(to->importFrom(file).value(), 2U);
  EXPECT_EQ(to->importFrom(file).value(), 0U);
  EXPECT_EQ(originOf(job()), CacheOrigin::disk);
}

TEST_F(TransferTest, DamagedExportsAreRefusedAsAWhole) {
  fillOther();
  const auto file = root_ / "export";
  auto from = Cache::open({.folder = other()}), to = Cache::open({.folder = folder()});
  ASSERT_TRUE(from && to && from->exportTo(file));
  const std::string whole = read(file);
  for (std::size_t at = 0; at < whole.size(); at += at < 100 ? 1 : 97) {
    write(file, whole.substr(0, at));
    EXPECT_FALSE(to->importFrom(file)) << "cut at " << at;
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    write(file, flipped);
    EXPECT_FALSE(to->importFrom(file)) << "changed at " << at;
  }
  write(file, whole + "x");
  EXPECT_FALSE(to->importFrom(file));
  EXPECT_EQ(to->entries().size(), 0U);
  EXPECT_EQ(to->importFrom(root_ / "nowhere").error().code, ErrorCode::FileUnreadable);
  EXPECT_EQ(from->exportTo(root_ / "no" / "folder").error().code, ErrorCode::FileUnwritable);
  auto closed = Cache::open({.folder = folder(), .readOnly = true});
  ASSERT_TRUE(closed);
  write(file, whole);
  EXPECT_EQ(closed->importFrom(file).error().code, ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace lathe::test
