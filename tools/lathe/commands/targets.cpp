// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe targets` and `lathe stages`: what can be compiled for, and the steps in between.
#include <fmt/format.h>

#include <lathe/compiler.h>

#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/table.h"

namespace lathe::tool {
namespace {

Json describe(const TargetInfo& target) {
  return {{"name", target.name},
          {"description", target.description},
          {"triple", target.triple},
          {"origin", target.origin},
          {"runtime", target.runtime},
          {"default_arch", target.defaultArch},
          {"architectures", target.architectures},
          {"formats", target.formats},
          {"default_format", target.defaultFormat},
          {"unavailable", target.unavailable.empty() ? Json(nullptr) : Json(target.unavailable)}};
}

class TargetsCommand final : public Command {
 public:
  std::string_view name() const override { return "targets"; }
  std::string_view summary() const override { return "list what can be compiled for"; }

  void configure(CLI::App& app) override {
    app.add_option("target", asked_, "show this one with its architectures")->type_name("NAME");
    app.add_flag("--names", namesOnly_, "only the names, one a line");
  }

  ExitCode run(Output& out) override {
    auto compiler = Compiler::create();
    if (!compiler) return out.fail(compiler.error());
    if (!asked_.empty()) {
      auto target = compiler->target(asked_);
      if (!target) return out.fail(target.error());
      show(*target, out);
      return ExitCode::ok;
    }
    const std::vector<TargetInfo> targets = compiler->targets();
    if (out.json()) {
      Json list = Json::array();
      for (const TargetInfo& target : targets) list.push_back(describe(target));
      out.document({{"targets", std::move(list)}});
    } else if (namesOnly_) {
      for (const TargetInfo& target : targets) out.text(target.name + "\n");
    } else {
      Table table({{"target"}, {"default"}, {"archs", Table::Align::right}, {"runtime"}, {"formats"}, {"description"}});
      for (const TargetInfo& target : targets) {
        if (!target.unavailable.empty()) {
          table.add({target.name, "-", "-", "-", "-", "unavailable: " + target.unavailable});
          continue;
        }
        table.add({target.name, target.defaultArch, std::to_string(target.architectures.size()),
                   target.runtime.empty() ? "-" : target.runtime, fmt::format("{}", fmt::join(target.formats, ",")),
                   target.description});
      }
      out.text(table.render(out));
    }
    return ExitCode::ok;
  }

 private:
  static void show(const TargetInfo& target, Output& out) {
    if (out.json()) return out.document(describe(target));
    out.text(fmt::format("{}  {}\n", out.paint(Style::bold, target.name), target.description));
    const auto line = [&](std::string_view label, std::string_view text) {
      if (!text.empty()) out.text(fmt::format("  {:<8} {}\n", label, text));
    };
    line("triple", target.triple);
    line("origin", target.origin);
    line("runtime", target.runtime);
    line("formats", fmt::format("{} (default: {})", fmt::join(target.formats, ", "), target.defaultFormat));
    line("default", target.defaultArch);
    line("archs", fmt::format("{}", fmt::join(target.architectures, " ")));
  }

  std::string asked_;
  bool namesOnly_ = false;
};

class StagesCommand final : public Command {
 public:
  std::string_view name() const override { return "stages"; }
  std::string_view summary() const override {
    return "list the compiler's stages, in order, and the pipelines they are in";
  }

  void configure(CLI::App&) override {}

  ExitCode run(Output& out) override {
    const std::vector<StageInfo> stages = Compiler::stages();
    if (out.json()) {
      Json list = Json::array();
      for (const StageInfo& stage : stages) {
        list.push_back({{"name", stage.name}, {"description", stage.description}, {"pipelines", stage.pipelines}});
      }
      out.document({{"stages", std::move(list)}});
      return ExitCode::ok;
    }
    Table table({{"stage"}, {"pipelines"}, {"what it does"}});
    for (const StageInfo& stage : stages)
      table.add({stage.name, fmt::format("{}", fmt::join(stage.pipelines, " ")), stage.description});
    out.text(table.render(out));
    return ExitCode::ok;
  }
};

}  // namespace

std::unique_ptr<Command> makeTargetsCommand() {
  return std::make_unique<TargetsCommand>();
}
std::unique_ptr<Command> makeStagesCommand() {
  return std::make_unique<StagesCommand>();
}

}  // namespace lathe::tool
