// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates are listed when the registry is made, in the order in which they win; the first look-up of a name reads
// the winner and what it extends.
#include "core/target/registry.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/frontend/dialect.h"
#include "core/support/digest.h"
#include "core/support/file.h"
#include "core/support/nearest.h"
#include "core/target/plugin.h"
#include "core/target/target_path.h"

namespace lathe::detail {

/// One place that has a target of some name.
struct TargetRegistry::Candidate {
  std::string name = {};
  std::string origin;               ///< "built in" or a path
  std::filesystem::path path = {};  ///< of the descriptor; empty: `yaml` is it
  std::string yaml = {};
  std::span<const char> device = {};
  TargetHooks* (*createHooks)() = nullptr;
  PluginMark plugin = {};  ///< that brings it; without a version: none
};

/// All candidates of one name, the winner first, and what the first look-up made of it.
struct TargetRegistry::Slot {
  std::vector<std::unique_ptr<const Candidate>> candidates;
  mutable std::once_flag once;
  mutable std::optional<Result<std::shared_ptr<const TargetEntry>>> loaded;
};

std::unique_ptr<TargetHooks> TargetEntry::makeHooks() const {
  std::unique_ptr<TargetHooks> hooks(createHooks ? createHooks() : nullptr);
  return hooks ? std::move(hooks) : std::make_unique<TargetHooks>();
}

TargetRegistry::TargetRegistry(std::span<const Dialect* const> dialects, Workers workers)
    : builtinDialects_(dialects), dialects_(dialects.begin(), dialects.end()), workers_(std::move(workers)) {}
TargetRegistry::TargetRegistry(TargetRegistry&&) noexcept = default;
TargetRegistry& TargetRegistry::operator=(TargetRegistry&&) noexcept = default;
TargetRegistry::~TargetRegistry() = default;

void TargetRegistry::add(const std::string& name, Candidate candidate) {
  candidate.name = name;
  auto& slot = slots_[name];
  if (!slot) slot = std::make_unique<Slot>();
  slot->candidates.push_back(std::make_unique<const Candidate>(std::move(candidate)));
}

Result<void> TargetRegistry::addPlugin(const std::filesystem::path& path) {
  auto plugin = loadPlugin(path, workers_);
  if (!plugin) return std::move(plugin).error();
  const PluginMark mark{plugin->name + " " + plugin->version, path, plugin->identity};
  for (LoadedTarget& target : plugin->targets) {
    const auto fail = [&](std::string why, std::string remedy) {
      return Error{.code = ErrorCode::PluginInvalid,
                   .message = "plugin " + path.string() + ": target '" + target.name + "' " + std::move(why),
                   .hint = std::move(remedy)};
    };
    if (slots_.contains(target.name)) return fail("is there already", "remove one of the two, or rename it");
    if (target.descriptor.empty())
      return fail("has no descriptor", "give it one, or name the plugin in a descriptor file by `plugin:`");
    add(target.name, {.origin = path.string(),
                      .yaml = std::move(target.descriptor),
                      .device = target.device,
                      .createHooks = target.createHooks,
                      .plugin = mark});
  }
  for (const Dialect* dialect : plugin->dialects) {
    if (dialect->name == "ir" || std::ranges::find(dialects_, dialect->name, &Dialect::name) != dialects_.end()) {
      return Error{
          .code = ErrorCode::PluginInvalid,
          .message = "plugin " + path.string() + ": dialect '" + std::string(dialect->name) + "' is there already",
          .hint = "remove one of the two, or rename it"};
    }
    dialects_.push_back(dialect);
    dialectPlugins_.emplace(dialect->name, mark);
  }
  return {};
}

std::string TargetRegistry::pluginOf(const Dialect& dialect) const {
  const PluginMark* const mark = pluginMarkOf(dialect);
  return mark ? mark->version : std::string();
}

const PluginMark* TargetRegistry::pluginMarkOf(const Dialect& dialect) const {
  const auto found = dialectPlugins_.find(dialect.name);
  return found == dialectPlugins_.end() ? nullptr : &found->second;
}

Result<TargetRegistry> TargetRegistry::create(const Builtins& builtins,
                                              std::span<const std::filesystem::path> targetPath, Workers workers,
                                              const sdk::Variables& variables) {
  auto linked = registeredBy(builtins.targets);
  if (!linked) return std::move(linked).error();
  TargetRegistry registry(builtins.dialects, std::move(workers));
  std::vector<std::filesystem::path> plugins;
  const auto addFolder = [&](const std::filesystem::path& folder) {
    if (folder.empty()) return;
    registry.searched_.push_back(folder.string());
    for (auto& [name, path] : descriptorsIn(folder)) {
      registry.add(name, {.origin = path.string(), .path = path});
    }
  };
  for (const auto& path : targetPath) {
    if (path.extension() == ".so") {
      plugins.push_back(path);
    } else {
      addFolder(path);
    }
  }
  for (const auto& folder : targetPathOf(variables)) addFolder(folder);
  for (LoadedTarget& target : linked->targets) {
    registry.add(target.name, {.origin = "built in",
                               .yaml = std::move(target.descriptor),
                               .device = target.device,
                               .createHooks = target.createHooks});
  }
  addFolder(installedTargetFolder());
  // Last: their names must be new.
  for (const auto& path : plugins) {
    if (auto added = registry.addPlugin(path); !added) return std::move(added).error();
  }
  return registry;
}

std::vector<std::string> TargetRegistry::names() const {
  std::vector<std::string> names;
  for (const auto& [name, slot] : slots_) names.push_back(name);
  return names;
}

Error TargetRegistry::unknown(std::string_view name) const {
  const auto known = names();
  Error error{.code = ErrorCode::UnknownTarget,
              .message = "no target is called '" + std::string(name) + "'" + didYouMean(name, known)};
  error.hint = "known targets:";
  for (const auto& one : known) error.hint += (one == known.front() ? " " : ", ") + one;
  for (const auto& folder : searched_)
    error.notes.push_back({.message = "searched " + folder, .location = {}, .snippet = {}});
  return error;
}

/// What a candidate brings besides its descriptor.
void TargetRegistry::attach(TargetEntry& entry, const Candidate& candidate) {
  if (!candidate.device.empty()) entry.deviceBitcode = candidate.device;
  if (candidate.createHooks) entry.createHooks = candidate.createHooks;
  if (candidate.plugin.version.empty()) return;
  entry.pluginVersion = candidate.plugin.version;
  entry.plugins.push_back(candidate.plugin);
}

/// Hooks from the plugin that a descriptor file names.
Result<void> TargetRegistry::attachPlugin(TargetEntry& entry, const Candidate& candidate) const {
  const std::string named = entry.file.plugin();
  if (named.empty()) return {};
  const auto path = candidate.path.parent_path() / named;
  const auto fail = [&](std::string why, std::string remedy) {
    return Error{.code = ErrorCode::PluginInvalid,
                 .message = "plugin " + path.string() + ": " + std::move(why),
                 .hint = std::move(remedy)};
  };
  if (candidate.path.empty()) return fail("a descriptor that is not a file cannot name a plugin", "remove `plugin:`");
  auto plugin = loadPlugin(path, workers_);
  if (!plugin) {
    plugin.error().notes.push_back(
        {.message = "named by `plugin:` here", .location = {candidate.origin, 0, 0}, .snippet = ""});
    return std::move(plugin).error();
  }
  const auto at = std::ranges::find(plugin->targets, candidate.name, &LoadedTarget::name);
  if (at == plugin->targets.end())
    return fail("it does not register '" + candidate.name + "'", "register it under the descriptor's name");
  if (!at->device.empty()) entry.deviceBitcode = at->device;
  entry.createHooks = at->createHooks;
  entry.pluginVersion = plugin->name + " " + plugin->version;
  entry.plugins.push_back({entry.pluginVersion, path, plugin->identity});
  return {};
}

/// Loads candidate `index` of a slot. `chain` holds the candidates that extend it, directly or not.
Result<TargetEntry> TargetRegistry::load(const Slot& slot, std::size_t index,
                                         std::vector<const Candidate*>& chain) const {
  const Candidate& candidate = *slot.candidates[index];
  if (std::ranges::find(chain, &candidate) != chain.end()) {
    std::string circle;
    for (const Candidate* link : chain) circle += link->name + " → ";
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "targets extend each other in a circle: " + circle + candidate.name};
  }
  std::string text = candidate.yaml;
  if (!candidate.path.empty()) {
    auto read = readFile(candidate.path);
    if (!read) return std::move(read).error();
    text = *std::move(read);
  }
  std::string source = text;
  chain.push_back(&candidate);
  std::optional<TargetEntry> base;
  const auto lookup = [&](std::string_view name) -> Result<DescriptorFile> {
    const auto at = slots_.find(name);
    const bool own = name == candidate.name;
    if (at == slots_.end() || (own && index + 1 == slot.candidates.size())) {
      if (own)
        return Error{.code = ErrorCode::UnknownTarget,
                     .message = "no later place has a target '" + candidate.name + "'"};
      return unknown(name);
    }
    auto found = load(*at->second, own ? index + 1 : 0, chain);
    if (!found) return std::move(found).error();
    base = *std::move(found);
    return base->file;
  };
  auto file = DescriptorFile::load(std::move(text), candidate.origin, lookup);
  chain.pop_back();
  if (!file) return std::move(file).error();
  if (file->name() != candidate.name) {
    return Error{
        .code = ErrorCode::DescriptorInvalid,
        .message = "descriptor of '" + file->name() + "' under the name '" + candidate.name + "'; make the two equal",
        .location = {candidate.origin, 0, 0}};
  }
  TargetEntry entry{.file = *std::move(file)};
  if (base) {
    const DescriptorFile own = std::move(entry.file);
    entry = *std::move(base);
    entry.file = own;
  }
  entry.sources.push_back({candidate.name, candidate.origin, std::move(source)});
  attach(entry, candidate);
  if (auto attached = attachPlugin(entry, candidate); !attached) return std::move(attached).error();
  return entry;
}

