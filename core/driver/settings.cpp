// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings in the order in which a compile meets them.
#include "core/driver/settings.h"

#include <filesystem>

#include <fmt/ranges.h>
#include "llvm/Support/VirtualFileSystem.h"

#include "core/frontend/dialect.h"
#include "core/frontend/files/toolkit_folder.h"
#include "core/frontend/frontend.h"
#include "core/frontend/prelude/prelude.h"
#include "core/lower/lowering.h"
#include "core/target/registry.h"
#include "core/values/job_values.h"

namespace lathe::detail {
namespace {

// Values as people read them.
std::string shown(const std::string& value) {
  return value;
}
std::string shown(bool value) {
  return value ? "true" : "false";
}
std::string shown(std::uint32_t value) {
  return std::to_string(value);
}
template <Named E>
std::string shown(E value) {
  return std::string(nameOf(value));
}
std::string shown(const std::array<std::uint32_t, 3>& value) {
  return fmt::format("{}", fmt::join(value, ","));
}
std::string shown(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, " "));
}
std::string shown(const std::map<std::string, std::string>& value) {
  std::string out;
  for (const auto& [key, text] : value) out += (out.empty() ? "" : " ") + key + "=" + text;
  return out;
}

/// Every field of `value` under `prefix`, as "job" where it differs from the default.
template <Described T>
void addFields(std::vector<Setting>& out, const std::string& prefix, const T& value) {
  std::vector<std::string> defaults;
  const T byDefault;
  forEachField(byDefault, [&](std::string_view, const auto& member) {
    if constexpr (!Described<std::remove_cvref_t<decltype(member)>>) defaults.push_back(shown(member));
  });
  std::size_t next = 0;
  forEachField(value, [&](std::string_view name, const auto& member) {
    const std::string full = prefix + "." + std::string(name);
    if constexpr (Described<std::remove_cvref_t<decltype(member)>>) {
      addFields(out, full, member);
    } else {
      const std::string text = shown(member);
      out.push_back({full, text, text == defaults[next++] ? "default" : "job"});
    }
  });
}

class Before {
 public:
  explicit Before(const ResolvedJob& resolved)
      : job_(resolved.job),
        source_(resolved.source),
        target_(resolved.target),
        descriptor_(resolved.descriptor),
        dialect_(resolved.dialect),
        dialectPlugin_(resolved.dialectPlugin),
        toolkit_(resolved.toolkit) {}

  std::vector<Setting> run() {
    add("target", job_.target, job_.target == Job().target ? "default" : "job");
    for (const InputDescriptor& source : target_.sources) add("descriptor", source.name, source.origin);
    if (!target_.pluginVersion.empty()) add("plugin", target_.pluginVersion, "hooks of the target");
    add("triple", descriptor_.triple, placeOf({"triple"}));
    addArchitecture();
    add("features",
        fmt::format("{}{}{}", descriptor_.features, descriptor_.features.empty() || job_.features.empty() ? "" : ",",
                    job_.features),
        job_.features.empty() ? placeOf({"features"}) : "job, after " + placeOf({"features"}));
    add("runtime", descriptor_.runtime, placeOf({"runtime"}));
    add("emit", job_.emit == "image" ? descriptor_.emit.defaultFormat : job_.emit,
        job_.emit == "image" ? "image: " + placeOf({"emit", "default"}) : "job");
    addLanguage();
    addFields(out_, "options", job_.options);
    return std::move(out_);
  }

  std::vector<Setting> runFurther() {
    add("further source", source_.name, "job");
    addLanguage();
    return std::move(out_);
  }

 private:
  void add(std::string name, std::string value, std::string origin) {
    out_.push_back({std::move(name), std::move(value), std::move(origin)});
  }

  /// "FILE:LINE", or "default" where no descriptor says anything.
  std::string placeOf(std::initializer_list<std::string_view> path) const {
    const auto at = target_.file.whereSet(path, descriptor_);
    if (!at || at->file >= target_.sources.size()) return "default";
    const InputDescriptor& source = target_.sources[at->file];
    const bool isFile = source.origin.find('/') != std::string::npos;
    return (isFile ? source.origin : source.name + ".yaml (" + source.origin + ")") + ":" + std::to_string(at->line);
  }

