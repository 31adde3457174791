// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Column widths are counted in code points, so that names outside ASCII do not shift what follows them.
#include "tools/lathe/output/table.h"

#include <algorithm>

namespace lathe::tool {
namespace {

std::size_t columnsOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
  std::string out;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string cell = i < cells.size() ? cells[i] : std::string();
    const std::string pad(widths[i] - columnsOf(cell), ' ');
    if (i > 0) out += "  ";
    out += columns_[i].align == Align::right ? pad + cell : cell + pad;
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::string Table::render(const Output& out) const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    widths.push_back(columnsOf(column.title));
  }
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], columnsOf(row[i]));
  std::string text = out.paint(Style::bold, line(titles, widths)) + "\n";
  for (const auto& row : rows_) text += line(row, widths) + "\n";
  return text;
}

}  // namespace lathe::tool
