// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of text with aligned columns, for terminals and for pipes alike.
#pragma once

#include <string>
#include <vector>

#include "tools/lathe/output/output.h"

namespace lathe::tool {

class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// One cell a column; a missing one is empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Titles (bold on a terminal) and rows, each line ended by '\n' and free of trailing blanks.
  [[nodiscard]] std::string render(const Output& out) const;

 private:
  [[nodiscard]] std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lathe::tool
