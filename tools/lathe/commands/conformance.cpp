// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe conformance`: hands over to `lathe-conformance`, a program of its own beside this one, so that the tool
// carries none of the suite's kernels and references.
#include <cerrno>
#include <cstring>

#include <unistd.h>

#include <fmt/format.h>

#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/commands/conformance_options.h"

namespace lathe::tool {
namespace {

class ConformanceCommand final : public Command {
 public:
  explicit ConformanceCommand(char** arguments) : arguments_(arguments) {}
  std::string_view name() const override { return conformanceName; }
  std::string_view summary() const override { return conformanceSummary; }
  void configure(CLI::App& app) override { options_.configure(app); }

  ExitCode run(Output& out) override {
    const std::filesystem::path program = ownProgram().replace_filename("lathe-conformance");
    execv(program.c_str(), arguments_);
    return out.fail(
        {.code = ErrorCode::ToolMissing,
         .message = fmt::format("{}: the conformance suite cannot be started: {}", program.string(), strerror(errno)),
         .hint = "install it beside the lathe tool; it comes with every build of Lathe"});
  }

 private:
  char** arguments_;  ///< the process's own, which the suite reads again
  ConformanceOptions options_;
};

}  // namespace

std::unique_ptr<Command> makeConformanceCommand(char** arguments) {
  return std::make_unique<ConformanceCommand>(arguments);
}

}  // namespace lathe::tool
