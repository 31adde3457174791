// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins: a good one is used, and every broken one is an error that names the file and what to do.
#include "core/target/plugin.h"

#include <chrono>
#include <fstream>

#include <gtest/gtest.h>

#include "core/store/file_identity.h"
#include "core/target/builtin.h"
#include "core/target/registry.h"

namespace lathe::detail {
namespace {

std::filesystem::path pluginPath(const std::string& name) {
  return std::filesystem::path(LATHE_PLUGIN_DIR) / (name + ".so");
}

/// The targets that are linked in, in these tests.
template <int (*registerTargets)(sdk::PluginRegistrar*)>
constexpr sdk::Plugin linkedIn = {sdk::pluginAbiVersion, sizeof(sdk::Plugin), LLVM_VERSION_STRING, "linked in", "1",
                                  registerTargets};

int nothing(sdk::PluginRegistrar*) {
  return 0;
}
int plugged(sdk::PluginRegistrar* registrar) {
  const sdk::PluginTarget target{.name = "plugged", .descriptor = "lathe: 1\n"};
  return registrar->addTarget(registrar, &target);
}

TEST(Plugin, AGoodOneLoads) {
  const auto plugin = loadPlugin(pluginPath("good"));
  ASSERT_TRUE(plugin) << plugin.error().render();
  EXPECT_EQ(plugin->name, "sample");
  EXPECT_EQ(plugin->version, "1.2");
  ASSERT_EQ(plugin->targets.size(), 1U);
  EXPECT_EQ(plugin->targets.front().name, "plugged");
  EXPECT_EQ(plugin->targets.front().device.size(), 2U);
  ASSERT_EQ(plugin->dialects.size(), 1U);
  EXPECT_EQ(plugin->dialects.front()->name, "spelled");
}

TEST(Plugin, BrokenOnesAreErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {"wrong_abi", "it has plugin ABI version 999, this Lathe has 7"},
      {"wrong_llvm", "it was built against LLVM 14.0.6, this Lathe has "},
      {"no_symbol", "it has no symbol 'lathe_plugin'"},
      {"twice", "it registers 'plugged' twice"},
      {"refuses", "its registerTargets() returned 7"},
      {"throws", "its registerTargets() threw an exception"},
      {"incomplete", "its description is incomplete"},
      {"unnamed", "a target it registers has no name"},
      {"small", "a target it registers has no or a too small description"},
      {"dialect_twice", "it registers dialect 'spelled' twice"},
      {"dialect_small", "a dialect it registers has no or a too small description"},
      {"missing", "cannot open shared object file"},
  };
  for (const auto& [name, why] : cases) {
    const auto plugin = loadPlugin(pluginPath(name));
    ASSERT_FALSE(plugin) << name;
    EXPECT_EQ(plugin.error().code, ErrorCode::PluginInvalid) << name;
    EXPECT_NE(plugin.error().message.find(pluginPath(name).string()), std::string::npos) << plugin.error().message;
    EXPECT_NE(plugin.error().message.find(why), std::string::npos) << plugin.error().message;
    EXPECT_FALSE(plugin.error().hint.empty()) << name;
  }
}

/// Opening a library runs its code; the host survives what that does.
TEST(Plugin, CrashingOnesAreErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {"crashes", "a process that loads it does not survive: the compiler's process died of SIG"},
      {"exits", "a process that loads it does not survive: the compiler's process ended without an answer"},
      {"crashes_later", "a process that loads it does not survive: the compiler's process died of SIG"},
  };
  for (const auto& [name, why] : cases) {
    const auto plugin = loadPlugin(pluginPath(name));
    ASSERT_FALSE(plugin) << name;
    EXPECT_EQ(plugin.error().code, ErrorCode::PluginInvalid) << name;
    EXPECT_NE(plugin.error().message.find(why), std::string::npos) << plugin.error().message;
    EXPECT_NE(plugin.error().hint.find("neither crash, exit nor wait"), std::string::npos) << plugin.error().hint;
  }
  EXPECT_TRUE(loadPlugin(pluginPath("good")));
}

TEST(Plugin, WhatIsNoLibraryIsAnError) {
  const auto path = std::filesystem::path(testing::TempDir()) / "no_library.so";
  std::ofstream(path) << "not an ELF file";
  const auto plugin = loadPlugin(path);
  ASSERT_FALSE(plugin);
  EXPECT_EQ(plugin.error().code, ErrorCode::PluginInvalid);
}

TEST(Plugin, ByPathItsTargetsAreFound) {
  const std::filesystem::path path[] = {pluginPath("good")};
  const auto registry = TargetRegistry::create({linkedIn<nothing>, builtinDialects()}, path);
  ASSERT_TRUE(registry) << registry.error().render();
  const auto entry = registry->find("plugged");
  ASSERT_TRUE(entry) << entry.error().render();
  EXPECT_EQ((*entry)->file.origin(), pluginPath("good").string());
  EXPECT_EQ((*entry)->deviceBitcode.size(), 2U);
  EXPECT_EQ((*entry)->pluginVersion, "sample 1.2");
  EXPECT_NE((*entry)->createHooks, nullptr);
  EXPECT_NE((*entry)->makeHooks(), nullptr);
  const auto info = registry->info("plugged");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->description, "from a plugin");
}

TEST(Plugin, ItsDialectsFollowThoseBuiltIn) {
  const std::filesystem::path path[] = {pluginPath("good")};
  const auto registry = TargetRegistry::create({linkedIn<nothing>, builtinDialects()}, path);
  ASSERT_TRUE(registry) << registry.error().render();
  EXPECT_EQ(registry->dialects().front()->name, "kernel");
  EXPECT_EQ(registry->dialects().back()->name, "spelled");
  EXPECT_EQ(registry->pluginOf(*registry->dialects().back()), "sample 1.2");
  EXPECT_EQ(registry->pluginOf(*registry->dialects().front()), "");
}

