// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What devices get wrong, by case (device_gaps.txt), and what emulated devices get wrong, by instruction. A case that
// fails on one is a known gap only if the code that failed has an instruction of emulator_gaps.txt, or passes when it
// is compiled without a feature that is named there.
#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "tests/conformance/suite/suite.h"

extern "C" const char lathe_conformance_gaps[], lathe_conformance_gaps_end[];                // emulator_gaps.txt
extern "C" const char lathe_conformance_device_gaps[], lathe_conformance_device_gaps_end[];  // device_gaps.txt

namespace lathe::conformance {
namespace {

constexpr std::string_view without = "without ";

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

/// The first line of assembly that an expression fits; empty if none does.
std::string lineWith(const std::string& assembly, const std::string& expression) {
  const std::regex wanted(expression);
  std::istringstream in(assembly);
  for (std::string line; std::getline(in, line);)
    if (std::regex_search(line, wanted)) return trimmed(std::regex_replace(line, std::regex("[\t ]+"), " "));
  return {};
}

/// The lines of a table of four columns, comments left out. Expressions have bars of their own, without blanks.
std::vector<std::array<std::string, 4>> rowsOf(const std::string& text) {
  std::vector<std::array<std::string, 4>> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    constexpr std::string_view bar = " | ";
    std::array<std::string, 4>& cells = out.emplace_back();
    std::size_t from = 0;
    for (std::string& cell : cells) {
      const std::size_t to = &cell == &cells.back() ? std::string::npos : line.find(bar, from);
      cell = trimmed(line.substr(std::min(from, line.size()), to == std::string::npos ? to : to - from));
      from = to == std::string::npos ? line.size() : to + bar.size();
    }
  }
  return out;
}

}  // namespace

std::string EmulatorGap::feature() const {
  return instruction.starts_with(without) ? "-" + instruction.substr(without.size()) : std::string();
}

std::pair<std::string, std::string> EmulatorGap::instructions() const {
  constexpr std::string_view with = " with ";
  const std::size_t at = instruction.find(with);
  if (at == std::string::npos) return {instruction, {}};
  return {instruction.substr(0, at), instruction.substr(at + with.size())};
}

std::vector<EmulatorGap> emulatorGaps() {
  std::vector<EmulatorGap> out;
  for (const auto& cells : rowsOf({lathe_conformance_gaps, lathe_conformance_gaps_end}))
    out.push_back({cells[0], cells[1], cells[2] == "fault" ? Symptom::fault : Symptom::value, cells[3]});
  return out;
}

std::vector<DeviceGap> deviceGaps() {
  std::vector<DeviceGap> out;
  for (const auto& cells : rowsOf({lathe_conformance_device_gaps, lathe_conformance_device_gaps_end}))
    out.push_back({cells[0], cells[1], cells[2], cells[3]});
  return out;
}

std::string Runner::knownOfDevice(const Case& entry) const {
  if (!device_ || checked_) return {};
  for (const DeviceGap& gap : deviceGaps()) {
    if (gap.name == entry.fullName() && std::regex_match(target_.name, std::regex(gap.target)) &&
        std::regex_match(device_->info().driverVersion, std::regex(gap.driver)))
      return gap.reason;
  }
  return {};
}

std::string Runner::gapBehind(const Case& entry, OptLevel level, const CaseResult& failed) const {
  if (!device_ || !failed.launched || !device_->info().name.starts_with("Emulated")) return {};
  const Symptom symptom = failed.deviceLost ? Symptom::fault : Symptom::value;
  std::string assembly;
  for (const EmulatorGap& gap : emulatorGaps()) {
    if (gap.symptom != symptom || !std::regex_match(device_->info().arch, std::regex(gap.arch))) continue;
    if (const std::string feature = gap.feature(); !feature.empty()) {
      CaseResult soFar;
      if (!runAt(entry, level, {}, soFar, feature)) return fmt::format("passes with {}: {}", feature, gap.reason);
      continue;
    }
    if (assembly.empty()) {
      Job job = jobFor(entry, level);
      job.emit = "asm";
      const auto compiled = compiler_->compile(job);
      if (!compiled) return {};
      const auto bytes = compiled->image.code().front().bytes;
      assembly.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    const auto [first, second] = gap.instructions();
    const std::string line = lineWith(assembly, first);
    if (!line.empty() && (second.empty() || !lineWith(assembly, second).empty()))
      return fmt::format("{}: {}", line, gap.reason);
  }
  return {};
}

}  // namespace lathe::conformance
