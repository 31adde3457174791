// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole suite on a target, and what that says of the device ABI's entries.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/conformance/suite/suite.h"

namespace lathe::conformance {

std::size_t TargetRun::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [&](const auto& result) { return result && result->outcome == outcome; }));
}

namespace {

/// A failed case is held against those of its entries that no other case vindicates; against all, if that leaves none.
bool blames(const CaseResult& failed, const std::string& name, const std::set<std::string>& vindicated) {
  const bool anySuspect =
      std::ranges::any_of(failed.entries, [&](const std::string& entry) { return !vindicated.contains(entry); });
  return failed.entries.contains(name) && !(anySuspect && vindicated.contains(name));
}

}  // namespace

std::string coverageOf(const AbiName& entry, const TargetRun& run) {
  if (!run.recorded.empty()) {
    const auto known = run.recorded.find(entry.name);
    return known == run.recorded.end() ? "not run" : known->second;
  }
  const std::string name(entry.name);
  std::set<std::string> passed;
  for (const auto& result : run.results)
    if (result && result->outcome == Outcome::passed) passed.insert(result->entries.begin(), result->entries.end());
  bool absent = false, gap = false;
  for (const auto& result : run.results) {
    if (!result) continue;
    if (result->outcome == Outcome::failed && blames(*result, name, passed)) return "FAILED";
    absent |= result->absent.contains(name);
    gap |= result->outcome == Outcome::gap && result->entries.contains(name);
  }
  if (absent) return "absent by descriptor";
  if (passed.contains(name)) return run.compiledOnly ? "compiled" : "passed";
  if (gap) return "known gap";
  return run.reason.empty() ? "no case calls it" : "not run";
}

namespace {

/// The first case that calls an entry, and how many more do. What printing and failing do is no case's: another test's.
std::string callersOf(const AbiName& entry, std::span<const Case> cases, std::span<const TargetRun> runs) {
  std::string first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool calls = std::ranges::any_of(runs, [&](const TargetRun& run) {
      return i < run.results.size() && run.results[i] && run.results[i]->entries.contains(std::string(entry.name));
    });
    if (calls && count++ == 0) first = cases[i].fullName();
  }
  constexpr std::array services = {"assert_fail", "print", "state", "trap"};
  if (count == 0) return std::ranges::find(services, entry.name) != services.end() ? "`lathe_services_test`" : "none";
  return fmt::format("`{}`{}", first, count == 1 ? "" : fmt::format(" and {} more", count - 1));
}

}  // namespace

std::string coverageTable(std::span<const Case> cases, std::span<const TargetRun> runs) {
  std::string out = "| entry | cases |", line = "|---|---|";
  for (const TargetRun& run : runs) {
    out += fmt::format(" {} |", run.target);
    line += "---|";
  }
  out += "\n" + line + "\n";
  for (const AbiName& entry : abiEntries()) {
    out += fmt::format("| `{}` | {} |", entry.name, callersOf(entry, cases, runs));
    for (const TargetRun& run : runs) out += fmt::format(" {} |", coverageOf(entry, run));
    out += "\n";
  }
  out += "\n";
  for (const TargetRun& run : runs) {
    if (!run.device.empty()) out += fmt::format("- {}: {}\n", run.target, run.device);
    if (!run.reason.empty()) out += fmt::format("- {}: not run: {}\n", run.target, run.reason);
  }
  return out;
}

}  // namespace lathe::conformance