Result<std::shared_ptr<const TargetEntry>> TargetRegistry::find(std::string_view name) const {
  const auto at = slots_.find(name);
  if (at == slots_.end()) return unknown(name);
  const Slot& slot = *at->second;
  std::call_once(slot.once, [&] {
    std::vector<const Candidate*> chain;
    if (auto entry = load(slot, 0, chain); entry) {
      Digest digest;
      for (const InputDescriptor& source : entry->sources) digest.add(source.name).add(source.yaml);
      entry->digest = digest.hex();
      slot.loaded = std::make_shared<const TargetEntry>(*std::move(entry));
    } else {
      slot.loaded = std::move(entry).error();
    }
  });
  return *slot.loaded;
}

Result<std::shared_ptr<const TargetEntry>> TargetRegistry::restored(std::span<const InputDescriptor> sources,
                                                                    const std::string& plugin) const {
  std::optional<TargetEntry> entry;
  for (const InputDescriptor& source : sources) {
    auto file = DescriptorFile::load(source.yaml, source.origin, [&](std::string_view name) -> Result<DescriptorFile> {
      if (entry && entry->file.name() == name) return entry->file;
      return Error{.code = ErrorCode::UnknownTarget, .message = "'" + std::string(name) + "' was not recorded"};
    });
    if (!file) return std::move(file).error();
    if (entry) {
      const DescriptorFile own = *std::move(file);
      entry->file = own;
    } else {
      entry.emplace(TargetEntry{.file = *std::move(file)});
    }
    entry->sources.push_back(source);
    const auto slot = slots_.find(source.name);
    if (slot == slots_.end()) continue;
    for (const auto& candidate : slot->second->candidates) {
      const bool builtIn = candidate->path.empty() && candidate->plugin.version.empty() && source.origin == "built in";
      if (builtIn || (!plugin.empty() && candidate->plugin.version == plugin)) attach(*entry, *candidate);
      if (candidate->path.empty() || plugin.empty()) continue;
      // A descriptor file that names a plugin: its hooks come from there.
      if (auto here = find(source.name); here && (*here)->pluginVersion == plugin) {
        entry->createHooks = (*here)->createHooks;
        entry->deviceBitcode = (*here)->deviceBitcode;
        entry->pluginVersion = plugin;
      }
    }
  }
  if (!entry) return Error{.code = ErrorCode::InvalidArgument, .message = "a replay needs the target's descriptor"};
  if (entry->pluginVersion != plugin) {
    return Error{.code = ErrorCode::PluginInvalid,
                 .message = "the recorded compile used plugin '" + plugin + "', which is not here",
                 .hint = "name the plugin or its folder on the target path (--plugin, LATHE_TARGET_PATH)"};
  }
  return std::make_shared<const TargetEntry>(*std::move(entry));
}

Result<TargetInfo> TargetRegistry::info(std::string_view name) const {
  auto entry = find(name);
  if (!entry) return std::move(entry).error();
  const DescriptorFile& file = (*entry)->file;
  // The default may be "native" on a machine that lacks the device: then any architecture shows the rest.
  auto descriptor = file.resolved("");
  auto architectures = file.architectureNames();
  if (!descriptor && !architectures.empty()) descriptor = file.resolved(architectures.front());
  if (!descriptor) return std::move(descriptor).error();
  const Descriptor& facts = **descriptor;
  const auto stored = [view = sdk::DescriptorView(facts)](const std::string& format) {
    return std::string(view.storedName(format));
  };
  TargetInfo info{.name = facts.name,
                  .description = facts.description,
                  .triple = facts.triple,
                  .origin = facts.origin,
                  .runtime = facts.runtime,
                  .hasGrids = facts.pipeline != PipelineKind::module,
                  .defaultArch = facts.architectures.defaultName,
                  .architectures = std::move(architectures),
                  .formats = {},
                  .defaultFormat = stored(facts.emit.defaultFormat),
                  .unavailable = {}};
  for (const std::string& format : facts.emit.formats) info.formats.push_back(stored(format));
  return info;
}

}  // namespace lathe::detail
