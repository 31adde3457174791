// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A subcommand: it declares its options, then runs. One file a command; main.cpp lists the factories.
#pragma once

#include <memory>
#include <string_view>

#include <CLI/CLI.hpp>

#include "tools/lathe/output/output.h"

namespace lathe::tool {

class Command {
 public:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view summary() const = 0;
  /// Declares options on `app`, which outlives the command's run.
  virtual void configure(CLI::App& app) = 0;
  /// Whether options may stand as other compilers spell them (inOwnSpelling()).
  [[nodiscard]] virtual bool takesOtherSpellings() const { return false; }
  [[nodiscard]] virtual ExitCode run(Output& out) = 0;
};

std::unique_ptr<Command> makeTargetsCommand();
std::unique_ptr<Command> makeStagesCommand();
std::unique_ptr<Command> makeCompileCommand();
std::unique_ptr<Command> makeBatchCommand();
std::unique_ptr<Command> makeRunCommand();
std::unique_ptr<Command> makeInspectCommand();
std::unique_ptr<Command> makePackCommand();
std::unique_ptr<Command> makeUnpackCommand();
std::unique_ptr<Command> makeSignCommand();
std::unique_ptr<Command> makeEmbedCommand();
std::unique_ptr<Command> makeJobCommand();
std::unique_ptr<Command> makeCacheCommand();
std::unique_ptr<Command> makeExplainCommand();
std::unique_ptr<Command> makeDemoCommand();
/// `arguments` are the process's, which the suite's program gets as they are.
std::unique_ptr<Command> makeConformanceCommand(char** arguments);
std::unique_ptr<Command> makeBpfCommand();
std::unique_ptr<Command> makeDoctorCommand();
std::unique_ptr<Command> makeNewTargetCommand();
std::unique_ptr<Command> makeNewDialectCommand();
/// `root` is the whole command line: scripts are derived from its options, so none can be forgotten.
std::unique_ptr<Command> makeCompletionCommand(const CLI::App& root);

}  // namespace lathe::tool
