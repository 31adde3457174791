// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/litmus/report.h"

#include <algorithm>

#include <fmt/format.h>

#include "tests/litmus/model.h"

namespace lathe::litmus {
namespace {

std::string cellText(const Cell& cell) {
  if (!cell.hasMeaning) return "–";
  if (cell.forbidden) return fmt::format("**{} forbidden**", cell.forbidden);
  return cell.mayBeWeak ? fmt::format("{}", cell.weak) : "never";
}

}  // namespace

std::string lineOf(const Cell& cell) {
  const std::string head = fmt::format("{:<22} {:<15} {:<15}", cell.test, nameOf(cell.place), nameOf(cell.form));
  if (!cell.hasMeaning) return head + "  a data race: not run\n";
  return head + fmt::format(" {:>11} runs {:>9} weak{} {:>9} forbidden{}\n", cell.runs, cell.weak,
                            cell.mayBeWeak ? " (allowed)" : "          ", cell.forbidden,
                            cell.forbidden ? "  <<<" : "");
}

std::string histogramOf(const Cell& cell, const Program& program) {
  std::string out;
  const Allowed allowed = allowedOutcomes(program, cell.form);
  const std::set<Outcome> interleaved = interleavedOutcomes(program);
  for (const auto& [outcome, count] : cell.histogram) {
    std::string text;
    for (unsigned r = 0; r < program.registers; ++r) text += fmt::format(" r{}={}", r, valueIn(outcome, r));
    for (unsigned place = 0; place < program.places; ++place)
      text += fmt::format(" {}={}", "xyz"[place], valueIn(outcome, program.registers + place));
    out += fmt::format("  {:>11}{}{}{}\n", count, text, interleaved.contains(outcome) ? "" : "  weak",
                       allowed.outcomes.contains(outcome) ? "" : ", forbidden");
  }
  return out;
}

std::string markdownOf(std::span<const Cell> cells, const DeviceInfo& device) {
  std::uint64_t least = UINT64_MAX;
  for (const Cell& cell : cells)
    if (cell.hasMeaning) least = std::min(least, cell.runs);
  std::string out = fmt::format("Measured on {} ({}), at least {} runs a cell.\n\n| test | place |", device.name,
                                device.arch, cells.empty() ? 0 : least);
  for (const Form form : forms) out += fmt::format(" {} |", nameOf(form));
  out += "\n|---|---|";
  for (std::size_t i = 0; i < forms.size(); ++i) out += "---:|";
  std::string_view test;
  Place place{};
  for (const Cell& cell : cells) {
    if (cell.test != test || cell.place != place) {
      out += fmt::format("\n| {} | {} |", cell.test, nameOf(cell.place));
      test = cell.test;
      place = cell.place;
    }
    out += fmt::format(" {} |", cellText(cell));
  }
  return out + "\n";
}

bool replacePart(std::string& page, std::string_view target, std::string_view part) {
  const std::string begin = fmt::format("<!-- generated: begin litmus {} -->\n", target);
  const std::string end = fmt::format("<!-- generated: end litmus {} -->\n", target);
  const auto from = page.find(begin), to = page.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from) return false;
  page = page.substr(0, from + begin.size()) + std::string(part) + page.substr(to);
  return true;
}

}  // namespace lathe::litmus
