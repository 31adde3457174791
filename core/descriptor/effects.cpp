// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of keys that need another one to mean anything.
#include "core/descriptor/effects.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace lathe::detail {
namespace {

bool hasItems(const Descriptor& whole) {
  return whole.pipeline != PipelineKind::groups;
}
bool hasGroups(const Descriptor& whole) {
  return whole.pipeline == PipelineKind::groups;
}
bool hasKernels(const Descriptor& whole) {
  return whole.pipeline != PipelineKind::module;
}
bool isModule(const Descriptor& whole) {
  return whole.pipeline == PipelineKind::module;
}
bool hasPrintf(const Descriptor& whole) {
  return !whole.print.function.empty();
}
bool expandsAtomics(const Descriptor& whole) {
  return std::ranges::find(whole.legalize, "atomics") != whole.legalize.end();
}

/// Items of the largest group that a launch may have along one axis (core/group/entry/group_entry.h).
constexpr std::uint64_t mostSubgroupGroupItems = std::uint64_t{1} << 16;

struct Need {
  std::string_view section;  ///< empty: a key of the document itself
  std::string_view key;
  bool (*met)(const Descriptor&);
  std::string_view remedy;  ///< what the key needs
};

constexpr std::string_view items = "hardware with items; leave it out with 'pipeline: groups'";
constexpr std::string_view groups = "'pipeline: groups'";
constexpr std::string_view kernels = "'pipeline: items' or 'pipeline: groups'";

constexpr std::array needs = {
    Need{"kernel", "global_pointers", hasItems, items},
    Need{"kernel", "byte_booleans", hasItems, items},
    Need{"kernel", "dynamic_shared", hasItems, items},
    Need{"kernel", "bounds", hasItems, items},
    Need{"kernel", "checks", hasGroups, groups},
    Need{"kernel", "parameter_bytes", hasKernels, kernels},
    Need{"kernel", "aggregates", hasKernels, kernels},
    Need{"kernel", "calling_convention", hasKernels, kernels},
    Need{"", "entry_kinds", isModule, "'pipeline: module'"},
    Need{"", "native_atomics", expandsAtomics, "'atomics' in 'legalize'"},
    Need{"printf", "format_space", hasPrintf, "'printf: {function: …}'"},
    Need{"printf", "long_long", hasPrintf, "'printf: {function: …}'"},
};

/// Where items are loops, subgroups are made by device code, which has them in some sizes, with places for the group's
/// items.
void checkGroupMachine(const Descriptor& whole, const YamlNode& document, std::vector<YamlDiagnostic>& diagnostics) {
  constexpr std::array<unsigned, 4> sizes = {8, 16, 32, 64};
  const auto refuse = [&](const YamlNode::Member& key, std::string message, std::string hint) {
    diagnostics.push_back({key.at, std::move(message), std::move(hint)});
  };
  const std::uint64_t limit = whole.limits.subgroupGroupItems;
  if (const YamlNode::Member* const subgroup = document.find("subgroup")) {
    const bool fits =
        whole.subgroupSizes.size() == 1 && std::ranges::find(sizes, whole.subgroupSizes.front()) != sizes.end();
    if (!fits)
      refuse(*subgroup, "subgroup.size: where items are loops, a subgroup has 8, 16, 32 or 64 items", "");
    else if (limit == 0)
      refuse(*subgroup, "subgroup.size: where items are loops, it needs a limit",
             "add 'limits: {subgroup_group_items: N}', the most items of a group that uses subgroups");
  }
  const YamlNode::Member* const limits = document.find("limits");
  const YamlNode::Member* const items = limits ? limits->value.find("subgroup_group_items") : nullptr;
  if (items && (limit == 0 || limit > mostSubgroupGroupItems)) {
    refuse(*items,
           "limits.subgroup_group_items: where items are loops, it is a number from 1 to " +
               std::to_string(mostSubgroupGroupItems),
           "");
  }
}

}  // namespace

void checkEffects(const Descriptor& whole, const YamlNode& document, std::vector<YamlDiagnostic>& diagnostics) {
  for (const Need& need : needs) {
    if (need.met(whole)) continue;
    const YamlNode::Member* const section = need.section.empty() ? nullptr : document.find(need.section);
    const YamlNode::Member* const found = need.section.empty() ? document.find(need.key)
                                          : section            ? section->value.find(need.key)
                                                               : nullptr;
    if (!found) continue;
    const std::string name = (need.section.empty() ? "" : std::string(need.section) + ".") + std::string(need.key);
    diagnostics.push_back({found->at, name + ": has no effect here", "it needs " + std::string(need.remedy)});
  }
  if (hasGroups(whole)) checkGroupMachine(whole, document, diagnostics);
}

}  // namespace lathe::detail
