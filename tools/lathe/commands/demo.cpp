// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe demo`: one kernel file for every target that has a runtime, run wherever there is a device, checked against
// the host, with a picture as the result.
#include <algorithm>

#include <fmt/format.h>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/commands/demo_workloads.h"
#include "tools/lathe/output/png_image.h"
#include "tools/lathe/output/report.h"
#include "tools/lathe/output/table.h"

namespace lathe::tool {
namespace {

enum class Outcome { compiled, correct, wrong, failed };

std::string_view nameOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::compiled:
      return "not run";
    case Outcome::correct:
      return "correct";
    case Outcome::wrong:
      return "WRONG";
    case Outcome::failed:
      return "FAILED";
  }
  return "";
}

/// One kernel on one target.
struct Row {
  std::string target;
  std::string kernel;
  Outcome outcome = Outcome::compiled;
  double compileMs = 0;
  std::size_t codeBytes = 0;
  ResourceUse resources = {};
  double runMs = 0;
  double error = 0;
  [[nodiscard]] bool ran() const { return outcome == Outcome::correct || outcome == Outcome::wrong; }
};

/// The skeleton runtime accepts launches without executing them, so there is nothing to show.
constexpr std::string_view skeletonRuntime = "null";

class DemoCommand final : public Command {
 public:
  std::string_view name() const override { return "demo"; }
  std::string_view summary() const override { return "compile, run and check four kernels on everything here"; }

