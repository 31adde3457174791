// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/accuracy/page.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lathe::accuracy {
namespace {

constexpr const char* notRun = "not run";
/// Cells of a row: an empty one before the first bar, then function, arguments, error, bound, error, bound.
constexpr std::array<std::size_t, 2> resultCells = {3, 5};

std::vector<std::string> cellsOf(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> out;
  for (std::string cell; std::getline(in, cell, '|');) {
    const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    out.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return out;
}

std::string number(const Row& row, double x) {
  if (std::isinf(x)) return "infinite";
  return row.measure == Measure::absolute ? fmt::format("{:.1e}", x) : fmt::format("{:.2f}", x);
}

std::string bound(const Row& row, double x) {
  if (row.measure == Measure::exact) return "exact";
  return row.measure == Measure::absolute ? fmt::format("{:g} absolute", x) : fmt::format("{:g}", x);
}

std::pair<std::string, std::string> marks(const std::string& target) {
  return {"<!-- generated: begin " + target + " -->\n", "<!-- generated: end " + target + " -->\n"};
}

}  // namespace

std::string Measured::key(const Row& row, unsigned format) {
  return row.name + " " + row.range() + " " + std::string(row.formats[format]->type);
}

bool writeRecord(const Measured& run, const std::string& path) {
  nlohmann::json errors = nlohmann::json::object();
  for (const auto& [key, error] : run.errors)
    errors[key] = std::isinf(error) ? nlohmann::json("infinite") : nlohmann::json(error);
  const nlohmann::json all = {
      {"target", run.target}, {"device", run.device}, {"library", run.library}, {"errors", errors}};
  std::ofstream out(path);
  out << all.dump(1) << '\n';
  return out.good();
}

std::optional<Measured> readRecord(const std::string& path, const std::string& target) {
  std::ifstream in(path);
  const nlohmann::json all = nlohmann::json::parse(in, nullptr, false);
  if (!all.is_object() || all.value("target", "") != target || !all.contains("errors")) return std::nullopt;
  Measured run{target, all.value("device", ""), all.value("library", ""), {}};
  for (const auto& [key, error] : all["errors"].items())
    run.errors[key] = error.is_number() ? error.get<double>() : std::numeric_limits<double>::infinity();
  return run;
}

std::string withoutResults(const std::string& table) {
  std::istringstream in(table);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("|")) continue;
    const std::vector<std::string> cells = cellsOf(line);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (i != resultCells[0] && i != resultCells[1]) out += cells[i] + '|';
    out += '\n';
  }
  return out;
}

std::string tableOf(Library library, const Measured* run, const std::string& before) {
  std::map<std::string, std::vector<std::string>> known;
  std::string measured = "Not run yet.\n";
  std::istringstream in(before);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("Measured")) measured = line + '\n';
    if (const auto cells = cellsOf(line); cells.size() > 6) known[cells[1] + cells[2]] = cells;
  }
  if (run) measured = "Measured on " + run->device + ".\n";
  std::string out = measured;
  for (const bool ofSmall : {false, true}) {
    out += ofSmall ? "\n| function | arguments | half: largest error | bound | bfloat16: largest error | bound |\n"
                   : "\n| function | arguments | float: largest error | bound | double: largest error | bound |\n";
    out += "|---|---|---|---|---|---|\n";
    for (const Row& row : rows()) {
      if (row.isSmall() != ofSmall) continue;
      const std::string name = "`" + row.name + "`";
      const auto old = known.find(name + row.range());
      std::string cells[2], bounds[2];
      for (const unsigned format : {0U, 1U}) {
        if (row.calls[format].empty()) {
          cells[format] = bounds[format] = "–";
          continue;
        }
        bounds[format] = bound(row, row.bounds[static_cast<unsigned>(library)][format]);
        const auto error = run ? run->errors.find(Measured::key(row, format)) : decltype(run->errors.begin()){};
        if (run && error != run->errors.end())
          cells[format] = number(row, error->second);
        else
          cells[format] = old == known.end() ? notRun : old->second[resultCells[format]];
      }
      out +=
          fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, row.range(), cells[0], bounds[0], cells[1], bounds[1]);
    }
  }
  return out;
}

std::optional<std::string> partOf(const std::string& page, const std::string& target) {
  const auto [begin, end] = marks(target);
  const auto from = page.find(begin), to = page.find(end);
  if (from == std::string::npos || to == std::string::npos) return std::nullopt;
  return page.substr(from + begin.size(), to - from - begin.size());
}

std::string withPart(const std::string& page, const std::string& target, const std::string& part) {
  const auto [begin, end] = marks(target);
  return page.substr(0, page.find(begin) + begin.size()) + part + page.substr(page.find(end));
}

}  // namespace lathe::accuracy
