// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything a plugin says is checked before it is believed: versions first, then sizes, then pointers.
#include "core/target/plugin.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

#include "llvm/ADT/StringRef.h"

#include <lathe/sdk/plugin.h>

#include "core/store/file_identity.h"
#include "core/support/log.h"

namespace lathe::detail {
namespace {

constexpr const char* pluginSymbol = "lathe_plugin";

/// "22.1" of "22.1.8": LLVM keeps its C++ interface within that.
llvm::StringRef release(llvm::StringRef version) {
  const auto [major, rest] = version.split('.');
  return version.take_front(major.size() + 1 + rest.split('.').first.size());
}

/// What addTarget() and addDialect() fill, behind PluginRegistrar::context.
struct Registration {
  std::vector<LoadedTarget> targets;
  std::vector<const Dialect*> dialects;
  std::string fault;
};

int addTarget(sdk::PluginRegistrar* self, const sdk::PluginTarget* target) {
  auto& registration = *static_cast<Registration*>(self->context);
  const auto refuse = [&](std::string why) {
    if (registration.fault.empty()) registration.fault = std::move(why);
    return 1;
  };
  if (!target || target->structSize < sizeof(sdk::PluginTarget))
    return refuse("a target it registers has no or a too small description");
  if (!target->name || !*target->name) return refuse("a target it registers has no name");
  if (std::ranges::find(registration.targets, std::string_view(target->name), &LoadedTarget::name) !=
      registration.targets.end()) {
    return refuse("it registers '" + std::string(target->name) + "' twice");
  }
  if (!target->device && target->deviceBytes != 0)
    return refuse("'" + std::string(target->name) + "' has bytes of device code but no device code");
  registration.targets.push_back({.name = target->name,
                                  .descriptor = target->descriptor ? target->descriptor : "",
                                  .device = {target->device, target->deviceBytes},
                                  .createHooks = target->createHooks});
  return 0;
}

int addDialect(sdk::PluginRegistrar* self, const Dialect* dialect) {
  auto& registration = *static_cast<Registration*>(self->context);
  const auto refuse = [&](std::string why) {
    if (registration.fault.empty()) registration.fault = std::move(why);
    return 1;
  };
  if (!dialect || dialect->structSize < sizeof(Dialect))
    return refuse("a dialect it registers has no or a too small description");
  if (dialect->name.empty()) return refuse("a dialect it registers has no name");
  const std::string name(dialect->name);
  if (std::ranges::find(registration.dialects, dialect->name, &Dialect::name) != registration.dialects.end())
    return refuse("it registers dialect '" + name + "' twice");
  if (dialect->clangArguments.empty()) return refuse("dialect '" + name + "' has no arguments for Clang");
  registration.dialects.push_back(dialect);
  return 0;
}

Result<LoadedPlugin> check(const sdk::Plugin& plugin, const auto& fail) {
  if (plugin.abiVersion != sdk::pluginAbiVersion) {
    return fail("it has plugin ABI version " + std::to_string(plugin.abiVersion) + ", this Lathe has " +
                    std::to_string(sdk::pluginAbiVersion),
                "build it against this Lathe's headers");
  }
  if (plugin.structSize < sizeof(sdk::Plugin) || !plugin.llvmVersion || !plugin.name || !plugin.version ||
      !plugin.registerTargets) {
    return fail("its description is incomplete", "define it with LATHE_PLUGIN");
  }
  if (release(plugin.llvmVersion) != release(LLVM_VERSION_STRING)) {
    return fail(
        "it was built against LLVM " + std::string(plugin.llvmVersion) + ", this Lathe has " LLVM_VERSION_STRING,
        "build it against that LLVM");
  }
  Registration registration;
  sdk::PluginRegistrar registrar{.structSize = sizeof(sdk::PluginRegistrar),
                                 .context = &registration,
                                 .addTarget = addTarget,
                                 .addDialect = addDialect};
  int status = 0;
  try {
    status = plugin.registerTargets(&registrar);
  } catch (...) {  // a foreign library's promise is not enough
    return fail("its registerTargets() threw an exception", "catch it there and return non-zero");
  }
  if (!registration.fault.empty()) return fail(std::move(registration.fault), "ask its author for a repaired one");
  if (status != 0) return fail("its registerTargets() returned " + std::to_string(status), "ask its author why");
  return LoadedPlugin{plugin.name, plugin.version, std::move(registration.targets), std::move(registration.dialects)};
}

/// How long a plugin may take to load. Long enough for a slow disk; a plugin that waits for something hangs for good.
constexpr std::chrono::seconds loadTime(60);

/// A library runs code when it is opened. A child opens it first, so that what it does there (crash, exit, hang) ends
/// the child and not the host.
Result<void> tryInChild(const Workers& workers, const std::filesystem::path& path, const auto& fail) {
  if (isWorker()) return {};
  const WorkerLimits limits{.time = loadTime};
  auto tried = workers.run(pluginTrialTask, path.string(), limits);
  if (tried) return {};
  const Error& error = tried.error();
  const std::string remedy = "its static initialisers and registerTargets() must neither crash, exit nor wait";
  switch (error.code) {
    case ErrorCode::CompilerCrash:
      return fail("a process that loads it does not survive: " + error.message, remedy);
    case ErrorCode::LimitExceeded:
      return fail("it does not load within " + std::to_string(loadTime.count()) + " s", remedy);
    case ErrorCode::PluginInvalid:
      return error;
    default:
      return {};  // no child can be had: then it is tried here
  }
}

/// Serves the path of a plugin: loads it, to see whether a process survives that.
Result<std::string> tryPluginHere(std::string_view path, const Tell& /*tell*/) {
  auto loaded = loadPlugin(path, Workers());
  if (!loaded) return std::move(loaded).error();
  return std::string();
}

/// The identities of the files behind libraries, as they were when the process loaded them. The system loads none
/// twice: whatever takes a file's place later does not run here, for whichever Compiler.
class LoadedFiles {
 public:
  /// Of the library that dlopen() gave and that stays loaded. `identity` is kept if it is the first.
  std::string of(void* library, std::string identity) {
    const std::lock_guard lock(mutex_);
    return known_.try_emplace(library, std::move(identity)).first->second;
  }
  static LoadedFiles& ofProcess() {
    static LoadedFiles files;
    return files;
  }

