// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads YAML nodes into C++ values by their type, and maps into structs by a table of fields. Everything that does not
// fit becomes a diagnostic with its place and, where a name was wrong, the nearest right one; reading goes on behind
// it.
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/descriptor/yaml_tree.h"

namespace lathe::detail {

class SchemaReader;

/// One key of a map that becomes a T.
template <class T>
struct Field {
  std::string_view key;
  std::string_view type;     ///< for docs/descriptor.md
  std::string_view meaning;  ///< for docs/descriptor.md
  void (*read)(SchemaReader&, const YamlNode&, T&);
  /// Which architecture is meant must not depend on the architecture: such keys cannot stand in a `when`.
  bool unconditional = false;
};

/// The keys of the map that becomes a T; specialised in schema.h.
template <class T>
std::span<const Field<T>> fieldsOf();

class SchemaReader {
 public:
  /// `conditional`: the node is the `then` of a `when`.
  explicit SchemaReader(std::vector<YamlDiagnostic>& diagnostics, bool conditional = false)
      : diagnostics_(diagnostics), conditional_(conditional) {}

  void fail(YamlPosition at, const std::string& message, std::string hint = {});
  /// "unknown WHAT 'NAME'", with the nearest of `known`, or all where they are few.
  void failUnknown(YamlPosition at, std::string_view what, std::string_view name,
                   const std::vector<std::string>& known);

  void read(const YamlNode& in, std::string& out);
  void read(const YamlNode& in, bool& out);
  void read(const YamlNode& in, std::uint64_t& out);
  void read(const YamlNode& in, unsigned& out);
  void read(const YamlNode& in, std::optional<unsigned>& out) { read(in, out.emplace()); }
  void read(const YamlNode& in, std::map<std::string, std::string>& out);
  template <class T>
  void read(const YamlNode& in, std::vector<T>& out) {
    if (!expect(in, YamlNode::Kind::list, "a list")) return;
    out.assign(in.items.size(), T{});
    for (std::size_t i = 0; i < out.size(); ++i)
      within("[" + std::to_string(i) + "]", [&] { read(in.items[i], out[i]); });
  }
  template <class T, std::size_t n>
  void read(const YamlNode& in, std::array<T, n>& out) {
    std::vector<T> values;
    read(in, values);
    if (in.kind != YamlNode::Kind::list) return;
    if (values.size() != n)
      return fail(in.at, "expected " + std::to_string(n) + " values, found " + std::to_string(values.size()));
    for (std::size_t i = 0; i < n; ++i) out[i] = values[i];
  }
  /// A map into a struct.
  template <class T>
    requires requires { fieldsOf<T>(); }
  void read(const YamlNode& in, T& out) {
    readFields(in, out, fieldsOf<T>());
  }
  template <class T>
  void readFields(const YamlNode& in, T& out, std::span<const Field<T>> fields) {
    if (!expect(in, YamlNode::Kind::map, "a map")) return;
    for (const auto& member : in.members) {
      const Field<T>* field = nullptr;
      for (const auto& candidate : fields) {
        if (candidate.key == member.key) field = &candidate;
      }
      if (!field) {
        std::vector<std::string> known;
        for (const auto& candidate : fields) known.emplace_back(candidate.key);
        failUnknown(member.at, "key", member.key, known);
      } else if (conditional_ && field->unconditional) {
        fail(member.at, "'" + member.key + "' cannot depend on the architecture; move it out of `when`");
      } else {
        within(member.key, [&] { field->read(*this, member.value, out); });
      }
    }
  }

  /// False, and a diagnostic, unless `in` is of that kind.
  bool expect(const YamlNode& in, YamlNode::Kind kind, std::string_view wanted);
  /// Findings made by `visit` begin with this step of the path.
  template <class F>
  void within(std::string_view step, F&& visit) {
    const auto length = path_.size();
    if (!path_.empty() && !step.starts_with('[')) path_ += '.';
    path_ += step;
    visit();
    path_.resize(length);
  }

 private:
  void wrong(const YamlNode& in, std::string_view wanted);

  std::vector<YamlDiagnostic>& diagnostics_;
  std::string path_;
  bool conditional_;
};

}  // namespace lathe::detail
