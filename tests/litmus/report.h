// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of what litmus tests saw.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tests/litmus/run.h"

namespace lathe::litmus {

/// For a terminal: a line a cell.
[[nodiscard]] std::string lineOf(const Cell& cell);
/// Each outcome with its count, and whether it is weak or forbidden.
[[nodiscard]] std::string histogramOf(const Cell& cell, const Program& program);
/// Test and place × form, in Markdown, below a sentence that says where.
[[nodiscard]] std::string markdownOf(std::span<const Cell> cells, const DeviceInfo& device);

/// Puts `part` between the marks of `target` in a page. False: the page has no such marks.
[[nodiscard]] bool replacePart(std::string& page, std::string_view target, std::string_view part);

}  // namespace lathe::litmus