TEST(Plugin, ItsDialectsMustBeNew) {
  const std::filesystem::path path[] = {pluginPath("dialect_known")};
  const auto registry = TargetRegistry::create({linkedIn<nothing>, builtinDialects()}, path);
  ASSERT_FALSE(registry);
  EXPECT_EQ(registry.error().code, ErrorCode::PluginInvalid);
  EXPECT_NE(registry.error().message.find("dialect 'kernel' is there already"), std::string::npos)
      << registry.error().message;
}

TEST(Plugin, ItsTargetsMustBeNew) {
  const std::filesystem::path path[] = {pluginPath("good")};
  const auto registry = TargetRegistry::create({linkedIn<plugged>, builtinDialects()}, path);
  ASSERT_FALSE(registry);
  EXPECT_EQ(registry.error().code, ErrorCode::PluginInvalid);
  EXPECT_NE(registry.error().message.find("target 'plugged' is there already"), std::string::npos)
      << registry.error().message;
}

TEST(Plugin, ATargetWithoutADescriptorNeedsAFile) {
  const std::filesystem::path path[] = {pluginPath("for_file")};
  const auto registry = TargetRegistry::create({linkedIn<nothing>, builtinDialects()}, path);
  ASSERT_FALSE(registry);
  EXPECT_NE(registry.error().message.find("target 'filed' has no descriptor"), std::string::npos)
      << registry.error().message;
}

TEST(Plugin, IsKnownByTheFileThatWasLoaded) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "lathe_plugin_replaced";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::filesystem::path path[] = {folder / "plugin.so"};
  std::filesystem::copy(pluginPath("good"), path[0]);
  const std::string loaded = fileIdentity(path[0]);
  const auto identity = [&] {
    const auto registry = TargetRegistry::create({linkedIn<nothing>, builtinDialects()}, path);
    if (!registry) return registry.error().render();
    EXPECT_EQ(registry->pluginMarkOf(*registry->dialects().back())->identity, loaded);
    const auto entry = registry->find("plugged");
    return entry && (*entry)->plugins.size() == 1 ? (*entry)->plugins.front().identity : "no plugin";
  };
  EXPECT_EQ(identity(), loaded);
  // Another file takes its place, whose code does not run: the process has the library of that path already.
  std::ofstream(folder / "next.so", std::ios::binary) << std::ifstream(pluginPath("good"), std::ios::binary).rdbuf();
  std::filesystem::last_write_time(folder / "next.so",
                                   std::filesystem::last_write_time(path[0]) + std::chrono::seconds(1));
  std::filesystem::rename(folder / "next.so", path[0]);
  ASSERT_NE(fileIdentity(path[0]), loaded);
  EXPECT_EQ(identity(), loaded);
}

/// A descriptor file that names a plugin beside it.
class FileWithPlugin : public testing::Test {
 protected:
  Result<std::shared_ptr<const TargetEntry>> find(const std::string& plugin, const std::string& name) {
    // A folder for each, because a library that is loaded stays the one of its path.
    const auto folder = std::filesystem::path(testing::TempDir()) / ("lathe_plugin_" + plugin + "_" + name);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / name);
    std::filesystem::copy(pluginPath(plugin), folder / name / "hooks.so");
    std::ofstream(folder / name / (name + ".yaml"))
        << "lathe: 1\nname: " << name
        << "\ntriple: x86_64-unknown-linux-gnu\nplugin: hooks.so\narchitectures: {default: x86-64}\n";
    const std::filesystem::path path[] = {folder};
    auto registry = TargetRegistry::create({linkedIn<nothing>, builtinDialects()}, path);
    if (!registry) return std::move(registry).error();
    return registry->find(name);
  }
};

TEST_F(FileWithPlugin, HasItsHooks) {
  const auto entry = find("for_file", "filed");
  ASSERT_TRUE(entry) << entry.error().render();
  EXPECT_NE((*entry)->createHooks, nullptr);
  EXPECT_EQ((*entry)->pluginVersion, "sample 1.2");
  EXPECT_EQ((*entry)->deviceBitcode.size(), 2U);
}

TEST_F(FileWithPlugin, ThePluginsOfWhatItExtendsCountToo) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "lathe_plugin_inherited";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "filed");
  std::filesystem::copy(pluginPath("for_file"), folder / "filed" / "hooks.so");
  std::ofstream(folder / "filed" / "filed.yaml") << "lathe: 1\nname: filed\nextends: plugged\nplugin: hooks.so\n";
  const std::filesystem::path path[] = {folder, pluginPath("good")};
  const auto registry = TargetRegistry::create({linkedIn<nothing>, builtinDialects()}, path);
  ASSERT_TRUE(registry) << registry.error().render();
  const auto entry = registry->find("filed");
  ASSERT_TRUE(entry) << entry.error().render();
  ASSERT_EQ((*entry)->plugins.size(), 2U);
  EXPECT_EQ((*entry)->plugins[0].identity, fileIdentity(pluginPath("good")));
  EXPECT_EQ((*entry)->plugins[1].identity, fileIdentity(folder / "filed" / "hooks.so"));
}

TEST_F(FileWithPlugin, MustBeRegisteredByIt) {
  const auto entry = find("for_file", "other");
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().code, ErrorCode::PluginInvalid);
  EXPECT_NE(entry.error().message.find("it does not register 'other'"), std::string::npos) << entry.error().message;
}

TEST_F(FileWithPlugin, BrokenIsAnErrorWhenAskedFor) {
  const auto entry = find("wrong_abi", "filed");
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().code, ErrorCode::PluginInvalid);
}

}  // namespace
}  // namespace lathe::detail
