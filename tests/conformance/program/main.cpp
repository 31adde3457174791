// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe-conformance`, which `lathe conformance` starts: the kernels that must mean the same on every target, run on
// the targets that can execute here, in tree or not, and compared with what the host computes.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include <lathe/compiler.h>

#include "tests/conformance/suite/suite.h"
#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/commands/conformance_options.h"
#include "tools/lathe/output/progress_line.h"
#include "tools/lathe/output/table.h"
#include "tools/lathe/program.h"

namespace lathe::tool {

using conformance::Case;
using conformance::CaseResult;
using conformance::Outcome;
using conformance::TargetRun;

class SuiteCommand final : public Command {
 public:
  std::string_view name() const override { return conformanceName; }
  std::string_view summary() const override { return conformanceSummary; }

  void configure(CLI::App& app) override { options_.configure(app); }

  ExitCode run(Output& out) override {
    std::vector<Case> cases = conformance::allCases();
    if (!options_.filters.empty()) std::erase_if(cases, [&](const Case& entry) { return !wanted(entry); });
    if (cases.empty())
      return out.fail({.code = ErrorCode::InvalidArgument, .message = "--case: no case has such a name; see --list"});
    if (options_.onlyList) return listCases(cases, out);
    CompilerConfig config;
    config.containCrashes = true;
    config.cache.enabled = false;  // the compiler is what is tested
    // The kernels mean Lathe's own CUB, Thrust and libcu++, unless the user names a copy of the toolkit's.
    if (std::getenv("LATHE_CCCL") == nullptr) config.variables["LATHE_CCCL"] = "none";
    const auto compiler = Compiler::create(std::move(config));
    if (!compiler) return out.fail(compiler.error());
    auto targets = chooseTargets(*compiler);
    if (!targets) return out.fail(targets.error());
    std::vector<TargetRun> runs;
    for (const std::string& file : options_.recorded) {
      if (auto read = readRecord(file, runs); !read) return out.fail(read.error());
    }
    for (const auto& [target, arch] : *targets) {
      const std::string place = conformance::placeOf(target, arch);
      if (std::ranges::find(runs, place, &TargetRun::target) != runs.end()) continue;
      const auto heard = [&](std::size_t which, const CaseResult& result) {
        const std::string name = cases[which].fullName();
        if (result.outcome == Outcome::failed) {
          out.note(fmt::format("{}[{}/{}] {} on {}: {}", progress_.cleared(), which + 1, cases.size(), name, place,
                               result.detail));
        }
        progress_.show(which + 1, cases.size(), name);
      };
      runs.push_back(conformance::runAll(
          *compiler, target, cases,
          {.arch = arch,
           .checked = options_.checked,
           .coarsening = options_.coarsening,
           .debugInfo = options_.debugInfo,
           .compileOnly = options_.coverageTable && target.runtime.empty(),
           .caseLimit = std::chrono::milliseconds(static_cast<std::int64_t>(options_.caseTimeout * 1000)),
           .heard = heard}));
    }
    progress_.clear();
    std::ranges::sort(runs, {}, &TargetRun::target);
    report(cases, runs, out);
    return verdict(runs);
  }

 private:
  bool wanted(const Case& entry) const {
    return std::ranges::any_of(
        options_.filters, [&](const std::string& text) { return entry.fullName().find(text) != std::string::npos; });
  }

  static ExitCode listCases(const std::vector<Case>& cases, Output& out) {
    Json list = Json::array();
    for (const Case& entry : cases) {
      list.push_back({{"case", entry.fullName()}, {"file", entry.file}, {"kernel", entry.kernel}});
      out.text(entry.fullName() + "\n");
    }
    if (out.json()) out.document({{"cases", std::move(list)}});
    return ExitCode::ok;
  }

  /// What `--json` wrote on another machine, as far as the table wants it.
  static Result<void> readRecord(const std::string& file, std::vector<TargetRun>& runs) {
    const auto bad = [&](const std::string& what) {
      return Error{.code = ErrorCode::FileInvalid,
                   .message = file + ": " + what,
                   .hint = "give it what `lathe conformance --target NAME --json` printed"};
    };
    const auto text = readFile(file);
    if (!text) return text.error();
    const Json document = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
    if (!document.is_object() || !document.contains("targets") || !document["targets"].is_array())
      return bad("is no record of a run");
    for (const Json& target : document["targets"]) {
      const bool whole = target.is_object() && target.contains("target") && target["target"].is_string() &&
                         target.contains("coverage") && target["coverage"].is_object();
      if (!whole) return bad("a target has no name or no coverage");
      TargetRun run{target["target"].get<std::string>(), target.value("device", ""), target.value("reason", ""), {}};
      for (const auto& [entry, outcome] : target["coverage"].items())
        if (outcome.is_string()) run.recorded.emplace(entry, outcome.get<std::string>());
      runs.push_back(std::move(run));
    }
    return {};
  }

