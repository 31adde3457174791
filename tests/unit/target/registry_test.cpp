// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry: places and their order, extending, what is read when, and errors.
#include "core/target/registry.h"

#include <cstdlib>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "core/target/builtin.h"

namespace lathe::detail {
namespace {

constexpr const char* gpu =
    "lathe: 1\nname: gpu\ndescription: built in\ntriple: nvptx64-nvidia-cuda\nruntime: cuda\n"
    "architectures: {default: sm_75, pattern: 'sm_([0-9]+)', minimum: 70}\nemit: {default: asm, names: {asm: ptx}}\n";
constexpr const char* broken = "lathe: 1\nname: broken\ntripel: x\n";

struct MarkedHooks final : TargetHooks {};
TargetHooks* createMarked() {
  return new MarkedHooks;
}

int registerBuiltins(sdk::PluginRegistrar* registrar) {
  const sdk::PluginTarget targets[] = {
      {.name = "gpu", .descriptor = gpu, .device = "BC", .deviceBytes = 2, .createHooks = createMarked},
      {.name = "broken", .descriptor = broken},
  };
  for (const sdk::PluginTarget& target : targets) {
    if (const int refused = registrar->addTarget(registrar, &target)) return refused;
  }
  return 0;
}
constexpr sdk::Plugin builtins = {sdk::pluginAbiVersion, sizeof(sdk::Plugin), LLVM_VERSION_STRING, "built in", "1",
                                  registerBuiltins};

class Registry : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(testing::TempDir()) /
            (std::string("lathe_registry_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(root_);
    unsetenv("LATHE_TARGET_PATH");
  }
  void TearDown() override {
    std::filesystem::remove_all(root_);
    unsetenv("LATHE_TARGET_PATH");
  }
  /// Writes a descriptor and returns its folder.
  std::filesystem::path write(const std::string& folder, const std::string& file, std::string_view text) {
    const auto path = root_ / folder / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return root_ / folder;
  }
  static TargetRegistry make(const std::vector<std::filesystem::path>& path = {}) {
    auto registry = TargetRegistry::create({builtins}, path);
    if (!registry) throw std::runtime_error(registry.error().render());
    return *std::move(registry);
  }
  static std::string descriptionOf(const TargetRegistry& registry, std::string_view name) {
    const auto info = registry.info(name);
    return info ? info->description : "error: " + info.error().message;
  }

  std::filesystem::path root_;
};

TEST_F(Registry, TellsWhatATargetIs) {
  const auto info = make().info("gpu");
  ASSERT_TRUE(info) << info.error().render();
  EXPECT_EQ(info->name, "gpu");
  EXPECT_EQ(info->origin, "built in");
  EXPECT_EQ(info->runtime, "cuda");
  EXPECT_EQ(info->triple, "nvptx64-nvidia-cuda");
  EXPECT_EQ(info->defaultArch, "sm_75");
  EXPECT_EQ(info->defaultFormat, "ptx");
  EXPECT_NE(std::ranges::find(info->formats, "ptx"), info->formats.end());
  EXPECT_EQ(std::ranges::find(info->formats, "asm"), info->formats.end());
  // Only what the rules allow, oldest first.
  ASSERT_FALSE(info->architectures.empty());
  EXPECT_EQ(info->architectures.front(), "sm_70");
  EXPECT_NE(std::ranges::find(info->architectures, "sm_90"), info->architectures.end());
  EXPECT_EQ(std::ranges::find(info->architectures, "sm_90a"), info->architectures.end());
}

TEST_F(Registry, AnUnknownNameGetsTheNearestAndAll) {
  const auto entry = make({root_ / "nowhere"}).find("gpo");
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().code, ErrorCode::UnknownTarget);
  EXPECT_EQ(entry.error().message, "no target is called 'gpo'; did you mean 'gpu'?");
  EXPECT_EQ(entry.error().hint, "known targets: broken, gpu");
  ASSERT_FALSE(entry.error().notes.empty());
  EXPECT_EQ(entry.error().notes.front().message, "searched " + (root_ / "nowhere").string());
}

TEST_F(Registry, ABrokenFileHarmsNobodyElse) {
  const auto registry = make({write("a", "worse.yaml", "{{{")});
  EXPECT_EQ(registry.names(), (std::vector<std::string>{"broken", "gpu", "worse"}));
  EXPECT_TRUE(registry.find("gpu"));
  const auto bad = registry.find("broken");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::DescriptorInvalid);
  EXPECT_EQ(registry.find("worse").error().location.file, (root_ / "a" / "worse.yaml").string());
}

TEST_F(Registry, EarlierPlacesWin) {
  const std::string text =
      "lathe: 1\nname: mine\ntriple: x86_64-unknown-linux-gnu\narchitectures: {default: x86-64}\ndescription: ";
  const auto first = write("first", "mine.yaml", text + "first\n");
  const auto second = write("second", "mine/mine.yaml", text + "second\n");
  write("second", "mine/readme.txt", "no descriptor");
  EXPECT_EQ(descriptionOf(make({first, second}), "mine"), "first");
  EXPECT_EQ(descriptionOf(make({second, first}), "mine"), "second");
  setenv("LATHE_TARGET_PATH", (second.string() + "::" + first.string()).c_str(), 1);
  EXPECT_EQ(descriptionOf(make(), "mine"), "second");
  EXPECT_EQ(descriptionOf(make({first}), "mine"), "first");
}

