// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a descriptor's text to its checked form. A file is checked when it is loaded, all of it, so that resolving it
// for an architecture can fail only on the architecture. Resolving lays documents over each other, the outermost base
// first:
//
//   base's keys ← base's matching `when` clauses ← own keys ← own matching `when` clauses
#include "core/descriptor/descriptor.h"

#include <algorithm>
#include <mutex>
#include <ranges>

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/Regex.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include "core/descriptor/effects.h"
#include "core/descriptor/invalid.h"
#include "core/descriptor/llvm_facts.h"
#include "core/descriptor/packed_tree.h"
#include "core/descriptor/schema.h"
#include "core/support/nearest.h"

namespace lathe::detail {

bool Descriptor::hasExternal(std::string_view name) const {
  return std::ranges::any_of(externals, [name](std::string_view known) {
    return known.ends_with('*') ? name.starts_with(known.substr(0, known.size() - 1)) : name == known;
  });
}

namespace {

/// One file of an `extends` chain.
struct Document {
  YamlNode root;
  std::vector<WhenClause> when;  ///< points into `root`
};

struct ArchitectureMatch {
  bool matches = false;
  std::optional<unsigned> ordinal;
};

bool matchesWhole(const std::string& pattern, std::string_view text,
                  llvm::SmallVectorImpl<llvm::StringRef>* groups = nullptr) {
  return llvm::Regex("^(" + pattern + ")$").match(text, groups);
}

ArchitectureMatch match(const ArchitectureRules& rules, std::string_view arch) {
  llvm::SmallVector<llvm::StringRef> groups;
  if (!matchesWhole(rules.pattern, arch, &groups)) return {};
  ArchitectureMatch result{.matches = true, .ordinal = std::nullopt};
  // Group 1 is the whole name, by matchesWhole.
  if (unsigned ordinal = 0; groups.size() > 2 && !groups[2].getAsInteger(10, ordinal)) result.ordinal = ordinal;
  return result;
}

/// The place of `path` in the file, or of the nearest key above it.
YamlPosition placeOf(const YamlNode& root, std::initializer_list<std::string_view> path) {
  YamlPosition at = root.at;
  const YamlNode* node = &root;
  for (const auto step : path) {
    const auto* const member = node->find(step);
    if (!member) break;
    at = member->value.at;
    node = &member->value;
  }
  return at;
}

/// Checks a document by itself. What it says is thrown away: only the merged documents mean something.
void checkDocument(const Document& document, std::vector<YamlDiagnostic>& diagnostics) {
  Descriptor ignored;
  SchemaReader(diagnostics).read(document.root, ignored);
  for (const WhenClause& clause : document.when) {
    if (!clause.then) continue;
    SchemaReader reader(diagnostics, /*conditional=*/true);
    reader.within("when.then", [&] { reader.read(*clause.then, ignored); });
  }
  for (const auto* key : {"lathe", "name"}) {
    if (!document.root.find(key))
      diagnostics.push_back({document.root.at, "key '" + std::string(key) + "' is missing"});
  }
}

/// Lays a file over its base, whose runtime is not for a file with another triple.
void layOver(YamlNode& base, const YamlNode& file) {
  const auto *const own = file.find("triple"), *const inherited = base.find("triple");
  if (own && inherited && own->value.text != inherited->value.text)
    std::erase_if(base.members, [](const YamlNode::Member& member) { return member.key == "runtime"; });
  mergeOver(base, file);
}

}  // namespace

struct DescriptorFile::Data {
  std::string name;
  std::string origin;
  std::string bytes;
  std::vector<std::shared_ptr<const Document>> chain;  ///< the outermost base first, this file last
  ArchitectureRules architectures;

  mutable std::mutex mutex;
  mutable std::map<std::string, std::shared_ptr<const Descriptor>, std::less<>> resolved;  ///< by name as asked for