  void configure(CLI::App& app) override {
    app.add_option("-t,--target", targets_, "only this target; repeatable (default: all with a runtime)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_option("-o,--output", picture_, "where the picture goes (default: lathe-demo.png)")->type_name("FILE.png");
    app.add_flag("--source", showSource_, "print the kernels' source and stop");
  }

  ExitCode run(Output& out) override {
    if (showSource_) {
      if (out.json())
        out.document({{"source", demoSource()}});
      else
        out.text(demoSource());
      return ExitCode::ok;
    }
    CompilerConfig config;
    config.containCrashes = true;
    config.cache.enabled = false;  // the table shows what compiling takes
    auto compiler = Compiler::create(std::move(config));
    if (!compiler) return out.fail(compiler.error());
    auto chosen = chooseTargets(*compiler);
    if (!chosen) return out.fail(chosen.error());
    std::vector<Workload> workloads = demoWorkloads();
    for (const TargetInfo& target : *chosen) runTarget(*compiler, target, workloads);
    if (auto done = writePicture(); !done) return out.fail(done.error());
    const bool good = std::none_of(rows_.begin(), rows_.end(), [](const Row& row) {
      return row.outcome == Outcome::wrong || row.outcome == Outcome::failed;
    });
    if (out.json())
      out.document(describe(good));
    else
      report(out);
    return good ? ExitCode::ok : failure_.value_or(ExitCode::failed);
  }

 private:
  Result<std::vector<TargetInfo>> chooseTargets(const Compiler& compiler) const {
    std::vector<TargetInfo> out;
    for (const std::string& name : targets_) {
      auto target = compiler.target(name);
      if (!target) return std::move(target).error();
      out.push_back(*std::move(target));
    }
    if (!targets_.empty()) return out;
    for (TargetInfo& target : compiler.targets())
      if (!target.runtime.empty() && target.runtime != skeletonRuntime && target.hasGrids)
        out.push_back(std::move(target));
    // What always runs comes first, so that the picture is there even if a device fails later.
    std::stable_partition(out.begin(), out.end(), [](const TargetInfo& t) { return t.runtime == "cpu"; });
    return out;
  }

  /// Adds a row for each workload; a failure is a row too, so that the other targets are still seen.
  void runTarget(const Compiler& compiler, const TargetInfo& target, std::vector<Workload>& workloads) {
    std::optional<Device> device;
    const std::vector<std::string> runtimes = Device::runtimes();
    if (std::find(runtimes.begin(), runtimes.end(), target.runtime) == runtimes.end()) {
      notes_.push_back(fmt::format("{}: compiled only; this build has no runtime for it", target.name));
    } else if (auto opened = Device::open(target.runtime)) {
      device = *std::move(opened);
      notes_.push_back(fmt::format("{}: ran on {}", target.name, device->info().name));
    } else {
      notes_.push_back(fmt::format("{}: compiled only; {}", target.name, opened.error().message));
    }
    for (Workload& workload : workloads) {
      Row& row = rows_.emplace_back(Row{target.name, workload.kernel});
      auto done = runWorkload(compiler, target, device, workload, row);
      if (done) continue;
      row.outcome = Outcome::failed;
      notes_.push_back(fmt::format("{}, {}: {}", target.name, workload.kernel, done.error().message));
      if (!failure_) failure_ = exitCodeOf(done.error());
    }
  }

  Result<void> runWorkload(const Compiler& compiler, const TargetInfo& target, const std::optional<Device>& device,
                           Workload& workload, Row& row) {
    Job job;
    job.source.name = "demo.cpp";
    job.source.text = demoSource();
    job.entries = {workload.kernel};
    job.target = target.name;
    if (device) job.arch = device->info().arch;
    job.options.contract = false;  // so that the host can give the same step counts
    CompileRequest request;
    request.timeStages = true;
    auto compiled = compiler.compile(job, request);
    if (!compiled) return std::move(compiled).error();
    auto entry = compiled->image.entry(workload.kernel);
    if (!entry) return std::move(entry).error();
    row.target = targetName(compiled->image.info());
    row.compileMs = compiled->times.empty() ? 0 : compiled->times.back().milliseconds;
    row.codeBytes = codeBytes(compiled->image);
    row.resources = (*entry)->resources;
    return device ? execute(*device, compiled->image, workload, row) : Result<void>();
  }

  Result<void> execute(const Device& device, const Image& image, Workload& workload, Row& row) {
    auto module = device.load(image);
    if (!module) return std::move(module).error();
    auto kernel = module->rawKernel(workload.kernel);
    if (!kernel) return std::move(kernel).error();
    if (auto resources = kernel->resources()) row.resources = *resources;
    std::vector<Argument> arguments = workload.arguments;
    auto times = launch(device, *kernel, workload.plan, arguments, std::span(&workload.output, 1));
    if (!times) return std::move(times).error();
    const Array& result = *arguments[workload.output].array;
    row.runMs = medianOf(times->repeats);
    row.error = maxError(workload, result);
    row.outcome = row.error <= workload.tolerance ? Outcome::correct : Outcome::wrong;
    if (workload.kernel == "mandelbrot" && !steps_) {
      steps_ = result;
      pictureBy_ = row.target;
    }
    return {};
  }

  Result<void> writePicture() const {
    if (!steps_) return {};
    auto png = pngBytes(pictureWidth, pictureHeight, pictureOf(*steps_));
    return png ? writeFile(picture_, *png) : Result<void>(std::move(png).error());
  }

  static std::string widthText(const ResourceUse& use) {
    if (use.registers >= 0) return fmt::format("{} registers", use.registers);
    return use.vectorWidth >= 0 ? fmt::format("{} wide", use.vectorWidth) : "-";
  }

  void report(Output& out) const {
    Table table({{"target"},
                 {"kernel"},
                 {"compile ms", Table::Align::right},
                 {"run ms", Table::Align::right},
                 {"uses", Table::Align::right},
                 {"code", Table::Align::right},
                 {"max error", Table::Align::right},
                 {"result"}});
    for (const Row& row : rows_)
      table.add({row.target, row.kernel, fmt::format("{:.1f}", row.compileMs),
                 row.ran() ? fmt::format("{:.3f}", row.runMs) : "-", widthText(row.resources),
                 humanBytes(static_cast<double>(row.codeBytes)), row.ran() ? fmt::format("{:.1e}", row.error) : "-",
                 std::string(nameOf(row.outcome))});
    out.text(table.render(out) + "\n");
    for (const std::string& note : notes_) out.text(note + "\n");
    if (steps_)
      out.text(fmt::format("picture: {} ({} × {}, by {})\n", picture_, pictureWidth, pictureHeight, pictureBy_));
  }

  Json describe(bool good) const {
    Json list = Json::array();
    for (const Row& row : rows_) {
      Json one = {{"target", row.target},
                  {"kernel", row.kernel},
                  {"compile_ms", row.compileMs},
                  {"code_bytes", row.codeBytes},
                  {"resources", resourceJson(row.resources)},
                  {"result", nameOf(row.outcome)}};
      if (row.ran()) {
        one["run_ms"] = row.runMs;
        one["max_error"] = row.error;
      }
      list.push_back(std::move(one));
    }
    Json document = {{"correct", good}, {"kernels", std::move(list)}, {"notes", notes_}};
    if (steps_) document["picture"] = picture_;
    return document;
  }

  std::vector<std::string> targets_;
  std::string picture_ = "lathe-demo.png";
  bool showSource_ = false;
  std::vector<Row> rows_;
  std::vector<std::string> notes_;
  std::optional<Array> steps_;
  std::string pictureBy_;
  std::optional<ExitCode> failure_;  ///< of the first error
};

}  // namespace

std::unique_ptr<Command> makeDemoCommand() {
  return std::make_unique<DemoCommand>();
}

}  // namespace lathe::tool