TEST_F(Registry, AFileMayExtendTheTargetOfItsOwnName) {
  const auto folder =
      write("a", "gpu.yaml", "lathe: 1\nname: gpu\nextends: gpu\ndescription: mine\nlimits: {shared_bytes: 9}\n");
  const auto registry = make({folder});
  const auto entry = registry.find("gpu");
  ASSERT_TRUE(entry) << entry.error().render();
  const auto descriptor = (*entry)->file.resolved("");
  ASSERT_TRUE(descriptor);
  EXPECT_EQ((*descriptor)->description, "mine");
  EXPECT_EQ((*descriptor)->limits.sharedBytes, 9U);
  EXPECT_EQ((*descriptor)->runtime, "cuda");
  EXPECT_EQ((*descriptor)->origin, (folder / "gpu.yaml").string());
  // Device code and hooks come along.
  EXPECT_EQ((*entry)->deviceBitcode.size(), 2U);
  EXPECT_NE(dynamic_cast<MarkedHooks*>((*entry)->makeHooks().get()), nullptr);
}

TEST_F(Registry, HooksHaveDefaults) {
  const auto folder = write(
      "a", "bare.yaml", "lathe: 1\nname: bare\ntriple: x86_64-unknown-linux-gnu\narchitectures: {default: x86-64}\n");
  const auto entry = make({folder}).find("bare");
  ASSERT_TRUE(entry) << entry.error().render();
  EXPECT_TRUE((*entry)->deviceBitcode.empty());
  EXPECT_NE((*entry)->makeHooks(), nullptr);
}

TEST_F(Registry, ExtendingInACircleIsAnError) {
  write("a", "one.yaml", "lathe: 1\nname: one\nextends: two\n");
  write("a", "two.yaml", "lathe: 1\nname: two\nextends: three\n");
  const auto folder = write("a", "three.yaml", "lathe: 1\nname: three\nextends: one\n");
  const auto entry = make({folder}).find("one");
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().code, ErrorCode::DescriptorInvalid);
  EXPECT_EQ(entry.error().message,
            "descriptor: extends: targets extend each other in a circle: one → two → three → one");
}

TEST_F(Registry, ExtendingItselfWithNoOtherPlaceIsAnError) {
  const auto folder = write("a", "lonely.yaml", "lathe: 1\nname: lonely\nextends: lonely\n");
  const auto entry = make({folder}).find("lonely");
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().location, (SourceLocation{(folder / "lonely.yaml").string(), 3, 10}));
  EXPECT_EQ(entry.error().message, "descriptor: extends: no later place has a target 'lonely'");
}

TEST_F(Registry, TheNameInAFileIsItsOwn) {
  const auto folder = write(
      "a", "mine.yaml", "lathe: 1\nname: yours\ntriple: x86_64-unknown-linux-gnu\narchitectures: {default: x86-64}\n");
  const auto entry = make({folder}).find("mine");
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().code, ErrorCode::DescriptorInvalid);
  EXPECT_NE(entry.error().message.find("'yours' under the name 'mine'"), std::string::npos) << entry.error().message;
}

TEST_F(Registry, IsReadOnFirstUse) {
  const auto folder = write("a", "late.yaml", "{{{");
  const auto registry = make({folder});
  write("a", "late.yaml", "lathe: 1\nname: late\ntriple: x86_64-unknown-linux-gnu\narchitectures: {default: x86-64}\n");
  EXPECT_TRUE(registry.find("late"));
  write("a", "late.yaml", "{{{");
  EXPECT_TRUE(registry.find("late"));
}

TEST_F(Registry, FromManyThreadsAtOnce) {
  const auto folder = write("a", "mine.yaml", "lathe: 1\nname: mine\nextends: gpu\n");
  const auto registry = make({folder});
  std::vector<std::vector<const TargetEntry*>> seen(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : seen) {
      threads.emplace_back([&registry, &mine] {
        for (const auto* name : {"gpu", "mine", "gpu"}) mine.push_back(registry.find(name).value().get());
      });
    }
  }
  for (const auto& mine : seen) EXPECT_EQ(mine, seen.front());
  EXPECT_EQ(seen.front()[0], seen.front()[2]);
}

TEST(BuiltinTargets, AreFoundAndSound) {
  const auto registry = TargetRegistry::create({builtinTargets}, {});
  ASSERT_TRUE(registry) << registry.error().render();
  EXPECT_FALSE(registry->names().empty());
  for (const std::string& name : registry->names()) {
    const auto info = registry->info(name);
    ASSERT_TRUE(info) << info.error().render();
    EXPECT_EQ(info->name, name);
    EXPECT_EQ(info->origin, "built in");
    EXPECT_FALSE(info->architectures.empty());
    EXPECT_FALSE(info->description.empty());
  }
}

}  // namespace
}  // namespace lathe::detail
