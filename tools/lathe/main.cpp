// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `lathe` tool: the list of its commands.
#include <unistd.h>

#include <cstdio>

#include "tools/lathe/program.h"

namespace {

/// Ends the process without the destructors of static objects, as LLVM's own tools do: a driver that was asked for
/// devices may have brought another LLVM (PoCL 3.1 does), of which some are in the place of ours, and they would run
/// twice. Sanitizers look for leaks after them.
int end(int code) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  std::fflush(nullptr);
  _exit(code);
#endif
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace lathe::tool;
  return end(runProgram(argc, argv, [argv](const CLI::App& root) {
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(makeCompileCommand());
    commands.push_back(makeBatchCommand());
    commands.push_back(makeRunCommand());
    commands.push_back(makeInspectCommand());
    commands.push_back(makePackCommand());
    commands.push_back(makeUnpackCommand());
    commands.push_back(makeSignCommand());
    commands.push_back(makeEmbedCommand());
    commands.push_back(makeJobCommand());
    commands.push_back(makeCacheCommand());
    commands.push_back(makeTargetsCommand());
    commands.push_back(makeStagesCommand());
    commands.push_back(makeBpfCommand());
    commands.push_back(makeDemoCommand());
    commands.push_back(makeConformanceCommand(argv));
    commands.push_back(makeNewTargetCommand());
    commands.push_back(makeNewDialectCommand());
    commands.push_back(makeDoctorCommand());
    commands.push_back(makeExplainCommand());
    commands.push_back(makeCompletionCommand(root));
    return commands;
  }));
}
