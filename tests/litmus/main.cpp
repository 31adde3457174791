// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lathe_litmus: litmus tests of the memory model on one target's device. Exit code 1: an outcome was seen that the
// model forbids, or with --expect-weak none that it allows only in a relaxed form, or with --mutate the planted fault
// went unnoticed. 77: there is no device.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "tests/litmus/report.h"

namespace lathe::litmus {
namespace {

constexpr std::string_view usage = R"(lathe_litmus [OPTIONS]: litmus tests of the memory model
  --target NAME    the target (cpu)
  --runs N         of each test, place and form (1000000)
  --seed N         of the arrangements (1)
  --test NAME      only this test or lock; may be repeated, like the next two
  --place NAME     only this place: 'group (shared)', group, device, system
  --form NAME      only this form: relaxed, 'acq_rel access', …
  --mutate WHAT    plants a fault that must be noticed: order (each becomes relaxed) or scope (each becomes group)
  --expect-weak    fails if no relaxed form had a weak outcome
  --source         prints the kernels of each test instead of running them
  --histogram      prints each outcome
  --markdown       prints a table in Markdown
  --page FILE      writes the table into the page between the target's marks
)";

struct Command {
  Settings settings;
  bool expectWeak = false, histogram = false, markdown = false, help = false, source = false;
  std::string page;
};

template <class Integer>
bool number(std::string_view text, Integer& out) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

/// What is wrong with the arguments; empty: nothing.
std::string parse(std::span<char*> arguments, Command& out) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    if (name == "--help")
      out.help = true;
    else if (name == "--expect-weak")
      out.expectWeak = true;
    else if (name == "--histogram")
      out.histogram = true;
    else if (name == "--markdown")
      out.markdown = true;
    else if (name == "--source")
      out.source = true;
    else if (i + 1 == arguments.size())
      return fmt::format("{}: unknown, or its value is missing", name);
    else {
      const std::string_view value = arguments[++i];
      Settings& s = out.settings;
      bool good = true;
      if (name == "--target")
        s.target = value;
      else if (name == "--runs")
        good = number(value, s.runs) && s.runs > 0;
      else if (name == "--seed")
        good = number(value, s.seed);
      else if (name == "--test")
        s.tests.emplace_back(value);
      else if (name == "--place")
        s.places.emplace_back(value);
      else if (name == "--form")
        s.forms.emplace_back(value);
      else if (name == "--page")
        out.page = value;
      else if (name == "--mutate" && (value == "order" || value == "scope"))
        s.mutation = value == "order" ? Mutation::order : Mutation::scope;
      else
        return fmt::format("{} {}: unknown; --help lists the options", name, value);
      if (!good) return fmt::format("{}: '{}' is no number that fits", name, value);
    }
  }
  return {};
}

/// A name that nothing has would make a run that tests nothing.
std::string unknownName(const Settings& settings) {
  const auto known = [](const std::vector<std::string>& wanted, const auto& names) -> std::string {
    for (const std::string& name : wanted)
      if (std::ranges::find(names, name) == names.end()) return name;
    return {};
  };
  std::vector<std::string> tests, placeNames, formNames;
  for (const Program& program : programs()) tests.emplace_back(program.name);
  for (const std::string_view lock : locks()) tests.emplace_back(lock);
  for (const Place place : places) placeNames.emplace_back(nameOf(place));
  for (const Form form : forms) formNames.emplace_back(nameOf(form));
  for (const std::string& name :
       {known(settings.tests, tests), known(settings.places, placeNames), known(settings.forms, formNames)})
    if (!name.empty()) return name;
  return {};
}

int fail(const Error& error) {
  std::fputs(error.render().c_str(), stderr);
  return 1;
}

/// Writes the table into the page. False: it cannot.
bool writePage(const Command& command, const std::string& table) {
  std::ifstream in(command.page);
  std::stringstream text;
  text << in.rdbuf();
  std::string page = text.str();
  if (!in || !replacePart(page, command.settings.target, table)) return false;
  return static_cast<bool>(std::ofstream(command.page) << page);
}

/// The exit code, after what was seen.
int verdict(const Command& command, std::span<const Cell> cells) {
  std::uint64_t forbidden = 0, weak = 0;
  for (const Cell& cell : cells) {
    forbidden += cell.forbidden;
    if (cell.form == Form::relaxed) weak += cell.weak;
  }
  fmt::print("{} outcomes that the model forbids, {} weak ones in relaxed forms\n", forbidden, weak);
  if (command.settings.mutation != Mutation::none) {
    if (forbidden == 0) std::fputs("the planted fault went unnoticed\n", stderr);
    return forbidden == 0 ? 1 : 0;
  }
  if (command.expectWeak && weak == 0) {
    std::fputs("no relaxed form had a weak outcome: these tests cannot fail here\n", stderr);
    return 1;
  }
  return forbidden == 0 ? 0 : 1;
}

bool wants(const Settings& settings, std::string_view test) {
  return settings.tests.empty() || std::ranges::find(settings.tests, test) != settings.tests.end();
}

int printSources(const Settings& settings) {
  for (const Program& program : programs())
    if (wants(settings, program.name)) fmt::print("{}\n", sourceOf(program));
  return 0;
}

int run(const Command& command) {
  const Settings& settings = command.settings;
  const auto compiler = Compiler::create();
  if (!compiler) return fail(compiler.error());
  auto bench = Bench::open(*compiler, settings);
  if (!bench) {
    std::fputs(bench.error().render().c_str(), stderr);
    return bench.error().code == ErrorCode::UnknownTarget ? 2 : 77;
  }
  fmt::print("{} ({}), {}\n", bench->device().name, bench->device().arch, bench->device().runtime);
  std::vector<Cell> all;
  const auto keep = [&](std::vector<Cell> cells, const Program* program) {
    for (Cell& cell : cells) {
      fmt::print("{}", lineOf(cell));
      if (program && command.histogram) fmt::print("{}", histogramOf(cell, *program));
      all.push_back(std::move(cell));
    }
    std::fflush(stdout);
  };
  for (const Program& program : programs()) {
    if (!wants(settings, program.name)) continue;
    auto cells = bench->run(program);
    if (!cells) return fail(cells.error());
    keep(*std::move(cells), &program);
  }
  for (const std::string_view lock : locks()) {
    if (!wants(settings, lock)) continue;
    auto cells = bench->runLock(lock);
    if (!cells) return fail(cells.error());
    keep(*std::move(cells), nullptr);
  }
  const std::string table = markdownOf(all, bench->device());
  if (command.markdown) fmt::print("{}", table);
  if (!command.page.empty() && !writePage(command, table)) {
    fmt::print(stderr, "{}: cannot be written, or has no marks of {}\n", command.page, settings.target);
    return 2;
  }
  return verdict(command, all);
}

}  // namespace
}  // namespace lathe::litmus

int main(int argc, char** argv) {
  using namespace lathe::litmus;
  Command command;
  std::string wrong = parse({argv + 1, argv + argc}, command);
  if (wrong.empty())
    if (const std::string name = unknownName(command.settings); !name.empty())
      wrong = name + ": no such test, place or form";
  if (command.help || !wrong.empty()) {
    if (wrong.empty())
      std::fputs(usage.data(), stdout);
    else
      fmt::print(stderr, "lathe_litmus: {}\n", wrong);
    return wrong.empty() ? 0 : 2;
  }
  return command.source ? printSources(command.settings) : run(command);
}
