// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole suite on a target, and what that says of the device ABI's entries.
#include <algorithm>

#include <fmt/format.h>

#include "tests/conformance/suite/suite.h"

namespace lathe::conformance {

std::size_t TargetRun::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [&](const auto& result) { return result && result->outcome == outcome; }));
}

TargetRun runAll(const Compiler& compiler, const TargetInfo& target, std::span<const Case> cases,
                 const std::function<void(const Case&, const CaseResult&)>& progress) {
  TargetRun out{target.name, {}, {}, std::vector<std::optional<CaseResult>>(cases.size())};
  if (!executes(target)) {
    out.reason = target.runtime.empty() ? "it has no runtime" : "its runtime executes nothing";
    return out;
  }
  const auto runner = Runner::open(compiler, target);
  if (!runner) {
    out.reason = runner.error().message;
    return out;
  }
  const DeviceInfo& device = runner->device().info();
  out.device = device.arch.empty() ? device.name : device.name + ", " + device.arch;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const CaseResult& result = out.results[i].emplace(runner->run(cases[i], levels));
    if (progress) progress(cases[i], result);
    if (!result.deviceLost) continue;
    out.reason = fmt::format("the device was lost in {}", cases[i].fullName());
    break;
  }
  return out;
}

std::string coverageOf(const AbiName& entry, const TargetRun& run) {
  const std::string name(entry.name);
  bool passed = false, failed = false, absent = false;
  for (const auto& result : run.results) {
    if (!result || !result->entries.contains(name)) continue;
    passed |= result->outcome == Outcome::passed;
    failed |= result->outcome == Outcome::failed;
    absent |= result->absent.contains(name);
  }
  if (failed) return "FAILED";
  if (absent) return "absent by descriptor";
  if (passed) return "passed";
  return run.reason.empty() ? "not run: no case that runs here calls it" : "not run: " + run.reason;
}

std::string coverageTable(std::span<const TargetRun> runs) {
  std::string out = "| entry |", line = "|---|";
  for (const TargetRun& run : runs) {
    out += fmt::format(" {} |", run.target);
    line += "---|";
  }
  out += "\n" + line + "\n";
  for (const AbiName& entry : abiEntries()) {
    out += fmt::format("| `{}` |", entry.name);
    for (const TargetRun& run : runs) out += fmt::format(" {} |", coverageOf(entry, run));
    out += "\n";
  }
  return out;
}

}  // namespace lathe::conformance
