// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of keys that need another one to mean anything.
#include "core/descriptor/effects.h"

#include <algorithm>
#include <array>

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
  // Subgroups of groups that are loops are made by device code, whose subgroups have one size.
  constexpr unsigned madeSize = 32;
  const YamlNode::Member* const subgroup = document.find("subgroup");
  if (subgroup && hasGroups(whole) && whole.subgroupSizes != std::vector<unsigned>{madeSize}) {
    diagnostics.push_back(
        {subgroup->at, "subgroup.size: where items are loops, a subgroup has " + std::to_string(madeSize) + " items"});
  }
}

}  // namespace lathe::detail