  const YamlNode& root() const { return chain.back()->root; }
  bool applies(const WhenClause& clause, const std::string& arch, std::optional<unsigned> ordinal) const;
  Descriptor merged(const std::string& arch, std::optional<unsigned> ordinal) const;
  Result<Descriptor> resolve(std::string_view asked) const;
  std::vector<std::string> architectureNames(const std::string& triple) const;
  Error unknownArchitecture(const std::string& arch, const std::string& why, const std::string& triple) const;
  ArchitectureRules mergedRules() const;
  void checkRules(std::vector<YamlDiagnostic>& diagnostics) const;
  void checkWhole(std::vector<YamlDiagnostic>& diagnostics);
};

bool DescriptorFile::Data::applies(const WhenClause& clause, const std::string& arch,
                                   std::optional<unsigned> ordinal) const {
  if (!clause.archMatches.empty()) return matchesWhole(clause.archMatches, arch);
  return ordinal && *ordinal >= match(architectures, clause.archAtLeast).ordinal;
}

Descriptor DescriptorFile::Data::merged(const std::string& arch, std::optional<unsigned> ordinal) const {
  YamlNode tree;
  tree.kind = YamlNode::Kind::map;
  for (const auto& document : chain) {
    layOver(tree, document->root);
    for (const WhenClause& clause : document->when) {
      if (applies(clause, arch, ordinal)) mergeOver(tree, *clause.then);
    }
  }
  std::vector<YamlDiagnostic> none;  // every document was checked when it was loaded
  Descriptor descriptor;
  SchemaReader(none).read(tree, descriptor);
  const auto* const extends = root().find("extends");
  descriptor.extends = extends ? extends->value.text : "";
  const auto* const plugin = root().find("plugin");
  descriptor.plugin = plugin ? plugin->value.text : "";
  descriptor.origin = origin;
  descriptor.arch = arch;
  descriptor.ordinal = ordinal;
  if (const auto& triples = descriptor.architectures.triples; triples.empty()) {
    descriptor.processor = arch;
  } else if (const auto own = triples.find(arch); own != triples.end()) {
    descriptor.triple = own->second;
  }
  if (descriptor.triple == "host") descriptor.triple = llvm::sys::getProcessTriple();
  return descriptor;
}

ArchitectureRules DescriptorFile::Data::mergedRules() const {
  YamlNode tree;
  tree.kind = YamlNode::Kind::map;
  for (const auto& document : chain) {
    if (const auto* const member = document->root.find("architectures")) mergeOver(tree, member->value);
  }
  std::vector<YamlDiagnostic> none;
  ArchitectureRules rules;
  SchemaReader(none).read(tree, rules);
  return rules;
}

std::vector<std::string> DescriptorFile::Data::architectureNames(const std::string& triple) const {
  if (!architectures.triples.empty()) {
    const auto names = std::views::keys(architectures.triples);
    return {names.begin(), names.end()};
  }
  const auto subtarget = subtargetOf(triple);
  if (!subtarget) return {};
  std::vector<std::pair<unsigned, std::string>> sorted;
  for (std::string& processor : processorNames(*subtarget)) {
    const ArchitectureMatch found = match(architectures, processor);
    const unsigned ordinal = found.ordinal.value_or(0);
    if (found.matches && ordinal >= architectures.minimum.value_or(0) && hasWidthOf(triple, processor))
      sorted.emplace_back(ordinal, std::move(processor));
  }
  std::ranges::sort(sorted);
  std::vector<std::string> names;
  for (auto& [ordinal, name] : sorted) names.push_back(std::move(name));
  return names;
}

Error DescriptorFile::Data::unknownArchitecture(const std::string& arch, const std::string& why,
                                                const std::string& triple) const {
  return Error{.code = ErrorCode::UnknownArchitecture,
               .message = name + ": architecture '" + arch + "' " + why + didYouMean(arch, architectureNames(triple)),
               .hint = "`lathe targets " + name + "` lists the architectures",
               .target = name};
}

Result<Descriptor> DescriptorFile::Data::resolve(std::string_view asked) const {
  constexpr std::size_t longestName = 64;
  if (asked.size() > longestName) {
    return Error{.code = ErrorCode::UnknownArchitecture,
                 .message = name + ": an architecture's name has at most 64 characters",
                 .target = name};
  }
  std::string arch(asked.empty() ? std::string_view(architectures.defaultName) : asked);
  if (const auto alias = architectures.aliases.find(arch); alias != architectures.aliases.end()) arch = alias->second;
  const bool native = arch == "native" && architectures.native == "host";
  if (native) arch = llvm::sys::getHostCPUName().str();

  const ArchitectureMatch found = match(architectures, arch);
  Descriptor descriptor = merged(arch, found.ordinal);
  descriptor.archIsNative = native;
  if (!found.matches)
    return unknownArchitecture(arch, "does not match '" + architectures.pattern + "'", descriptor.triple);
  if (architectures.minimum && found.ordinal.value_or(0) < *architectures.minimum) {
    return unknownArchitecture(
        arch,
        "is older than " + architectures.prefix + std::to_string(*architectures.minimum) + ", the first supported",
        descriptor.triple);
  }
  if (!architectures.triples.empty()) {
    if (architectures.triples.contains(arch)) return descriptor;
    return unknownArchitecture(arch, "is not one of architectures.triples", descriptor.triple);
  }
  const auto subtarget = subtargetOf(descriptor.triple);
  if (subtarget && !subtarget->getAllProcessorDescriptions().empty() && !subtarget->isCPUStringValid(arch)) {
    return unknownArchitecture(arch, "is not known to LLVM", descriptor.triple);
  }
  if (subtarget && !hasWidthOf(descriptor.triple, arch)) {
    const unsigned bits = llvm::Triple(descriptor.triple).isArch64Bit() ? 64 : 32;
    return unknownArchitecture(
        arch, "is no processor of " + std::to_string(bits) + " bits, as '" + descriptor.triple + "' needs",
        descriptor.triple);
  }
  return descriptor;
}

/// What decides which architectures there are.
void DescriptorFile::Data::checkRules(std::vector<YamlDiagnostic>& diagnostics) const {
  for (const auto& [alias, arch] : architectures.aliases) {
    if (!match(architectures, arch).matches) {
      diagnostics.push_back({placeOf(root(), {"architectures", "aliases", alias}),
                             "architectures.aliases: '" + arch + "' does not match '" + architectures.pattern + "'"});
    }
  }
  for (const WhenClause& clause : chain.back()->when) {
    if (!clause.archAtLeast.empty() && !match(architectures, clause.archAtLeast).ordinal) {
      diagnostics.push_back({placeOf(root(), {"when"}), "when.arch_at_least: '" + clause.archAtLeast +
                                                            "' has no ordinal in '" + architectures.pattern +
                                                            "'; use arch_matches"});
    }
  }
}

/// What only the merged documents show, at the default architecture, which is resolved with this.
void DescriptorFile::Data::checkWhole(std::vector<YamlDiagnostic>& diagnostics) {
  const auto report = [&](std::initializer_list<std::string_view> path, const std::string& message,
                          std::string hint = {}) {
    diagnostics.push_back({placeOf(root(), path), message, std::move(hint)});
  };
  auto byDefault = resolve("");
  // A runtime's "native" is not known here, and need not be while no job asks for it.
  const bool known = architectures.defaultName != "native" || architectures.native == "host";
  if (!byDefault && known) {
    return report({"architectures", "default"}, "architectures.default: " + byDefault.error().message,
                  byDefault.error().hint);
  }
  const Descriptor whole = byDefault ? *std::move(byDefault) : merged(architectures.defaultName, std::nullopt);
  if (whole.triple.empty()) return report({}, "key 'triple' is missing");
  const auto& formats = whole.emit.formats;
  if (const std::string& format = whole.emit.defaultFormat; std::ranges::find(formats, format) == formats.end()) {
    report({"emit", "default"}, "emit.default: '" + format + "' is not in emit.formats");
  }
  if ((std::ranges::find(formats, "linked") != formats.end()) == whole.emit.link.empty()) {
    report({"emit", "link"}, "emit.link: format 'linked' and a way to link need each other",
           whole.emit.link.empty()
               ? "name a way to link (link: elf-library), or leave 'linked' out of emit.formats"
               : "add 'linked' to emit.formats, or write link: '' where LLD cannot link for the machine");
  }
  if ((whole.pipeline == PipelineKind::groups) != (whole.kernel.aggregates == AggregatePassing::packed)) {
    report({"kernel", "aggregates"}, "kernel.aggregates: 'packed' and 'pipeline: groups' need each other");
  }
  if (whole.kernel.hostStubs && whole.pipeline != PipelineKind::groups) {
    report({"kernel", "host_stubs"}, "kernel.host_stubs: a host stub runs whole groups and needs 'pipeline: groups'");
  }
  const std::string owner = intrinsicOwnerOf(whole.triple);
  for (const auto& [entry, mapping] : whole.intrinsics) {
    const std::string of = intrinsicOwner(mapping.name);
    if (!of.empty() && of != owner) {
      report({"intrinsics", entry},
             "intrinsics." + entry + ": " + mapping.name + " belongs to another back end than " + whole.triple);
    }
  }
  checkEffects(whole, root(), diagnostics);
  if (known && diagnostics.empty()) resolved.try_emplace("", std::make_shared<const Descriptor>(whole));
}

Result<DescriptorFile> DescriptorFile::load(std::string text, std::string origin, Lookup lookup) {
  std::vector<YamlDiagnostic> diagnostics;
  auto root = knownTree(text);
  if (!root) root = parseYaml(text, diagnostics);
  if (!root) return invalidDescriptor(std::move(diagnostics), text, origin);
  auto document = std::make_shared<Document>();
  document->root = std::move(*root);
  document->when = readWhen(document->root, diagnostics);
  checkDocument(*document, diagnostics);

  auto data = std::make_shared<Data>();
  if (const auto* extends = document->root.find("extends"); extends && !extends->value.text.empty()) {
    auto base = lookup(extends->value.text);
    if (base) {
      data->chain = base->data_->chain;
      data->bytes = base->bytes();
    } else if (base.error().code == ErrorCode::DescriptorInvalid && !base.error().diagnostics.empty()) {
      base.error().notes.push_back(
          {.message = "extended here", .location = {origin, extends->at.line, extends->at.column}, .snippet = ""});
      return std::move(base).error();
    } else {
      diagnostics.push_back({extends->value.at, "extends: " + base.error().message, base.error().hint});
    }
  }
  if (!diagnostics.empty()) return invalidDescriptor(std::move(diagnostics), text, origin);

  data->name = document->root.find("name")->value.text;
  data->origin = std::move(origin);
  data->bytes += text;
  data->chain.push_back(std::move(document));
  data->architectures = data->mergedRules();
  data->checkRules(diagnostics);
  if (diagnostics.empty()) data->checkWhole(diagnostics);
  if (!diagnostics.empty()) return invalidDescriptor(std::move(diagnostics), text, data->origin);
  return DescriptorFile(std::move(data));
}

const std::string& DescriptorFile::name() const {
  return data_->name;
}
const std::string& DescriptorFile::origin() const {
  return data_->origin;
}
const std::string& DescriptorFile::bytes() const {
  return data_->bytes;
}
const ArchitectureRules& DescriptorFile::architectures() const {
  return data_->architectures;
}

std::string DescriptorFile::plugin() const {
  const auto* const member = data_->root().find("plugin");
  return member ? member->value.text : "";
}

std::optional<DescriptorFile::KeyPlace> DescriptorFile::whereSet(std::initializer_list<std::string_view> path,
                                                                 const Descriptor& resolved) const {
  const auto lineIn = [&](const YamlNode& root) -> std::uint32_t {
    const YamlNode* node = &root;
    std::uint32_t line = 0;
    for (const auto step : path) {
      const auto* const member = node->find(step);
      if (!member) return 0;
      line = member->at.line;
      node = &member->value;
    }
    return line;
  };
  for (std::size_t i = data_->chain.size(); i-- > 0;) {
    const Document& document = *data_->chain[i];
    for (std::size_t k = document.when.size(); k-- > 0;) {
      const WhenClause& clause = document.when[k];
      if (!clause.then || !data_->applies(clause, resolved.arch, resolved.ordinal)) continue;
      if (const auto line = lineIn(*clause.then)) return KeyPlace{i, line};
    }
    if (const auto line = lineIn(document.root)) return KeyPlace{i, line};
  }
  return std::nullopt;
}

std::vector<std::string> DescriptorFile::architectureNames() const {
  return data_->architectureNames(data_->merged(data_->architectures.defaultName, std::nullopt).triple);
}

Result<std::shared_ptr<const Descriptor>> DescriptorFile::resolved(std::string_view arch) const {
  {
    const std::lock_guard lock(data_->mutex);
    if (const auto at = data_->resolved.find(arch); at != data_->resolved.end()) return at->second;
  }
  auto descriptor = data_->resolve(arch);
  if (!descriptor) return std::move(descriptor).error();
  auto shared = std::make_shared<const Descriptor>(*std::move(descriptor));
  // Only architectures that exist get here, which bounds the map.
  const std::lock_guard lock(data_->mutex);
  return data_->resolved.try_emplace(std::string(arch), std::move(shared)).first->second;
}

Result<Descriptor> DescriptorFile::resolve(std::string_view arch, std::string* resolvedArch) const {
  auto descriptor = resolved(arch);
  if (!descriptor) return std::move(descriptor).error();
  if (resolvedArch) *resolvedArch = (*descriptor)->arch;
  return **descriptor;
}

}  // namespace lathe::detail
