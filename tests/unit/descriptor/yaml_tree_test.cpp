// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// YAML trees: positions, quoting and merging.
#include "core/descriptor/yaml_tree.h"

#include <gtest/gtest.h>

namespace lathe::detail {
namespace {

YamlNode parsed(std::string_view text) {
  std::vector<YamlDiagnostic> diagnostics;
  auto root = parseYaml(text, diagnostics);
  EXPECT_TRUE(root && diagnostics.empty()) << (diagnostics.empty() ? "" : diagnostics.front().message);
  return root ? *std::move(root) : YamlNode{};
}

/// The tree as one line, without positions.
std::string shown(const YamlNode& node) {
  std::string out;
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "~";
    case YamlNode::Kind::scalar:
      return node.quoted ? "'" + node.text + "'" : node.text;
    case YamlNode::Kind::list:
      for (const auto& item : node.items) out += (out.empty() ? "" : " ") + shown(item);
      return "[" + out + "]";
    case YamlNode::Kind::map:
      for (const auto& member : node.members) out += (out.empty() ? "" : " ") + member.key + ":" + shown(member.value);
      return "{" + out + "}";
  }
  return out;
}

TEST(YamlTree, KnowsWhereThingsAre) {
  const YamlNode root = parsed("a: 1\nb:\n  - x\n  - {c: 'd'}\n");
  ASSERT_NE(root.find("b"), nullptr);
  EXPECT_EQ(root.find("b")->at, (YamlPosition{2, 1}));
  const YamlNode& list = root.find("b")->value;
  ASSERT_EQ(list.items.size(), 2U);
  EXPECT_EQ(list.items[0].at, (YamlPosition{3, 5}));
  EXPECT_EQ(list.items[1].find("c")->at, (YamlPosition{4, 6}));
  EXPECT_EQ(list.items[1].find("c")->value.at, (YamlPosition{4, 9}));
  EXPECT_EQ(root.find("c"), nullptr);
}

TEST(YamlTree, TellsTextFromNumbers) {
  EXPECT_EQ(shown(parsed("{a: 1, b: '1', c: \"x\", d: , e: [~, y]}")), "{a:1 b:'1' c:'x' d:~ e:[~ y]}");
}

TEST(YamlTree, MergesMapsAndReplacesTheRest) {
  YamlNode base = parsed("{a: 1, m: {x: 1, y: {z: 1}}, l: [1, 2], s: text}");
  mergeOver(base, parsed("{m: {y: {w: 2}, x: 3}, l: [9], s: {now: map}, n: new}"));
  EXPECT_EQ(shown(base), "{a:1 m:{x:3 y:{z:1 w:2}} l:[9] s:{now:map} n:new}");
}

}  // namespace
}  // namespace lathe::detail
