// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `intrinsics` of a descriptor: device ABI entry → LLVM intrinsic. Both sides are checked against their tables, and
// the arguments against both signatures, so that lowering meets no surprise. And `lacks`: entry → why there is none.
// What stands later holds.
#include <algorithm>
#include <optional>

#include "llvm/ADT/StringRef.h"

#include "core/abi/device_abi.h"
#include "core/descriptor/llvm_facts.h"
#include "core/descriptor/schema.h"

namespace lathe::detail {
namespace {

/// $0, $1 … or a number.
void checkArgument(SchemaReader& reader, const YamlNode& in, const AbiEntry& entry) {
  llvm::StringRef text = in.text;
  std::int64_t number = 0;
  const auto parameters = entry.signature.size() - 1;
  if (text.consume_front("$")) {
    std::size_t index = 0;
    if (text.getAsInteger(10, index) || index >= parameters) {
      reader.fail(in.at, "'" + in.text + "' is no parameter of the entry, which has " + std::to_string(parameters));
    }
  } else if (text.getAsInteger(0, number)) {
    reader.fail(in.at, "expected $N or a whole number, found '" + in.text + "'");
  }
}

void checkIntrinsic(SchemaReader& reader, const YamlNode& in, const IntrinsicMapping& mapping, const AbiEntry& entry) {
  const IntrinsicFacts facts = intrinsicFacts(mapping.name);
  if (!facts.known) return reader.failUnknown(in.at, "intrinsic", mapping.name, intrinsicNames(mapping.name));
  const auto given = mapping.explicitArguments ? mapping.arguments.size() : entry.signature.size() - 1;
  if (!facts.overloaded && given != facts.parameters) {
    reader.fail(in.at, "number of arguments: " + mapping.name + " takes " + std::to_string(facts.parameters) +
                           ", the mapping gives " + std::to_string(given));
  }
}

struct MappingMap {
  IntrinsicMapping mapping;
  const AbiEntry* entry = nullptr;
};

constexpr Field<MappingMap> mappingFields[] = {
    {"intrinsic", "text", "the LLVM intrinsic",
     [](SchemaReader& reader, const YamlNode& in, MappingMap& out) { reader.read(in, out.mapping.name); }},
    {"arguments", "list", "`$0`, `$1` … for the entry's own arguments, or whole numbers",
     [](SchemaReader& reader, const YamlNode& in, MappingMap& out) {
       out.mapping.explicitArguments = true;
       reader.read(in, out.mapping.arguments);
       for (const YamlNode& item : in.items) checkArgument(reader, item, *out.entry);
     }},
};

IntrinsicMapping readMapping(SchemaReader& reader, const YamlNode& in, const AbiEntry& entry) {
  MappingMap map{{}, &entry};
  IntrinsicMapping& mapping = map.mapping;
  const YamlNode* name = &in;
  if (in.isMap()) {
    reader.readFields(in, map, std::span<const Field<MappingMap>>(mappingFields));
    const auto* member = in.find("intrinsic");
    if (!member) {
      reader.fail(in.at, "key 'intrinsic' is missing");
      return mapping;
    }
    name = &member->value;
  } else {
    reader.read(in, mapping.name);
    if (mapping.name == "absent") {
      reader.fail(in.at,
                  "'absent' is not written: an entry that nothing provides is absent; 'lacks' takes one away and "
                  "says why");
      return mapping;
    }
  }
  if (name->kind == YamlNode::Kind::scalar) checkIntrinsic(reader, *name, mapping, entry);
  return mapping;
}

/// A group of entries under one name: "subgroup". Nothing if no group is called so.
std::optional<AbiGroup> groupNamed(std::string_view name) {
  constexpr std::string_view names[] = {"indexing", "barrier", "subgroup", "atomic", "memory", "matrix", "query", "service"};
  static_assert(static_cast<std::size_t>(AbiGroup::subgroup) == 2 &&
                static_cast<std::size_t>(AbiGroup::service) == std::size(names) - 1);
  const auto at = std::ranges::find(names, name);
  if (at == std::end(names)) return std::nullopt;
  return static_cast<AbiGroup>(at - std::begin(names));
}

/// The entry that a member's key names; null, and an error, if it names none that a target can have.
const AbiEntry* entryNamed(SchemaReader& reader, const YamlNode::Member& member) {
  const AbiEntry* const entry = member.key.starts_with("__") ? nullptr : findAbiEntry(member.key);
  if (!entry) {
    std::vector<std::string> names;
    for (const AbiEntry& known : deviceAbi()) names.emplace_back(known.name);
    reader.failUnknown(member.at, "device ABI entry", member.key, names);
  } else if (entry->lowering == AbiLowering::folded) {
    reader.fail(member.at, "'" + member.key + "' is folded to a constant and cannot be mapped");
    return nullptr;
  }
  return entry;
}

}  // namespace

void readIntrinsics(SchemaReader& reader, const YamlNode& in, Descriptor& out) {
  if (!reader.expect(in, YamlNode::Kind::map, "a map")) return;
  for (const auto& member : in.members) {
    const bool isAbsentGroup = groupNamed(member.key) && member.value.text == "absent";
    const AbiEntry* const entry = isAbsentGroup ? &deviceAbi().front() : entryNamed(reader, member);
    if (!entry) continue;
    reader.within(member.key, [&] {
      IntrinsicMapping mapping = readMapping(reader, member.value, *entry);
      if (!isAbsentGroup) out.intrinsics[member.key] = std::move(mapping);
    });
  }
}

void readLacks(SchemaReader& reader, const YamlNode& in, Descriptor& out) {
  if (!reader.expect(in, YamlNode::Kind::map, "a map")) return;
  for (const auto& member : in.members) {
    const auto group = groupNamed(member.key);
    const AbiEntry* const single = group ? nullptr : entryNamed(reader, member);
    if (!group && !single) continue;
    std::string reason;
    reader.within(member.key, [&] { reader.read(member.value, reason); });
    for (const AbiEntry& entry : deviceAbi()) {
      if (&entry == single || (group && entry.group == *group && entry.lowering != AbiLowering::folded))
        out.lacks[std::string(entry.name)] = reason;
    }
  }
  std::erase_if(out.lacks, [](const auto& one) { return one.second.empty(); });
}

}  // namespace lathe::detail
