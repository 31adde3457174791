// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A YAML document as a plain tree whose every node knows its line and column. The subset is what a descriptor needs:
// one document of maps, lists and scalars. Anchors, aliases and tags are refused, which leaves no document that is much
// larger parsed than written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lathe::detail {

/// Counted from 1.
struct YamlPosition {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  auto operator<=>(const YamlPosition&) const = default;
};

/// Something wrong at a place of a descriptor. `hint` may be empty.
struct YamlDiagnostic {
  YamlPosition at;
  std::string message;
  std::string hint = {};
};

struct YamlNode {
  enum class Kind : std::uint8_t { null, scalar, list, map };
  struct Member;

  Kind kind = Kind::null;
  bool quoted = false;  ///< a scalar in quotes: text, never a number or a truth value
  YamlPosition at;
  std::string text;
  std::vector<YamlNode> items;
  std::vector<Member> members;

  [[nodiscard]] bool isMap() const { return kind == Kind::map; }
  /// The member of that key, or null.
  [[nodiscard]] const Member* find(std::string_view key) const;
};

struct YamlNode::Member {
  std::string key;
  YamlPosition at;
  YamlNode value;
};

/// "a map", "a list", "text", "nothing".
[[nodiscard]] std::string_view kindName(const YamlNode& node);

/// Reads `text`. What is wrong goes to `diagnostics`; nothing is returned if no tree could be made.
[[nodiscard]] std::optional<YamlNode> parseYaml(std::string_view text, std::vector<YamlDiagnostic>& diagnostics);

/// Lays `over` on `base`: maps merge key by key, everything else replaces what was there.
void mergeOver(YamlNode& base, const YamlNode& over);

}  // namespace lathe::detail
