// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of targets and dialects. Those in a shared library of their own are a plugin: the library exports one
// object, `lathe_plugin`; Lathe checks its versions before it calls anything, and keeps the library loaded for the life
// of the process. The targets that are linked into Lathe register through the same object. Hooks use LLVM's C++
// interface, so a plugin must be built against the LLVM release that Lathe was.
#pragma once

#include <cstddef>
#include <cstdint>

#include "llvm/Config/llvm-config.h"

#include <lathe/sdk/dialect.h>
#include <lathe/sdk/target.h>

namespace lathe::sdk {

/// Changes whenever a struct below changes other than by growing at its end.
inline constexpr std::uint32_t pluginAbiVersion = 7;

/// One target. All texts are copied during addTarget(); `device` must stay valid for the life of the process.
struct PluginTarget {
  std::uint32_t structSize = sizeof(PluginTarget);
  /// As in the descriptor. With a descriptor file that says `plugin:`, the file's name.
  const char* name = nullptr;
  /// The descriptor's YAML; null where a file that says `plugin:` is the descriptor.
  const char* descriptor = nullptr;
  /// The target's device ABI functions as bitcode; may be null.
  const char* device = nullptr;
  std::size_t deviceBytes = 0;
  /// Makes the hooks of one pass over a source (TargetHooks), which Lathe deletes. Called from any thread, from several
  /// at once. Null: all defaults.
  TargetHooks* (*createHooks)() = nullptr;
};

/// The object by which registerTargets() gives Lathe its targets and dialects; valid during that call only.
struct PluginRegistrar {
  std::uint32_t structSize;
  void* context;  ///< Lathe's
  /// Returns 0 if the target was taken. Lathe reports a refusal to the user; registerTargets() passes it on as its own
  /// result.
  int (*addTarget)(PluginRegistrar* self, const PluginTarget* target);
  /// The same for a dialect, which must stay valid for the life of the process. A Lathe without dialects of plugins has
  /// a shorter structure: addDialect() below looks first.
  int (*addDialect)(PluginRegistrar* self, const Dialect* dialect);
};

/// Gives Lathe a dialect. Returns 0 if it was taken, or 1 where Lathe refused it or is too old to take one.
inline int addDialect(PluginRegistrar* registrar, const Dialect* dialect) {
  constexpr std::size_t needed = offsetof(PluginRegistrar, addDialect) + sizeof(PluginRegistrar::addDialect);
  return registrar->structSize < needed ? 1 : registrar->addDialect(registrar, dialect);
}

/// The exported object; LATHE_PLUGIN fills it in.
struct Plugin {
  std::uint32_t abiVersion;
  std::uint32_t structSize;
  const char* llvmVersion;  ///< its major and minor number must be those of the LLVM in Lathe
  const char* name;         ///< for messages
  const char* version;      ///< part of what identifies a compile
  /// Calls addTarget() for each target and addDialect() for each dialect. Returns 0, or anything else to refuse to
  /// load. Must not throw.
  int (*registerTargets)(PluginRegistrar* registrar);
};

}  // namespace lathe::sdk

/// Defines the exported object: LATHE_PLUGIN("mytarget", "1.0", registerTargets) at namespace scope, once.
#define LATHE_PLUGIN(plugin_name, plugin_version, register_targets)                          \
  extern "C" __attribute__((visibility("default"))) const ::lathe::sdk::Plugin lathe_plugin; \
  const ::lathe::sdk::Plugin lathe_plugin = {::lathe::sdk::pluginAbiVersion,                 \
                                             sizeof(::lathe::sdk::Plugin),                   \
                                             LLVM_VERSION_STRING,                            \
                                             plugin_name,                                    \
                                             plugin_version,                                 \
                                             register_targets}
