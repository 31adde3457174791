// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// yaml-cpp's events, made into a tree. Its own node graph is not used: it resolves aliases silently, keeps the last of
// two equal keys, and costs several allocations a scalar.
#include "core/descriptor/yaml_tree.h"

#include <algorithm>
#include <sstream>

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace lathe::detail {
namespace {

constexpr std::size_t maxBytes = 256 * 1024;
/// Bounds the quadratic search for equal keys too.
constexpr std::size_t maxNodes = 10'000;

YamlPosition positionOf(const YAML::Mark& mark) {
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

/// Ends parsing: thrown through yaml-cpp, caught in parseYaml.
struct Refused {
  YamlDiagnostic finding;
};

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::vector<YamlDiagnostic>& diagnostics) : diagnostics_(diagnostics) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) throw Refused{{positionOf(mark), "a descriptor is one YAML document; remove the second"}};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(make(YamlNode::Kind::null, mark, "", anchor));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuseAnchor(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(YamlNode::Kind::scalar, mark, tag, anchor);
    node.text = value;
    node.quoted = tag == "!";
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back({make(YamlNode::Kind::list, mark, tag, anchor), {}});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back({make(YamlNode::Kind::map, mark, tag, anchor), {}});
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not come, and the key that waits for its value.
  struct Open {
    YamlNode node;
    std::optional<YamlNode> key;
  };

  [[noreturn]] static void refuseAnchor(const YAML::Mark& mark) {
    throw Refused{{positionOf(mark), "anchors and aliases are not supported; write the value out"}};
  }

  YamlNode make(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) refuseAnchor(mark);
    // "?" is a plain node's tag and "!" a quoted scalar's.
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw Refused{{positionOf(mark), "tags are not supported; remove '" + tag + "'"}};
    }
    if (++nodes_ > maxNodes) {
      throw Refused{{positionOf(mark), "more than " + std::to_string(maxNodes) + " values in one descriptor"}};
    }
    YamlNode node;
    node.kind = kind;
    node.at = positionOf(mark);
    return node;
  }

  void close() {
    YamlNode done = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(done));
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (Open& parent = open_.back(); parent.node.kind == YamlNode::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      parent.key = std::move(node);
    } else {
      addMember(parent, std::move(node));
    }
  }

  void addMember(Open& parent, YamlNode value) {
    const YamlNode key = std::move(*parent.key);
    parent.key.reset();
    if (key.kind != YamlNode::Kind::scalar) {
      diagnostics_.push_back({key.at, "a key is plain text, not " + std::string(kindName(key))});
    } else if (const auto* first = parent.node.find(key.text)) {
      diagnostics_.push_back(
          {key.at, "key '" + key.text + "' appears twice; the first is in line " + std::to_string(first->at.line)});
    } else {
      parent.node.members.push_back({key.text, key.at, std::move(value)});
    }
  }

  std::vector<YamlDiagnostic>& diagnostics_;
  std::vector<Open> open_;
  YamlNode root_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

}  // namespace

const YamlNode::Member* YamlNode::find(std::string_view key) const {
  const auto at = std::ranges::find(members, key, &Member::key);
  return at != members.end() ? &*at : nullptr;
}

std::string_view kindName(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return "text";
    case YamlNode::Kind::list:
      return "a list";
    case YamlNode::Kind::map:
      return "a map";
  }
  return "";
}

std::optional<YamlNode> parseYaml(std::string_view text, std::vector<YamlDiagnostic>& diagnostics) {
  if (text.size() > maxBytes) {
    diagnostics.push_back({{},
                           "the file has " + std::to_string(text.size()) + " bytes; a descriptor has at most " +
                               std::to_string(maxBytes)});
    return std::nullopt;
  }
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    TreeBuilder builder(diagnostics);
    while (parser.HandleNextDocument(builder)) {
    }
    YamlNode root = builder.take();
    if (root.isMap()) return root;
    diagnostics.push_back({root.at, "a descriptor is a map of keys, found " + std::string(kindName(root))});
  } catch (Refused& refused) {
    diagnostics.push_back(std::move(refused.finding));
  } catch (const YAML::DeepRecursion& error) {
    diagnostics.push_back({positionOf(error.mark), "values are nested too deeply"});
  } catch (const YAML::Exception& error) {
    diagnostics.push_back({positionOf(error.mark), "malformed YAML: " + error.msg});
  }
  return std::nullopt;
}

void mergeOver(YamlNode& base, const YamlNode& over) {
  if (!base.isMap() || !over.isMap()) {
    base = over;
    return;
  }
  for (const auto& member : over.members) {
    const auto at = std::ranges::find(base.members, member.key, &YamlNode::Member::key);
    if (at == base.members.end()) {
      base.members.push_back(member);
    } else {
      mergeOver(at->value, member.value);
    }
  }
}

}  // namespace lathe::detail
