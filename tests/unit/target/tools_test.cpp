// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <lathe/sdk/emit.h>: programs are found and run, what they say reaches the user, and files go with their objects.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <lathe/sdk/emit.h>

#include "core/support/llvm_bridge.h"

namespace lathe::sdk {
namespace {

/// A value, or the test ends.
template <class T>
T valueOf(llvm::Expected<T> result) {
  if (!result) throw std::runtime_error(detail::fromLlvm(result.takeError()).message);
  return std::move(*result);
}

TEST(TemporaryFile, HoldsWhatIsWrittenAndGoesWithItsObject) {
  std::string path;
  {
    const TemporaryFile file = valueOf(TemporaryFile::create("txt"));
    path = file.path();
    EXPECT_TRUE(path.ends_with(".txt")) << path;
    EXPECT_EQ(valueOf(file.read()), "");
    ASSERT_FALSE(file.write(std::string_view("a\0b", 3)));
    EXPECT_EQ(valueOf(file.read()), std::string("a\0b", 3));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFile, IsRemovedOnceWhenMoved) {
  TemporaryFile first = valueOf(TemporaryFile::create("txt"));
  const std::string path = first.path();
  {
    const TemporaryFile second = std::move(first);
    EXPECT_EQ(second.path(), path);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Tools, AreFoundInTheOrderOfTheFolders) {
  const std::string root = testing::TempDir() + "lathe_tools";
  for (const char* folder : {"/first", "/last"}) {
    std::filesystem::create_directories(root + folder);
    std::ofstream(root + folder + "/lathe-sample-tool") << "#!/bin/sh\n";
    std::filesystem::permissions(root + folder + "/lathe-sample-tool", std::filesystem::perms::owner_all);
  }
  const std::string first[] = {root + "/nowhere", root + "/first"}, last[] = {root + "/last"};
  EXPECT_EQ(findTool("lathe-sample-tool", first, last), root + "/first/lathe-sample-tool");
  EXPECT_EQ(findTool("lathe-sample-tool", {}, last), root + "/last/lathe-sample-tool");
  EXPECT_EQ(findTool("lathe-sample-tool"), std::nullopt);
  EXPECT_TRUE(findTool("sh"));
  std::filesystem::remove_all(root);
}

TEST(Tools, WriteFilesForTheirCaller) {
  const TemporaryFile out = valueOf(TemporaryFile::create("txt"));
  ASSERT_FALSE(runTool({.program = "/bin/sh", .arguments = {"-c", "printf done > " + out.path()}}));
  EXPECT_EQ(valueOf(out.read()), "done");
}

TEST(Tools, FailuresSayWhatTheToolSaid) {
  const ToolCall call{.program = "/bin/sh",
                      .arguments = {"-c", "echo /tmp/secret.txt: line 3 is bad >&2; exit 3"},
                      .renamed = {{"/tmp/secret.txt", "the text"}}};
  const Error error = detail::fromLlvm(runTool(call, "mend it"));
  EXPECT_EQ(error.code, ErrorCode::ToolFailed);
  EXPECT_EQ(error.message, "sh: the text: line 3 is bad");
  EXPECT_EQ(error.hint, "mend it");
  EXPECT_EQ(detail::fromLlvm(runTool({.program = "/bin/sh", .arguments = {"-c", "exit 4"}})).message,
            "sh: it ended with exit code 4 and said nothing");
  EXPECT_EQ(detail::fromLlvm(runTool({.program = "/nowhere/tool"})).code, ErrorCode::ToolFailed);
}

TEST(EmitModule, WithoutAMachineOnlyIr) {
  llvm::LLVMContext context;
  llvm::Module module("sample", context);
  EXPECT_NE(valueOf(emitModule(module, nullptr, "ir")).find("ModuleID = 'sample'"), std::string::npos);
  EXPECT_EQ(valueOf(emitModule(module, nullptr, "bitcode")).substr(0, 2), "BC");
  auto object = emitModule(module, nullptr, "object");
  ASSERT_FALSE(object);
  EXPECT_EQ(detail::fromLlvm(object.takeError()).code, ErrorCode::FormatUnsupported);
}

}  // namespace
}  // namespace lathe::sdk
