// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node: its kind with a bit for quotes, line, column; then a scalar's text, or a count and so many nodes, or a count
// and so many keys (text, line, column) with their nodes.
#include "core/descriptor/packed_tree.h"

#include <algorithm>

#include "core/support/bytes.h"

namespace lathe::detail {
namespace {

constexpr std::uint8_t quotedBit = 0x80;
constexpr unsigned mostDepth = 64;
/// The kind and the place of a node, the least that one takes.
constexpr std::size_t leastNodeBytes = 1 + 2 * sizeof(std::uint32_t);

void writePlace(ByteWriter& out, YamlPosition at) {
  out.number(at.line);
  out.number(at.column);
}

YamlPosition readPlace(ByteReader& in) {
  YamlPosition at;
  at.line = in.number<std::uint32_t>();
  at.column = in.number<std::uint32_t>();
  return at;
}

void write(ByteWriter& out, const YamlNode& node) {
  out.number(static_cast<std::uint8_t>(static_cast<std::uint8_t>(node.kind) | (node.quoted ? quotedBit : 0)));
  writePlace(out, node.at);
  switch (node.kind) {
    case YamlNode::Kind::null:
      return;
    case YamlNode::Kind::scalar:
      return out.text(node.text);
    case YamlNode::Kind::list:
      out.number(static_cast<std::uint32_t>(node.items.size()));
      for (const YamlNode& item : node.items) write(out, item);
      return;
    case YamlNode::Kind::map:
      out.number(static_cast<std::uint32_t>(node.members.size()));
      for (const YamlNode::Member& member : node.members) {
        out.text(member.key);
        writePlace(out, member.at);
        write(out, member.value);
      }
      return;
  }
}

void read(ByteReader& in, YamlNode& node, unsigned depth) {
  const auto kind = in.number<std::uint8_t>();
  node.quoted = (kind & quotedBit) != 0;
  node.kind = static_cast<YamlNode::Kind>(kind & ~quotedBit);
  node.at = readPlace(in);
  if (depth == mostDepth) return in.fail();
  switch (node.kind) {
    case YamlNode::Kind::null:
      return;
    case YamlNode::Kind::scalar:
      node.text = in.text();
      return;
    case YamlNode::Kind::list:
      node.items.resize(in.count(leastNodeBytes));
      for (YamlNode& item : node.items) read(in, item, depth + 1);
      return;
    case YamlNode::Kind::map:
      node.members.resize(in.count(leastNodeBytes));
      for (YamlNode::Member& member : node.members) {
        member.key = in.text();
        member.at = readPlace(in);
        read(in, member.value, depth + 1);
      }
      return;
  }
  in.fail();
}

}  // namespace

std::string packTree(const YamlNode& root) {
  ByteWriter out;
  write(out, root);
  return out.take();
}

std::optional<YamlNode> unpackTree(std::string_view bytes) {
  ByteReader in(std::as_bytes(std::span(bytes)));
  YamlNode root;
  read(in, root, 0);
  if (!in.atEnd() || !root.isMap()) return std::nullopt;
  return root;
}

std::optional<YamlNode> knownTree(std::string_view text) {
  const auto all = packedDescriptors();
  const auto found = std::ranges::find(all, text, &PackedDescriptor::text);
  return found == all.end() ? std::nullopt : unpackTree(found->tree);
}

}  // namespace lathe::detail
