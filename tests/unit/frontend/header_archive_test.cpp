// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers packed into one file and read back as a folder.
#include "core/frontend/files/header_archive.h"

#include <gtest/gtest.h>

#include "llvm/Support/MemoryBuffer.h"

namespace lathe::detail {
namespace {

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

const std::string packed = packHeaders({{"v1/vector", "template <class T> class vector;"},
                                        {"own/math.h", std::string(100000, ' ') + "int end;"},
                                        {"v1/__tuple/get.h", "get"},
                                        {"v1/empty", ""},
                                        {"own/math", "shorter name, same beginning"}});

std::string textOf(const FileSystem& files, const std::string& path) {
  const auto buffer = files->getBufferForFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "no such file";
}

TEST(HeaderArchive, GivesEveryHeaderBack) {
  const FileSystem files = openHeaderArchive(packed, "/library");
  EXPECT_EQ(textOf(files, "/library/v1/vector"), "template <class T> class vector;");
  EXPECT_EQ(textOf(files, "/library/own/math.h"), std::string(100000, ' ') + "int end;");
  EXPECT_EQ(textOf(files, "/library/own/math"), "shorter name, same beginning");
  EXPECT_EQ(textOf(files, "/library/v1/__tuple/get.h"), "get");
  EXPECT_EQ(textOf(files, "/library/v1/empty"), "");
  EXPECT_LT(packed.size(), 2000u) << "texts are compressed";
}

TEST(HeaderArchive, KnowsWhatIsNotThere) {
  const FileSystem files = openHeaderArchive(packed, "/library");
  for (const char* path : {"/library/v1/vect", "/library/v1/vectors", "/library/zzz", "/library/",
                           "/elsewhere/v1/vector", "/libraryv1/vector", "v1/vector", "/library/a"})
    EXPECT_EQ(textOf(files, path), "no such file") << path;
}

TEST(HeaderArchive, TellsFilesFromFolders) {
  const FileSystem files = openHeaderArchive(packed, "/library");
  for (const char* path : {"/library", "/library/v1", "/library/v1/__tuple", "/library/own"}) {
    const auto status = files->status(path);
    ASSERT_TRUE(status) << path;
    EXPECT_TRUE(status->isDirectory()) << path;
  }
  const auto file = files->status("/library/own/math.h");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->isRegularFile());
  EXPECT_EQ(file->getSize(), 100008u);
  EXPECT_FALSE(files->status("/library/v"));
  EXPECT_FALSE(files->status("/library/v1/vector/more"));
}

/// Clang reads a header once that it knows by its id, whatever its path.
TEST(HeaderArchive, GivesDifferentHeadersDifferentIds) {
  const FileSystem files = openHeaderArchive(packed, "/library");
  const auto first = files->status("/library/own/math.h"), other = files->status("/library/own/math");
  const auto again = files->status("/library/own/math.h");
  ASSERT_TRUE(first && other && again);
  EXPECT_NE(first->getUniqueID(), other->getUniqueID());
  EXPECT_EQ(first->getUniqueID(), again->getUniqueID());
}

TEST(HeaderArchive, IsTheSameForTheSameHeadersInAnyOrder) {
  EXPECT_EQ(packHeaders({{"a", "1"}, {"b", "2"}}), packHeaders({{"b", "2"}, {"a", "1"}}));
  EXPECT_NE(packHeaders({{"a", "1"}, {"b", "2"}}), packHeaders({{"a", "2"}, {"b", "1"}}));
}

TEST(HeaderArchive, MayBeEmpty) {
  for (const std::string& none : {packHeaders({}), std::string()}) {
    const FileSystem files = openHeaderArchive(none, "/library");
    EXPECT_EQ(textOf(files, "/library/v1/vector"), "no such file");
    EXPECT_FALSE(files->status("/library"));
  }
}

TEST(HeaderArchive, ReportsDamagedText) {
  std::string damaged = packHeaders({{"a", std::string(1000, 'x')}});
  damaged.replace(damaged.size() - 12, 12, "damagedbytes");
  EXPECT_EQ(textOf(openHeaderArchive(damaged, "/library"), "/library/a"), "no such file");
}

TEST(HeaderArchive, HasWhatTheDialectsPromise) {
  const FileSystem files = openHeaderArchive(embeddedHeaderArchive(), "/library");
  for (const char* name :
       {"own/stdio.h", "own/cooperative_groups.h", "own/cub/cub.cuh", "own/thrust/sort.h", "own/cuComplex.h"})
    EXPECT_TRUE(files->status(std::string("/library/") + name)) << name;
}

}  // namespace
}  // namespace lathe::detail
