// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars, maps of text, and how diagnostics are worded.
#include "core/descriptor/schema_reader.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "llvm/ADT/StringRef.h"

#include "core/support/nearest.h"

namespace lathe::detail {
namespace {

/// Keys and values that have another name now.
struct Renamed {
  std::string_view path;  ///< where it stood, without the numbers of list items
  std::string_view old;
  std::string_view now;
};
constexpr Renamed renamed[] = {
    {"", "items", "'pipeline: items' or 'pipeline: groups'"},
    {"", "module", "'pipeline: module'"},
    {"", "expand", "'legalize'"},
    {"", "cuda_arch", "'arch_macro'"},
    {"frontend", "plain", "'native'"},
    {"forbid", "odd_integers", "'illegal_integers'"},
    {"forbid", "small_atomics", "'partword_atomics'"},
    {"legalize", "small_atomics", "'partword_atomics'"},
    {"address_spaces", "tables", "'constant_data'"},
    {"kernel", "launchers", "'host_stubs'"},
    {"device_libraries", "resident", "'provided_by_backend'"},
    {"codegen", "least_level", "'min_opt_level'"},
};

/// The new name of what stood at `path`, or "".
std::string_view newName(std::string_view path, std::string_view old) {
  constexpr std::string_view conditional = "when.then";
  if (path.starts_with(conditional)) path.remove_prefix(std::min(path.size(), conditional.size() + 1));
  const std::string_view place = path.substr(0, path.find('['));
  const auto found =
      std::ranges::find_if(renamed, [&](const Renamed& one) { return one.path == place && one.old == old; });
  return found == std::end(renamed) ? std::string_view() : found->now;
}

}  // namespace

void SchemaReader::fail(YamlPosition at, const std::string& message, std::string hint) {
  diagnostics_.push_back({at, path_.empty() ? message : path_ + ": " + message, std::move(hint)});
}

void SchemaReader::failUnknown(YamlPosition at, std::string_view what, std::string_view name,
                               const std::vector<std::string>& known) {
  const auto near = nearest(name, known, 1);
  std::string hint;
  if (const std::string_view now = newName(path_, name); !now.empty()) {
    hint = "it is " + std::string(now) + " now";
  } else if (!near.empty()) {
    hint = "did you mean '" + near.front() + "'?";
  } else if (known.size() <= 20) {
    hint = "known:";
    for (const auto& one : known) hint += (hint.back() == ':' ? " " : ", ") + one;
  }
  fail(at, "unknown " + std::string(what) + " '" + std::string(name) + "'", std::move(hint));
}

void SchemaReader::wrong(const YamlNode& in, std::string_view wanted) {
  std::string found(kindName(in));
  if (in.kind == YamlNode::Kind::scalar) found = "'" + llvm::StringRef(in.text).take_front(40).str() + "'";
  fail(in.at, "expected " + std::string(wanted) + ", found " + found,
       in.quoted ? "remove the quotes if that is what you meant" : "");
}

bool SchemaReader::expect(const YamlNode& in, YamlNode::Kind kind, std::string_view wanted) {
  if (in.kind == kind) return true;
  wrong(in, wanted);
  return false;
}

void SchemaReader::read(const YamlNode& in, std::string& out) {
  if (expect(in, YamlNode::Kind::scalar, "text")) out = in.text;
}

void SchemaReader::read(const YamlNode& in, bool& out) {
  if (in.kind != YamlNode::Kind::scalar || in.quoted || (in.text != "true" && in.text != "false")) {
    return wrong(in, "true or false");
  }
  out = in.text == "true";
}

void SchemaReader::read(const YamlNode& in, std::uint64_t& out) {
  const bool plain = in.kind == YamlNode::Kind::scalar && !in.quoted;
  if (!plain || llvm::StringRef(in.text).getAsInteger(0, out)) wrong(in, "a whole number");
}

void SchemaReader::read(const YamlNode& in, unsigned& out) {
  const bool plain = in.kind == YamlNode::Kind::scalar && !in.quoted;
  if (!plain || llvm::StringRef(in.text).getAsInteger(0, out)) wrong(in, "a whole number below 2^32");
}

void SchemaReader::read(const YamlNode& in, std::map<std::string, std::string>& out) {
  if (!expect(in, YamlNode::Kind::map, "a map")) return;
  out.clear();
  for (const auto& member : in.members) within(member.key, [&] { read(member.value, out[member.key]); });
}

}  // namespace lathe::detail
