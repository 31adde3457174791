// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flame_graph.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace {

constexpr double width = 1200, row = 17, margin = 34, letter = 6.6, leastWidth = 0.1;

/// The bytes of the UTF-8 character that begins `text`; 0 if none does. A name of a process may be any bytes.
std::size_t characterBytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  const std::size_t bytes = first < 0x80   ? 1
                            : first < 0xc2 ? 0
                            : first < 0xe0 ? 2
                            : first < 0xf0 ? 3
                            : first < 0xf5 ? 4
                                           : 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  return bytes;
}

std::string escaped(std::string_view text) {
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

/// The beginning of a name that fits into a box of `pixels`.
std::string_view fitting(std::string_view name, double pixels, bool& isCut) {
  const auto room = static_cast<std::size_t>(std::max(0.0, (pixels - 6) / letter));
  std::size_t letters = 0, bytesThatLeaveRoom = 0, bytes = 0;
  while (bytes < name.size()) {
    if (letters + 2 == room) bytesThatLeaveRoom = bytes;
    if (letters++ == room) break;
    bytes += std::max<std::size_t>(characterBytes(name.substr(bytes)), 1);
  }
  isCut = bytes < name.size();
  if (!isCut) return name;
  return name.substr(0, room < 3 ? 0 : bytesThatLeaveRoom);
}

}  // namespace

std::string printable(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::size_t bytes = characterBytes(name);
    const bool isGood = bytes > 1 || (bytes == 1 && name[0] >= ' ' && name[0] != 0x7f);
    out += isGood ? name.substr(0, bytes) : std::string_view("?");
    name.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

void FlameGraph::add(const std::vector<Frame>& stack, std::uint64_t microseconds) {
  Node* node = &root_;
  node->microseconds += microseconds;
  for (const Frame& frame : stack) {
    node = &node->children[frame];
    node->microseconds += microseconds;
  }
}

double FlameGraph::pixels(std::uint64_t microseconds) const {
  return width * static_cast<double>(microseconds) /
         static_cast<double>(std::max<std::uint64_t>(root_.microseconds, 1));
}

std::size_t FlameGraph::depthOf(const Node& node) const {
  std::size_t deepest = 0;
  for (const auto& [frame, child] : node.children)
    if (pixels(child.microseconds) >= leastWidth) deepest = std::max(deepest, depthOf(child));
  return deepest + 1;
}

void FlameGraph::draw(std::string& out, const Frame& frame, const Node& node, double x, std::size_t level,
                      double height) const {
  const double wide = pixels(node.microseconds);
  if (wide < leastWidth) return;
  const double y = height - margin - row * static_cast<double>(level + 1);
  char box[256];
  std::snprintf(box, sizeof(box),
                " (%.3f ms, %.2f %%)</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ",
                static_cast<double>(node.microseconds) / 1000, wide * 100 / width, x, y, wide, row - 1);
  char text[96];
  std::snprintf(text, sizeof(text), "<text x=\"%.1f\" y=\"%.1f\">", x + 3, y + row - 5);
  bool isCut = false;
  const std::string shown = escaped(fitting(frame.name, wide, isCut));
  out += "<g><title>" + escaped(frame.name) + box + "fill=\"" + colourOf(frame) + "\"/>";
  if (!shown.empty()) out += text + shown + (isCut ? ".." : "") + "</text>";
  out += "</g>\n";
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
  // What the colours say. The root's own shade would be that of the name "all".
  const std::pair<const char*, const char*> legend[] = {
      {"rgb(125,175,225)", "who sleeps, outermost function below"},
      {"rgb(230,145,60)", "who wakes it, outermost function above"},
  };
  double x = 0;
  for (const auto& [colour, words] : legend) {
    char entry[256];
    std::snprintf(
        entry, sizeof(entry),
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
        x + 3, height - 22, colour, x + 20, height - 12, words);
    out += entry;
    x += width / 3;
  }
  return out + "</svg>\n";
}
