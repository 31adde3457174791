// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are found under the names that NVIDIA's compiler gives them: most are their symbols, those with parts of the
// C++ library in them are compared as C++. tests/lit/cuda/kernel_names.test asks the compiler itself where it is
// installed.
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "jobs.h"

namespace lathe {
namespace {

using test::makeCompiler;

std::ifstream input(const char* name) {
  return std::ifstream(std::string(LATHE_TEST_NAMES) + "/" + name);
}

/// The first identifier of a mangled name that is no namespace's: "7flags" of "_Z5flagsILb1E…".
std::string identifierOf(const std::string& symbol) {
  std::smatch found;
  return std::regex_search(symbol, found, std::regex("^_ZN2ns(?:2v2)?(\\d+[a-z]\\w*?)I|^_Z(\\d+[a-z]\\w*?)[IP]"))
             ? found.str(1) + found.str(2)
             : symbol;
}

TEST(KernelNames, AreThoseOfOtherCompilers) {
  auto file = input("kernel_names.cu");
  Job job;
  job.source.name = "kernel_names.cu";
  job.source.text.assign(std::istreambuf_iterator<char>(file), {});
  job.target = "cuda";
  job.arch = "sm_80";
  job.emit = {"asm"};
  const auto compiled = makeCompiler().compile(job);
  if (!compiled && compiled.error().code == ErrorCode::HeaderNotFound) GTEST_SKIP() << compiled.error().message;
  ASSERT_TRUE(compiled) << compiled.error().render();
  const Image& image = compiled->image;
  auto names = input("kernel_names.txt");
  std::set<const EntryPoint*> found;
  int same = 0, all = 0;
  for (std::string name; std::getline(names, name); ++all) {
    const auto entry = image.entry(name);
    ASSERT_TRUE(entry) << name << ": " << entry.error().render();
    EXPECT_TRUE(found.insert(*entry).second) << name << " and another are " << (*entry)->symbol;
    EXPECT_EQ(identifierOf(name), identifierOf((*entry)->symbol));
    same += (*entry)->symbol == name;
  }
  EXPECT_GE(all, 30);
  EXPECT_EQ(found.size(), image.info().entries.size());
  // Those without the C++ library in their names.
  EXPECT_GE(same, 27);
}

TEST(KernelNames, OfOthersFindNothing) {
  Job job = test::kernelJob(
      "template <class T> LATHE_KERNEL void fill(T* p, int) { *p = 0; }\n"
      "template <class T> LATHE_KERNEL void fill(T* p, float) { *p = 0; }\n"
      "template LATHE_KERNEL void fill<int>(int*, int);\n"
      "template LATHE_KERNEL void fill<int>(int*, float);\n");
  const auto compiled = makeCompiler().compile(job);
  ASSERT_TRUE(compiled) << compiled.error().render();
  EXPECT_TRUE(compiled->image.entry("_Z4fillIiEvPT_f"));
  // By name and template arguments alone it is one of two.
  for (const char* name : {"_Z4fillIiEvPT_d", "_Z4fillIfEvPT_f", "_Z5emptyv", "_Z", "_Z4fillI", "fill<double>"})
    EXPECT_FALSE(compiled->image.entry(name)) << name;
}

}  // namespace
}  // namespace lathe
