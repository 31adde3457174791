// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with the tool's manners: commands, help, exit codes, JSON, and a compile worker for the library.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tools/lathe/commands/command.h"

namespace lathe::tool {

/// Makes the commands. The command line `root` outlives them.
using CommandFactory = std::function<std::vector<std::unique_ptr<Command>>(const CLI::App& root)>;

/// What main() returns: parses the arguments, runs the command that they name and reports what went wrong.
[[nodiscard]] int runProgram(int argc, char** argv, const CommandFactory& makeCommands);

}  // namespace lathe::tool