  /// A target, and the architecture to compile for; empty: that of the device.
  using Chosen = std::pair<TargetInfo, std::string>;

  Result<std::vector<Chosen>> chooseTargets(const Compiler& compiler) const {
    std::vector<Chosen> out;
    if (options_.targets.empty()) {
      for (TargetInfo& target : conformance::executingTargets(compiler)) out.emplace_back(std::move(target), "");
      return out;
    }
    for (const std::string& name : options_.targets) {
      Job place;
      aim(place, name);
      auto target = compiler.target(place.target);
      if (!target) return std::move(target).error();
      out.emplace_back(*std::move(target), std::move(place.arch));
    }
    return out;
  }

  /// A wrong result counts more than a missing device, which only matters where the target was asked for.
  ExitCode verdict(const std::vector<TargetRun>& runs) const {
    const bool failed = std::ranges::any_of(runs, [](const TargetRun& run) { return run.count(Outcome::failed) != 0; });
    if (failed) return ExitCode::failed;
    const bool missing = std::ranges::any_of(runs, [](const TargetRun& run) { return run.device.empty(); });
    return missing && !options_.targets.empty() ? ExitCode::environment : ExitCode::ok;
  }

  void report(const std::vector<Case>& cases, const std::vector<TargetRun>& runs, Output& out) const {
    if (out.json()) return out.document(describe(cases, runs));
    if (options_.coverageTable) return out.text(conformance::coverageTable(cases, runs));
    std::vector<Table::Column> columns = {{"case"}};
    for (const TargetRun& run : runs) columns.push_back({run.target});
    Table table(std::move(columns));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      std::vector<std::string> cells = {cases[i].fullName()};
      for (const TargetRun& run : runs)
        cells.emplace_back(run.results[i] ? conformance::nameOf(run.results[i]->outcome) : "not run");
      table.add(std::move(cells));
    }
    out.text(table.render(out) + "\n");
    for (const TargetRun& run : runs) summarise(cases, run, out);
  }

  static void summarise(const std::vector<Case>& cases, const TargetRun& run, Output& out) {
    const auto notRun = std::ranges::count_if(run.results, [](const auto& result) { return !result; });
    const std::size_t gaps = run.count(Outcome::gap), refused = run.count(Outcome::refused);
    out.text(fmt::format("{}: {} passed, {} failed, {} absent by descriptor, {} not run{}{}{}\n", run.target,
                         run.count(Outcome::passed), run.count(Outcome::failed), run.count(Outcome::absent), notRun,
                         refused == 0 ? "" : fmt::format(", {} refused by the verifier", refused),
                         gaps == 0 ? "" : fmt::format(", {} known gaps of the device", gaps),
                         run.device.empty() ? "" : " (" + run.device + ")"));
    if (!run.reason.empty())
      out.text(out.paint(Style::red, fmt::format("  not run, so unproven: {}", run.reason)) + "\n");
    std::map<std::string, std::size_t> lacks;  // a line of its own for each reason, not for each case
    for (const auto& result : run.results)
      if (result && (result->outcome == Outcome::absent || result->outcome == Outcome::refused))
        ++lacks[fmt::format("{}: {}", conformance::nameOf(result->outcome), result->detail)];
    for (const auto& [reason, count] : lacks) out.text(fmt::format("  {} {}\n", count, reason));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const auto& result = run.results[i];
      if (result && (result->outcome == Outcome::failed || result->outcome == Outcome::gap))
        out.text(fmt::format("  {} (kernel {} of {}): {}{}\n", cases[i].fullName(), cases[i].kernel, cases[i].file,
                             result->outcome == Outcome::gap ? "known gap: " : "", result->detail));
    }
  }

  static Json describe(const std::vector<Case>& cases, const std::vector<TargetRun>& runs) {
    Json list = Json::array();
    for (const TargetRun& run : runs) {
      Json results = Json::array();
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto& result = run.results[i];
        Json one = {{"case", cases[i].fullName()},
                    {"outcome", result ? conformance::nameOf(result->outcome) : "not run"}};
        if (result && !result->detail.empty()) one["detail"] = result->detail;
        results.push_back(std::move(one));
      }
      Json coverage = Json::object();
      for (const auto& entry : conformance::abiEntries())
        coverage[std::string(entry.name)] = conformance::coverageOf(entry, run);
      list.push_back({{"target", run.target},
                      {"device", run.device},
                      {"reason", run.reason},
                      {"results", std::move(results)},
                      {"coverage", std::move(coverage)}});
    }
    return {{"targets", std::move(list)}};
  }

  ConformanceOptions options_;
  ProgressLine progress_;
};

}  // namespace lathe::tool

int main(int argc, char** argv) {
  return lathe::tool::runProgram(argc, argv, [](const CLI::App&) {
    std::vector<std::unique_ptr<lathe::tool::Command>> commands;
    commands.push_back(std::make_unique<lathe::tool::SuiteCommand>());
    return commands;
  });
}
