// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/commands/bpf/maps.h"

#include <fmt/format.h>

#include "tools/lathe/arguments/value.h"
#include "tools/lathe/commands/bpf/object.h"
#include "tools/lathe/output/table.h"
#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

using Bytes = std::vector<std::byte>;

/// The map that a number, the path of a pin, or a name that only one has stands for.
Result<bpf::RawMap> mapNamed(const std::string& text) {
  if (text.find('/') != std::string::npos) return bpf::RawMap::ofPin(text);
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() < 10)
    return bpf::RawMap::ofId(static_cast<std::uint32_t>(std::stoul(text)));
  const auto maps = bpf::loadedMaps();
  if (!maps) return maps.error();
  std::vector<std::uint32_t> found;
  for (const bpf::LoadedMap& map : *maps) {
    if (map.name == text) found.push_back(map.id);
  }
  if (found.size() == 1) return bpf::RawMap::ofId(found.front());
  Error error{ErrorCode::InvalidArgument, fmt::format("map '{}': there is none of that name", text)};
  if (!found.empty())
    error.message = fmt::format("map '{}': there are several: {}; give its number", text, fmt::join(found, ", "));
  error.hint = "`lathe bpf maps` lists them";
  return error;
}

/// The bytes of a key or value from JSON by its type, or from hex:DIGITS.
Result<Bytes> bytesOf(const std::string& text, const TypeLayout& type, const std::string& subject) {
  constexpr std::string_view digits = "hex:";
  Bytes out(type.size);
  if (text.starts_with(digits)) {
    Bytes given;
    if (!parseHex(std::string_view(text).substr(digits.size()), given) || given.size() != type.size)
      return Error{ErrorCode::ArgumentMismatch, fmt::format("{}: '{}' is not {} bytes", subject, text, type.size)};
    return given;
  }
  TypeLayout known = type;
  if (known.kind == TypeKind::opaque && (type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8)) {
    known.kind = TypeKind::unsignedInteger;
    known.name = "number";
  }
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) value = text;
  if (auto done = encodeJson(value, known, out, subject); !done) return std::move(done).error();
  return out;
}

Error hasNoKeys(const bpf::RawMap& map) {
  return {ErrorCode::Unsupported, fmt::format("map '{}': a {} has no keys to read by", map.name(), map.kind())};
}

}  // namespace

void BpfMaps::configure(CLI::App& app) {
  app.require_subcommand(0, 1);
  app.add_subcommand("list", "list all maps (the default)");
  dump_ = app.add_subcommand("dump", "show the entries of a map");
  lookup_ = app.add_subcommand("lookup", "show the value of a key");
  update_ = app.add_subcommand("update", "set the value of a key, of a per-CPU map on all CPUs");
  delete_ = app.add_subcommand("delete", "erase a key");
  for (CLI::App* const sub : {dump_, lookup_, update_, delete_})
    sub->add_option("map", map_, "its number, its name if only one has it, or the file it is pinned to")
        ->type_name("MAP")
        ->required();
  addNumber(*dump_, "--entries", entries_, "most entries that are shown (default: 0, all)", "N");
  for (CLI::App* const sub : {lookup_, update_, delete_})
    sub->add_option("key", key_, "JSON by the key's type, or hex:DIGITS")->type_name("KEY")->required();
  update_->add_option("value", value_, "JSON by the value's type, or hex:DIGITS")->type_name("VALUE")->required();
  update_->add_option("--mode", mode_, "any, new (only if it is not there) or present (only if it is; default: any)")
      ->check(CLI::IsMember({"any", "new", "present"}))
      ->type_name("MODE");
  for (CLI::App* const sub : app.get_subcommands({})) sub->fallthrough();
}

ExitCode BpfMaps::run(Output& out) const {
  if (map_.empty()) return list(out);
  const auto map = mapNamed(map_);
  if (!map) return out.fail(map.error());
  const auto types = bpf::typesOf(*map);
  if (!types) return out.fail(types.error());
  if (map->keyBytes() == 0) return out.fail(hasNoKeys(*map));
  return *dump_ ? dump(*map, *types, out) : entry(*map, *types, out);
}

ExitCode BpfMaps::list(Output& out) {
  const auto maps = bpf::loadedMaps();
  if (!maps) return out.fail(maps.error());
  constexpr auto right = Table::Align::right;
  Table table({{"number", right}, {"map"}, {"kind"}, {"key", right}, {"value", right}, {"entries", right}, {"types"}});
  Json rows = Json::array();
  for (const bpf::LoadedMap& map : *maps) {
    table.add({std::to_string(map.id), map.name, map.kind, std::to_string(map.keyBytes), std::to_string(map.valueBytes),
               std::to_string(map.maxEntries), map.hasTypes ? "yes" : ""});
    rows.push_back({{"id", map.id},
                    {"name", map.name},
                    {"kind", map.kind},
                    {"keyBytes", map.keyBytes},
                    {"valueBytes", map.valueBytes},
                    {"entries", map.maxEntries},
                    {"types", map.hasTypes}});
  }
  if (out.json())
    out.document({{"maps", std::move(rows)}});
  else
    out.text(table.render(out));
  return ExitCode::ok;
}

ExitCode BpfMaps::dump(const bpf::RawMap& map, const bpf::MapTypes& types, Output& out) const {
  auto entries = entriesOf(map, {&types.key, &types.value}, entries_ == 0 ? SIZE_MAX : entries_);
  if (!entries) return out.fail(entries.error());
  for (const Json& entry : *entries)
    out.text(fmt::format("{}: {}\n", entry["key"].dump(), entry[map.isPerCpu() ? "values" : "value"].dump()));
  if (out.json()) out.document({{"name", map.name()}, {"kind", map.kind()}, {"entries", *std::move(entries)}});
  return ExitCode::ok;
}

ExitCode BpfMaps::entry(const bpf::RawMap& map, const bpf::MapTypes& types, Output& out) const {
  const auto key = bytesOf(key_, types.key, "key");
  if (!key) return out.fail(key.error());
  const Error absent{ErrorCode::InvalidArgument, fmt::format("map '{}': there is no key {}", map.name(), key_)};
  if (*delete_) {
    const auto erased = map.erase(*key);
    if (!erased) return out.fail(erased.error());
    if (!*erased) return out.fail(absent);
    if (out.json()) out.document({{"deleted", shownValue(&types.key, *key)}});
    return ExitCode::ok;
  }
  Bytes value(map.valuesPerKey() * map.valueStride());
  if (*update_) {
    const auto one = bytesOf(value_, types.value, "value");
    if (!one) return out.fail(one.error());
    for (std::size_t i = 0; i < map.valuesPerKey(); ++i)
      std::memcpy(value.data() + i * map.valueStride(), one->data(), one->size());
    const auto mode = mode_ == "new"       ? bpf::UpdateMode::onlyNew
                      : mode_ == "present" ? bpf::UpdateMode::onlyPresent
                                           : bpf::UpdateMode::any;
    if (auto done = map.update(*key, value, mode); !done) return out.fail(done.error());
    if (out.json()) out.document({{"updated", shownValue(&types.key, *key)}});
    return ExitCode::ok;
  }
  const auto found = map.lookup(*key, value);
  if (!found) return out.fail(found.error());
  if (!*found) return out.fail(absent);
  const Json row = entryOf(map, {&types.key, &types.value}, *key, value);
  out.text(row[map.isPerCpu() ? "values" : "value"].dump() + "\n");
  if (out.json()) out.document(row);
  return ExitCode::ok;
}

}  // namespace lathe::tool
