// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preludes that are made where they are wanted.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/cache/kept_preludes.h"
#include "core/frontend/dialect.h"
#include "core/frontend/embedded.h"
#include "core/target/builtin.h"
#include "llvm/Support/TargetSelect.h"

namespace lathe::detail {
namespace {

namespace fs = std::filesystem;

const Dialect& kernelDialect() {
  for (const Dialect* dialect : builtinDialects()) {
    if (dialect->name == "kernel") return *dialect;
  }
  std::abort();
}

/// A folder that is gone afterwards.
class KeptPreludesTest : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("LATHE_CACHE");  // a test run has none otherwise
    llvm::InitializeAllTargetInfos();
    std::string name = fs::temp_directory_path() / "lathe-preludes-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    config_ = {.folder = fs::path(name) / "cache"};
  }
  void TearDown() override { fs::remove_all(config_.folder.parent_path()); }

  /// The one file of a prelude in the folder; empty: there is none.
  [[nodiscard]] fs::path entry() const {
    fs::path out;
    if (!fs::exists(config_.folder)) return out;
    for (const auto& file : fs::recursive_directory_iterator(config_.folder)) {
      if (file.path().extension() == ".p") out = file.path();
    }
    return out;
  }

  CacheConfig config_;
};

TEST_F(KeptPreludesTest, AreMadeOnceForAFolder) {
  KeptPreludes first(config_);
  const auto made = first.find(kernelDialect(), PreludeScope::own);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->substr(0, 4), "CPCH");
  EXPECT_EQ(first.find(kernelDialect(), PreludeScope::own), made);
  const fs::path file = entry();
  ASSERT_FALSE(file.empty());
  const auto written = fs::last_write_time(file);
  KeptPreludes second(config_);
  const auto read = second.find(kernelDialect(), PreludeScope::own);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(*read, *made);
  EXPECT_EQ(fs::last_write_time(file), written);
}

TEST_F(KeptPreludesTest, AreThoseThatTheBuildMakes) {
  const auto made = KeptPreludes(config_).find(kernelDialect(), PreludeScope::own);
  ASSERT_NE(made, nullptr);
  for (const EmbeddedPrelude& prelude : embeddedPreludes()) {
    if (prelude.name == "kernel") {
      EXPECT_EQ(*made, prelude.pch);
    }
  }
}

TEST_F(KeptPreludesTest, OfADamagedFileAreMadeAgain) {
  const auto made = KeptPreludes(config_).find(kernelDialect(), PreludeScope::own);
  ASSERT_NE(made, nullptr);
  std::fstream file(entry(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(5000);
  file.put('\x5a').put('\xa5').flush();
  const auto again = KeptPreludes(config_).find(kernelDialect(), PreludeScope::own);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(*again, *made);
}

TEST_F(KeptPreludesTest, WithoutAFolderAreMadeAtTheSecondWish) {
  config_.enabled = false;
  KeptPreludes preludes(config_);
  EXPECT_EQ(preludes.find(kernelDialect(), PreludeScope::own), nullptr);
  const auto made = preludes.find(kernelDialect(), PreludeScope::own);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(preludes.find(kernelDialect(), PreludeScope::own), made);
  EXPECT_TRUE(entry().empty());
}

TEST_F(KeptPreludesTest, AreNotWrittenToAFolderThatIsOnlyRead) {
  config_.readOnly = true;
  fs::create_directories(config_.folder);
  fs::permissions(config_.folder, fs::perms::owner_all);
  KeptPreludes preludes(config_);
  EXPECT_EQ(preludes.find(kernelDialect(), PreludeScope::own), nullptr);
  EXPECT_TRUE(entry().empty());
}

}  // namespace
}  // namespace lathe::detail