 private:
  std::mutex mutex_;
  std::map<void*, std::string> known_;
};

}  // namespace

constinit const WorkerTask pluginTrialTask{"try-plugin", tryPluginHere};

Result<LoadedPlugin> loadPlugin(const std::filesystem::path& path, const Workers& workers) {
  const auto fail = [&](std::string why, std::string remedy) {
    return Error{.code = ErrorCode::PluginInvalid,
                 .message = "plugin " + path.string() + ": " + std::move(why),
                 .notes = {},
                 .hint = std::move(remedy)};
  };
  if (auto survived = tryInChild(workers, path, fail); !survived) return std::move(survived).error();
  std::string identity = fileIdentity(path);
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::string_view why = "it cannot be opened";
    if (const char* const text = dlerror()) why = text;
    if (const std::string name = path.string() + ": "; why.starts_with(name)) why.remove_prefix(name.size());
    return fail(std::string(why), "check that the file exists and that the libraries it needs are found");
  }
  const auto* const plugin = static_cast<const sdk::Plugin*>(dlsym(library, pluginSymbol));
  if (!plugin) {
    dlclose(library);
    return fail(std::string("it has no symbol '") + pluginSymbol + "'", "define it with LATHE_PLUGIN");
  }
  auto loaded = check(*plugin, fail);
  if (!loaded) {
    dlclose(library);
    return loaded;
  }
  if (const std::string after = fileIdentity(path); after != identity)
    identity += " or " + after;  // replaced meanwhile
  loaded->identity = LoadedFiles::ofProcess().of(library, std::move(identity));
  log(LogLevel::info, "plugin", loaded->name + " " + loaded->version + " loaded from " + path.string());
  return loaded;
}

Result<LoadedPlugin> registeredBy(const sdk::Plugin& plugin) {
  return check(plugin, [&](std::string why, std::string remedy) {
    return Error{
        .code = ErrorCode::PluginInvalid,
        .message = "plugin " + std::string(plugin.name ? plugin.name : "without a name") + ": " + std::move(why),
        .hint = std::move(remedy)};
  });
}

}  // namespace lathe::detail
