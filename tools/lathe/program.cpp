// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program of the tool does around its commands: it parses the command line and turns whatever happens into an
// exit code.
#include "tools/lathe/program.h"

#include <algorithm>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include <malloc.h>
#include <unistd.h>

#include <fmt/format.h>

#include <lathe/compiler.h>
#include <lathe/kernel_reports.h>
#include <lathe/worker.h>

#include "tools/options/spellings.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/output.h"

namespace lathe::tool {
namespace {

constexpr std::string_view footer = R"(Examples:
  lathe demo                                          compile, run and check four kernels on everything here
  lathe compile saxpy.cpp --target cuda:sm_90 --emit asm -o saxpy.ptx
  lathe run saxpy.cpp --grid 4 --group 256 --arg 1024 --arg 2 --arg iota:f32[1024] --arg ones:f32[1024] --print 3
  lathe inspect saxpy.limg                            kernels, argument layouts, resources, code

Exit codes:
  0  done
  1  the source or the request is wrong, a file cannot be used, or a result is wrong
  2  the command line is not understood
  3  the machine lacks a device, driver, tool or memory, or the kernel failed while it ran
  4  a defect of Lathe, or a contained crash

Results go to standard output and diagnostics to standard error. With --json there is one JSON document on standard
output, an error's too. Colours appear on terminals only; NO_COLOR turns them off.)";

ExitCode showVersion(Output& out) {
  if (out.json())
    out.document({{"lathe", version()}, {"compiler", compilerVersion()}});
  else
    out.text(fmt::format("lathe {} ({})\n", version(), compilerVersion()));
  return ExitCode::ok;
}

/// CLI11's text, or a better one for words that are neither commands nor options of `innermost` or what it is in.
std::string explained(const CLI::ParseError& error, const CLI::App& innermost) {
  std::string word;
  std::vector<std::string> options, commands;
  for (const CLI::App* app = &innermost; app; app = app->get_parent()) {
    if (word.empty() && !app->remaining().empty()) word = app->remaining().front();
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
      for (const std::string& name : option->get_snames()) options.push_back("-" + name);
    }
    if (app != &innermost) continue;
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; }))
      commands.push_back(command->get_name());
  }
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    const std::string_view instead = insteadOf(word);
    return fmt::format("there is no option {}{}", name,
                       instead.empty() ? didYouMean(name, options) : fmt::format("; {}", instead));
  }
  if (!word.empty() && commands.empty() && std::ranges::find(options, "--link") != options.end())
    return fmt::format("'{}' is one file too many; further sources of the program come with --link", word);
  if (word.empty() || commands.empty()) return error.what();
  return fmt::format("there is no command '{}'{}", word, didYouMean(word, commands));
}

/// The words behind the program's name, last first, as CLI11 takes them.
std::vector<std::string> commandLine(int argc, char** argv, const std::vector<std::unique_ptr<Command>>& commands,
                                     const std::vector<CLI::App*>& subcommands) {
  std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i < commands.size() && !words.empty(); ++i) {
    if (words.front() != commands[i]->name() || !commands[i]->takesOtherSpellings()) continue;
    std::vector<std::string> own = inOwnSpelling(std::span(words).subspan(1), *subcommands[i]);
    own.insert(own.begin(), std::move(words.front()));
    words = std::move(own);
    break;
  }
  std::ranges::reverse(words);
  return words;
}

ExitCode dispatch(int argc, char** argv, const CommandFactory& makeCommands, Output& out) {
  CLI::App app("Lathe: one kernel, every target.", "lathe");
  app.get_formatter()->column_width(34);
  app.footer(std::string(footer));
  bool json = false;
  bool wantsVersion = false;
  app.add_flag("--json", json, "one JSON document on standard output");
  app.add_flag("--version", wantsVersion, "show Lathe's version and the compiler's");
  app.require_subcommand(0, 1);
  const std::vector<std::unique_ptr<Command>> commands = makeCommands(app);
  std::vector<CLI::App*> subcommands;
  for (const auto& command : commands) {
    CLI::App* const sub = app.add_subcommand(std::string(command->name()), std::string(command->summary()));
    command->configure(*sub);
    sub->add_flag("--json", json, "one JSON document on standard output");
    subcommands.push_back(sub);
  }
  std::string help = "lathe --help";
  try {
    app.parse(commandLine(argc, argv, commands, subcommands));
  } catch (const CLI::CallForHelp&) {
    out.text(app.help());
    return ExitCode::ok;
  } catch (const CLI::ParseError& error) {
    const CLI::App* innermost = &app;
    while (!innermost->get_subcommands().empty()) innermost = innermost->get_subcommands().front();
    for (const CLI::App* at = innermost; at != &app; at = at->get_parent())
      help = fmt::format("lathe {}{}", at->get_name(), at == innermost ? " --help" : help.substr(5));
    return out.usage(explained(error, *innermost), help);
  }
  if (wantsVersion) return showVersion(out);
  for (std::size_t i = 0; i < commands.size(); ++i)
    if (*subcommands[i]) return commands[i]->run(out);
  return out.usage("no command given", help);
}

/// A compile takes and frees blocks of megabytes; giving them back to the system each time costs more page faults than
/// everything else together. A library may not decide that for its host (docs/performance.md), a program may.
void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

}  // namespace

int runProgram(int argc, char** argv, const CommandFactory& makeCommands) {
  keepFreedMemory();
  // How the library starts this program for compiles and links that must not share its process.
  if (argc == 2 && std::string_view(argv[1]) == "worker") return serveWorker(STDIN_FILENO, STDOUT_FILENO);
  reportKernelCrashes();
  Output out;
  // Known before parsing, so that a usage error is reported in the form asked for.
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--json") out.useJson();
  ExitCode code = ExitCode::internal;
  try {
    code = dispatch(argc, argv, makeCommands, out);
  } catch (const std::bad_alloc&) {
    code = out.fail({ErrorCode::OutOfHostMemory, "lathe: not enough memory"});
  } catch (const std::exception& error) {
    code = out.fail({ErrorCode::Internal, fmt::format("lathe: {}", error.what())});
  }
  return static_cast<int>(out.finish(code));
}

}  // namespace lathe::tool
