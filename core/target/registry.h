// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of targets, and what stands behind them; the dialects that plugins bring. Places in the order in which they
// win: CompilerConfig::targetPath, $LATHE_TARGET_PATH, what is built in, the install's targets folder. A file may
// extend the target of its own name in a later place. Nothing is read before it is asked for.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/compiler.h>
#include <lathe/result.h>
#include <lathe/sdk/dialect.h>
#include <lathe/sdk/plugin.h>
#include <lathe/sdk/target.h>

#include "core/descriptor/descriptor.h"
#include "core/process/worker.h"

namespace lathe::detail {

/// A plugin, as the process has it.
struct PluginMark {
  std::string version;  ///< "NAME VERSION"
  std::filesystem::path file;
  std::string identity;  ///< LoadedPlugin::identity
};

/// A target that was found and whose descriptor was checked. Immutable.
struct TargetEntry {
  DescriptorFile file;
  /// Its own or, if it has none, those of the target it extends.
  std::span<const char> deviceBitcode = {};
  TargetHooks* (*createHooks)() = nullptr;
  std::vector<InputDescriptor> sources = {};  ///< `file` and what it extends, outermost base first
  std::string digest = {};                    ///< of the texts in `sources`, in hexadecimal digits
  std::string pluginVersion = {};             ///< "NAME VERSION" of the plugin that brings the hooks
  std::vector<PluginMark> plugins = {};       ///< that bring hooks or device code, of it and of what it extends

  /// The hooks of one compile; never null.
  [[nodiscard]] std::unique_ptr<TargetHooks> makeHooks() const;
};

/// Immutable after create(), but for each target's first look-up, which others wait for; look-ups of different targets
/// do not wait for each other.
class TargetRegistry {
 public:
  /// What is linked in.
  struct Builtins {
    const sdk::Plugin& targets;  ///< registers them as a plugin does
    std::span<const Dialect* const> dialects = {};
  };
  /// Lists what there is. `targetPath` holds folders, and plugins by path. Errors: PluginInvalid.
  static Result<TargetRegistry> create(const Builtins& builtins, std::span<const std::filesystem::path> targetPath,
                                       Workers workers = Workers(), const sdk::Variables& variables = {});
  TargetRegistry(TargetRegistry&&) noexcept;
  TargetRegistry& operator=(TargetRegistry&&) noexcept;
  ~TargetRegistry();

  /// All names, sorted. That a name is here does not mean that its descriptor is good.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Errors: UnknownTarget (with the nearest name and all names), DescriptorInvalid, FileUnreadable, PluginInvalid.
  [[nodiscard]] Result<std::shared_ptr<const TargetEntry>> find(std::string_view name) const;
  /// A target out of recorded descriptors, outermost base first, with the hooks and device code that the built-in or
  /// plugged-in targets among them have here. Errors: DescriptorInvalid; PluginInvalid if `plugin` ("NAME VERSION") is
  /// not here.
  [[nodiscard]] Result<std::shared_ptr<const TargetEntry>> restored(std::span<const InputDescriptor> sources,
                                                                    const std::string& plugin) const;
  /// All dialects: those built in, then those of the plugins named by path, in order.
  [[nodiscard]] std::span<const Dialect* const> dialects() const { return dialects_; }
  [[nodiscard]] std::span<const Dialect* const> builtinDialects() const { return builtinDialects_; }
  /// "NAME VERSION" of the plugin that brought the dialect; empty: it is built in.
  [[nodiscard]] std::string pluginOf(const Dialect& dialect) const;
  /// That plugin; null: it is built in.
  [[nodiscard]] const PluginMark* pluginMarkOf(const Dialect& dialect) const;
  /// The same errors.
  [[nodiscard]] Result<TargetInfo> info(std::string_view name) const;

 private:
  struct Candidate;
  struct Slot;
  TargetRegistry(std::span<const Dialect* const> dialects, Workers workers);

  void add(const std::string& name, Candidate candidate);
  Result<void> addPlugin(const std::filesystem::path& path);
  Result<TargetEntry> load(const Slot& slot, std::size_t index, std::vector<const Candidate*>& chain) const;
  static void attach(TargetEntry& entry, const Candidate& candidate);
  Result<void> attachPlugin(TargetEntry& entry, const Candidate& candidate) const;
  Error unknown(std::string_view name) const;

  std::map<std::string, std::unique_ptr<Slot>, std::less<>> slots_;
  std::vector<std::string> searched_;
  std::span<const Dialect* const> builtinDialects_;
  std::vector<const Dialect*> dialects_;
  std::map<std::string, PluginMark, std::less<>> dialectPlugins_;  ///< by the dialect's name
  Workers workers_;                                                ///< load plugins first
};

}  // namespace lathe::detail
