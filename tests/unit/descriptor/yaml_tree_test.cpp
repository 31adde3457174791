// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// YAML trees: positions, quoting and merging; the same trees as bytes.
#include "core/descriptor/yaml_tree.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/descriptor/packed_tree.h"

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

bool operator==(const YamlNode& a, const YamlNode& b);

bool operator==(const YamlNode::Member& a, const YamlNode::Member& b) {
  return a.key == b.key && a.at == b.at && a.value == b.value;
}

bool operator==(const YamlNode& a, const YamlNode& b) {
  return a.kind == b.kind && a.quoted == b.quoted && a.at == b.at && a.text == b.text &&
         std::ranges::equal(a.items, b.items, [](const YamlNode& x, const YamlNode& y) { return x == y; }) &&
         std::ranges::equal(a.members, b.members, [](const auto& x, const auto& y) { return x == y; });
}

TEST(PackedTree, IsTheTree) {
  for (const std::string_view text :
       {"{}", "{a: 1, b: '1', c: , d: [~, [], {e: \"\", f: {}}]}", "a:\n  - b\n  - c: d\n"}) {
    const YamlNode root = parsed(text);
    const auto again = unpackTree(packTree(root));
    ASSERT_TRUE(again) << text;
    EXPECT_TRUE(*again == root) << text;
  }
}

TEST(PackedTree, IsReadWholeOrNotAtAll) {
  const std::string bytes = packTree(parsed("{a: 1, b: [x, {y: z}]}"));
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(unpackTree(bytes.substr(0, size))) << size;
  EXPECT_FALSE(unpackTree(bytes + "x"));
  std::string kind = bytes;
  kind[0] = 9;
  EXPECT_FALSE(unpackTree(kind));
  EXPECT_FALSE(unpackTree(packTree(YamlNode{})));  // no map
}

TEST(PackedTree, OfADescriptorIsThatOfItsText) {
  EXPECT_GT(packedDescriptors().size(), 10U);
  for (const PackedDescriptor& descriptor : packedDescriptors()) {
    const auto tree = knownTree(descriptor.text);
    ASSERT_TRUE(tree) << descriptor.text;
    EXPECT_TRUE(*tree == parsed(descriptor.text)) << descriptor.text;
    EXPECT_FALSE(knownTree(std::string(descriptor.text) + " "));
  }
}

}  // namespace
}  // namespace lathe::detail
