// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe conformance`: the kernels that must mean the same on every target, run on the targets that can execute here,
// in tree or not, and compared with what the host computes.
#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include <lathe/compiler.h>

#include "tests/conformance/suite/suite.h"
#include "tools/lathe/arguments/files.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/table.h"

namespace lathe::tool {
namespace {

using conformance::Case;
using conformance::CaseResult;
using conformance::Outcome;
using conformance::TargetRun;

constexpr std::string_view examples = R"(Examples:
  lathe conformance                                  every target with a runtime
  lathe conformance --target cpu --case atomics      the cases whose name contains "atomics"
  lathe conformance --target cpu --checked           in checked mode, which is to find nothing
  lathe conformance --coverage > coverage.md         device ABI entries × targets
  lathe conformance --coverage -t cpu -t spirv       spirv only compiles
  lathe conformance -t cuda --json > cuda.json       on a machine with a GPU; then, on any other:
  lathe conformance --coverage --recorded cuda.json  its column beside those of this machine
Each case runs at -O0 and -O3, in a process that may crash. "absent": the target's descriptor says that it lacks a function the kernel calls.)";

class ConformanceCommand final : public Command {
 public:
  std::string_view name() const override { return "conformance"; }
  std::string_view summary() const override { return "check that kernels mean the same on every target here"; }

  void configure(CLI::App& app) override {
    app.add_option("-t,--target", targets_, "only this target; repeatable (default: all with a runtime)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_option("-c,--case", filters_, "only cases whose name contains TEXT; repeatable")
        ->type_name("TEXT")
        ->allow_extra_args(false);
    app.add_flag("--checked", checked_, "compile in checked mode: what it finds is a failure");
    app.add_option("--case-timeout", caseTimeout_,
                   "a case that takes more seconds has failed, 0: no limit (default: 300)")
        ->type_name("SECONDS")
        ->check(CLI::NonNegativeNumber);
    auto* const list = app.add_flag("--list", list_, "print the cases' names and stop");
    auto* const coverage =
        app.add_flag("--coverage", coverage_,
                     "print entry × target as a Markdown table instead; targets without a runtime only compile");
    coverage->excludes(list);
    app.add_option("--recorded", recorded_, "with --coverage: columns of what --json wrote elsewhere; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->needs(coverage);
    app.footer(std::string(examples));
  }

  ExitCode run(Output& out) override {
    std::vector<Case> cases = conformance::allCases();
    if (!filters_.empty()) std::erase_if(cases, [&](const Case& entry) { return !wanted(entry); });
    if (cases.empty())
      return out.fail({.code = ErrorCode::InvalidArgument, .message = "--case: no case has such a name; see --list"});
    if (list_) return listCases(cases, out);
    CompilerConfig config;
    config.containCrashes = true;
    const auto compiler = Compiler::create(std::move(config));
    if (!compiler) return out.fail(compiler.error());
    auto targets = chooseTargets(*compiler);
    if (!targets) return out.fail(targets.error());
    std::vector<TargetRun> runs;
    for (const std::string& file : recorded_) {
      if (auto read = readRecord(file, runs); !read) return out.fail(read.error());
    }
    for (const TargetInfo& target : *targets) {
      if (std::ranges::find(runs, target.name, &TargetRun::target) != runs.end()) continue;
      runs.push_back(conformance::runAll(
          *compiler, target, cases,
          {.checked = checked_,
           .compileOnly = coverage_ && target.runtime.empty(),
           .caseLimit = std::chrono::milliseconds(static_cast<std::int64_t>(caseTimeout_ * 1000))}));
    }
    std::ranges::sort(runs, {}, &TargetRun::target);
    report(cases, runs, out);
    return verdict(runs);
  }

 private:
  bool wanted(const Case& entry) const {
    return std::ranges::any_of(
        filters_, [&](const std::string& text) { return entry.fullName().find(text) != std::string::npos; });
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

  Result<std::vector<TargetInfo>> chooseTargets(const Compiler& compiler) const {
    if (targets_.empty()) return conformance::executingTargets(compiler);
    std::vector<TargetInfo> out;
    for (const std::string& name : targets_) {
      auto target = compiler.target(name);
      if (!target) return std::move(target).error();
      out.push_back(*std::move(target));
    }
    return out;
  }

  /// A wrong result counts more than a missing device, which only matters where the target was asked for.
  ExitCode verdict(const std::vector<TargetRun>& runs) const {
    const bool failed = std::ranges::any_of(runs, [](const TargetRun& run) { return run.count(Outcome::failed) != 0; });
    if (failed) return ExitCode::failed;
    const bool missing = std::ranges::any_of(runs, [](const TargetRun& run) { return run.device.empty(); });
    return missing && !targets_.empty() ? ExitCode::environment : ExitCode::ok;
  }

  void report(const std::vector<Case>& cases, const std::vector<TargetRun>& runs, Output& out) const {
    if (out.json()) return out.document(describe(cases, runs));
    if (coverage_) return out.text(conformance::coverageTable(cases, runs));
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
    const std::size_t gaps = run.count(Outcome::gap);
    out.text(fmt::format("{}: {} passed, {} failed, {} absent by descriptor, {} not run{}{}\n", run.target,
                         run.count(Outcome::passed), run.count(Outcome::failed), run.count(Outcome::absent), notRun,
                         gaps == 0 ? "" : fmt::format(", {} known gaps of the emulated device", gaps),
                         run.device.empty() ? "" : " (" + run.device + ")"));
    if (!run.reason.empty())
      out.text(out.paint(Style::red, fmt::format("  not run, so unproven: {}", run.reason)) + "\n");
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

  std::vector<std::string> targets_;
  std::vector<std::string> filters_;
  std::vector<std::string> recorded_;
  double caseTimeout_ = 300;
  bool checked_ = false;
  bool list_ = false;
  bool coverage_ = false;
};

}  // namespace

std::unique_ptr<Command> makeConformanceCommand() {
  return std::make_unique<ConformanceCommand>();
}

}  // namespace lathe::tool
