// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flame_graph.h"

#include <algorithm>
#include <cstdio>

namespace {

constexpr double width = 1200, row = 17, margin = 34, letter = 6.6, leastWidth = 0.1;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// A warm colour for wakers, a cool one for sleepers, the same for the same name.
std::string colourOf(const Frame& frame) {
  unsigned hash = 2166136261U;
  for (const char c : frame.name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  constexpr unsigned shades = 50;
  const unsigned first = hash % shades, second = hash / shades % shades;
  char out[32];
  if (frame.isWaker)
    std::snprintf(out, sizeof(out), "rgb(%u,%u,%u)", 205 + first, 120 + second, 60U);
  else
    std::snprintf(out, sizeof(out), "rgb(%u,%u,%u)", 100 + first, 150 + second, 225U);
  return out;
}

/// What fits into a box of `pixels`.
std::string fitting(const std::string& name, double pixels) {
  const auto room = static_cast<std::size_t>(std::max(0.0, (pixels - 6) / letter));
  if (name.size() <= room) return name;
  return room < 3 ? "" : name.substr(0, room - 2) + "..";
}

}  // namespace

void FlameGraph::add(const std::vector<Frame>& stack, std::uint64_t microseconds) {
  Node* node = &root_;
  node->microseconds += microseconds;
  for (const Frame& frame : stack) {
    node = &node->children[frame];
    node->microseconds += microseconds;
  }
}

std::size_t FlameGraph::depthOf(const Node& node) {
  std::size_t deepest = 0;
  for (const auto& [frame, child] : node.children) deepest = std::max(deepest, depthOf(child));
  return deepest + 1;
}

void FlameGraph::draw(std::string& out, const Frame& frame, const Node& node, double x, std::size_t level,
                      double height) const {
  const auto pixels = [&](std::uint64_t microseconds) {
    return width * static_cast<double>(microseconds) /
           static_cast<double>(std::max<std::uint64_t>(root_.microseconds, 1));
  };
  const double wide = pixels(node.microseconds);
  if (wide < leastWidth) return;
  const double y = height - margin - row * static_cast<double>(level + 1);
  char box[256];
  std::snprintf(box, sizeof(box),
                " (%.3f ms, %.2f %%)</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ",
                static_cast<double>(node.microseconds) / 1000, wide * 100 / width, x, y, wide, row - 1);
  char text[96];
  std::snprintf(text, sizeof(text), "<text x=\"%.1f\" y=\"%.1f\">", x + 3, y + row - 5);
  const std::string name = escaped(frame.name);
  out += "<g><title>" + name + box + "fill=\"" + colourOf(frame) + "\"/>" + text + escaped(fitting(frame.name, wide)) +
         "</text></g>\n";
  for (const auto& [next, child] : node.children) {
    draw(out, next, child, x, level + 1, height);
    x += pixels(child.microseconds);
  }
}

std::string FlameGraph::svg(const std::string& title) const {
  const double height = row * static_cast<double>(depthOf(root_)) + 2 * margin;
  char head[512];
  std::snprintf(
      head, sizeof(head),
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"monospace\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fafafa\"/>\n",
      width, height, width, height);
  std::string out = head;
  char place[96];
  std::snprintf(place, sizeof(place), "<text x=\"%.0f\" y=\"22\" font-size=\"15\" text-anchor=\"middle\">", width / 2);
  out += place + escaped(title) + "</text>\n";
  draw(out, Frame{"all", false}, root_, 0, 0, height);
  return out + "</svg>\n";
}
