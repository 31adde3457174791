// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads plugins (<lathe/sdk/plugin.h>).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lathe/result.h>
#include <lathe/sdk/plugin.h>

#include "core/process/worker.h"

namespace lathe::detail {

struct LoadedTarget {
  std::string name;
  std::string descriptor;  ///< YAML; empty: in a file
  std::span<const char> device;
  TargetHooks* (*createHooks)() = nullptr;
};

struct LoadedPlugin {
  std::string name;
  std::string version;
  std::vector<LoadedTarget> targets;
  std::vector<const Dialect*> dialects;
  std::string identity = {};  ///< of its file when the process loaded it: fileIdentity(); empty: it is linked in
};

/// Checks a plugin's description and asks it for its targets and dialects. Errors: PluginInvalid, naming the plugin and
/// what to do.
Result<LoadedPlugin> registeredBy(const sdk::Plugin& plugin);

/// Opens the library, checks it and asks for its targets and dialects. A library that passed stays loaded: hooks and
/// bitcode are in it. Errors: PluginInvalid, naming the path and what to do.
Result<LoadedPlugin> loadPlugin(const std::filesystem::path& path, const Workers& workers = Workers());

/// Loads a plugin in a worker, which may not survive that.
extern const WorkerTask pluginTrialTask;

}  // namespace lathe::detail