  void addArchitecture() {
    const std::string& byDefault = descriptor_.architectures.defaultName;
    const std::string asked = job_.arch.empty() ? byDefault : job_.arch;
    std::string origin = job_.arch.empty() ? placeOf({"architectures", "default"}) : "job";
    if (const auto& aliases = descriptor_.architectures.aliases; aliases.contains(asked))
      origin += ": '" + asked + "' is another name (" + placeOf({"architectures", "aliases"}) + ")";
    else if (asked != descriptor_.arch)
      origin += ": '" + asked + "' is what this machine has";
    add("arch", descriptor_.arch, std::move(origin));
  }

  void addLanguage() {
    const bool asked = !source_.dialect.empty();
    const std::string extension = std::filesystem::path(source_.name).extension().string();
    add("dialect", dialect_ ? std::string(dialect_->name) : "ir",
        asked               ? "job"
        : !dialect_         ? "the source's bytes or its name"
        : extension.empty() ? "default"
                            : "the source's name, '" + extension + "'");
    if (!dialectPlugin_.empty()) add("plugin", dialectPlugin_, "dialect of the source");
    if (!dialect_) return;
    Job alone = job_;
    alone.source = source_;
    const PreludeChoice prelude =
        choosePrelude(alone, *dialect_, descriptor_.triple, descriptor_.arch, *llvm::vfs::getRealFileSystem());
    add("prelude", prelude.scopes.empty() ? "read as text" : "precompiled", prelude.reason);
    if (&source_ != &job_.source) return;
    if (!toolkit_.empty()) add(toolkitSetting, toolkit_, "found on this machine");
    if (!job_.headers.empty()) {
      std::string names;
      for (const Header& header : job_.headers) names += (names.empty() ? "" : " ") + header.name;
      add("headers", names, "job");
    }
  }

  const Job& job_;
  const Source& source_;
  const TargetEntry& target_;
  const Descriptor& descriptor_;
  const Dialect* dialect_;
  const std::string& dialectPlugin_;
  const std::string& toolkit_;
  std::vector<Setting> out_;
};

}  // namespace

std::vector<Setting> settingsBefore(const ResolvedJob& resolved) {
  return Before(resolved).run();
}

std::vector<Setting> settingsOfFurther(const ResolvedJob& resolved) {
  return Before(resolved).runFurther();
}

void settingsAfter(const Job& job, const Lowering& lowering, unsigned readings, CompileRecord& record) {
  if (readings > 1)
    record.settings.push_back({"readings of the source", std::to_string(readings),
                               "what shows at its end matters at its beginning, or it does without a prelude"});
  const bool named = !job.entries.empty(), all = llvm::is_contained(job.entries, everyKernel);
  for (const EntryPoint& entry : lowering.info.entries) {
    const bool isNamed = all ? llvm::is_contained(job.entries, entry.name) : named;
    record.settings.push_back({"kernel", entry.name, isNamed ? "job" : "every kernel of the source"});
    const LaunchBounds& asked = job.options.launchBounds;
    const LaunchBounds none;
    const auto bound = [&](const char* name, const auto& value, const auto& ofJob, const auto& unset) {
      if (value == unset) return;
      record.settings.push_back({entry.name + ": " + name, shown(value), value == ofJob ? "job" : "kernel attribute"});
    };
    bound("maxItems", entry.bounds.maxItems, asked.maxItems, none.maxItems);
    bound("minGroups", entry.bounds.minGroups, asked.minGroups, none.minGroups);
    bound("maxRegisters", entry.bounds.maxRegisters, asked.maxRegisters, none.maxRegisters);
    bound("groupSize", entry.bounds.groupSize, asked.groupSize, none.groupSize);
    if (entry.coarse.groups != 0) {
      record.settings.push_back(
          {entry.name + ": coarse form", fmt::format("{} groups", entry.coarse.groups),
           job.options.coarsening > 1 ? "job" : "descriptor's codegen.coarsen, by what the kernel loads"});
    }
  }
  for (const std::string& name : lowering.linkedLibraries) {
    const bool ofTarget = name == lowering.descriptor.name;
    record.settings.push_back({"library", name,
                               ofTarget                              ? "device code of the target"
                               : name.find('/') != std::string::npos ? "file named by the descriptor"
                                                                     : "built in"});
  }
}

}  // namespace lathe::detail
