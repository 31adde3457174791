// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flame graph: stacks with times as a picture (SVG). Each box is a function, as wide as the time below it; callers
// stand under what they call.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A function of a stack. Wakers stand on the heads of sleepers, in another colour.
struct Frame {
  std::string name;
  bool isWaker = false;
  auto operator<=>(const Frame&) const = default;
};

/// A name as XML, JSON and a line of text may hold it: '?' for what is not UTF-8 and for control characters.
std::string printable(std::string_view name);

class FlameGraph {
 public:
  /// Adds a stack, outermost function first.
  void add(const std::vector<Frame>& stack, std::uint64_t microseconds);
  /// The picture, of names that are printable(). Boxes of less than a tenth of a pixel are left out.
  [[nodiscard]] std::string svg(const std::string& title) const;

 private:
  struct Node {
    std::uint64_t microseconds = 0;
    std::map<Frame, Node> children;
  };
  [[nodiscard]] double pixels(std::uint64_t microseconds) const;
  /// Rows of the boxes that are wide enough to be drawn.
  [[nodiscard]] std::size_t depthOf(const Node& node) const;
  void draw(std::string& out, const Frame& frame, const Node& node, double x, std::size_t level, double height) const;
  Node root_;
};
