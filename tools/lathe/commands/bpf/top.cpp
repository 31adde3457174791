// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/commands/bpf/top.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>

#include <fmt/format.h>

#include <lathe/bpf_kernel.h>

#include "tools/lathe/commands/bpf/attach.h"
#include "tools/lathe/output/table.h"
#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double nanosecondsPerSecond = 1e9;

/// All programs and when they were asked for.
struct Look {
  Clock::time_point at;
  std::vector<bpf::LoadedProgram> programs;
};

Result<Look> look() {
  auto programs = bpf::loadedPrograms();
  if (!programs) return std::move(programs).error();
  return Look{Clock::now(), *std::move(programs)};
}

/// A program between two looks.
struct Row {
  bpf::LoadedProgram program;
  std::uint64_t runs = 0, nanoseconds = 0;
  double perSecond = 0;
  double share = 0;  ///< of one CPU's time
};

/// Programs that are there at both, by their time, then by their number.
std::vector<Row> between(const Look& before, const Look& now) {
  std::map<std::uint32_t, bpf::RunCounts> old;
  for (const bpf::LoadedProgram& program : before.programs) old[program.id] = program.counts;
  const double seconds = std::chrono::duration<double>(now.at - before.at).count();
  std::vector<Row> rows;
  for (const bpf::LoadedProgram& program : now.programs) {
    const auto found = old.find(program.id);
    const bpf::RunCounts counts = found == old.end() ? bpf::RunCounts{} : found->second;
    Row row{program, program.counts.runs - counts.runs, program.counts.nanoseconds - counts.nanoseconds};
    row.perSecond = static_cast<double>(row.runs) / seconds;
    row.share = static_cast<double>(row.nanoseconds) / (seconds * nanosecondsPerSecond);
    rows.push_back(std::move(row));
  }
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return a.nanoseconds != b.nanoseconds ? a.nanoseconds > b.nanoseconds : a.program.id < b.program.id;
  });
  return rows;
}

double each(const Row& row) {
  return row.runs == 0 ? 0 : static_cast<double>(row.nanoseconds) / static_cast<double>(row.runs);
}

Json documentOf(const std::vector<Row>& rows, double seconds) {
  Json list = Json::array();
  for (const Row& row : rows) {
    list.push_back({{"id", row.program.id},
                    {"name", row.program.name},
                    {"type", row.program.kind},
                    {"runs", row.runs},
                    {"nanoseconds", row.nanoseconds},
                    {"runsPerSecond", row.perSecond},
                    {"nanosecondsPerRun", each(row)},
                    {"cpuPercent", row.share * 100},
                    {"missed", row.program.counts.missed},
                    {"user", row.program.user},
                    {"instructions", row.program.instructions},
                    {"verified", row.program.verified},
                    {"machineBytes", row.program.machineBytes}});
  }
  return {{"seconds", seconds}, {"programs", std::move(list)}};
}

std::string tableOf(const std::vector<Row>& rows, std::size_t most, const Output& out) {
  constexpr auto right = Table::Align::right;
  Table table({{"number", right}, {"program"}, {"type"}, {"runs/s", right}, {"ns each", right}, {"CPU %", right}});
  for (const Row& row : std::span(rows).first(std::min(most, rows.size())))
    table.add({std::to_string(row.program.id), row.program.name, row.program.kind, fmt::format("{:.0f}", row.perSecond),
               row.runs == 0 ? "" : fmt::format("{:.0f}", each(row)), fmt::format("{:.3f}", row.share * 100)});
  std::string text = table.render(out);
  if (rows.size() > most) text += fmt::format("… {} more\n", rows.size() - most);
  return text;
}

}  // namespace

void BpfTop::configure(CLI::App& app) {
  app.add_flag("--once", once_, "show one interval, and end");
  addNumber(app, "--interval", interval_, "seconds between two looks (default: 1)", "SECONDS", 0.01, 3600);
  addNumber(app, "--programs", rows_, "most programs that are shown (default: 20)", "N");
}

ExitCode BpfTop::run(Output& out) const {
  const auto counting = bpf::Statistics::enable();
  if (!counting) return out.fail(counting.error());
  const EndBySignal signals;
  auto before = look();
  if (!before) return out.fail(before.error());
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  for (;;) {
    EndBySignal::sleepFor(std::chrono::duration<double>(interval_));
    if (EndBySignal::came()) return ExitCode::ok;
    auto now = look();
    if (!now) return out.fail(now.error());
    const auto rows = between(*before, *now);
    // With --json there is one document, so one interval.
    if (out.json()) {
      out.document(documentOf(rows, std::chrono::duration<double>(now->at - before->at).count()));
      return ExitCode::ok;
    }
    constexpr std::string_view clearScreen = "\x1b[H\x1b[2J";
    if (!once_ && terminal) out.raw(clearScreen);
    out.text(tableOf(rows, rows_, out) + (once_ || terminal ? "" : "\n"));
    if (once_) return ExitCode::ok;
    std::fflush(stdout);
    before = std::move(now);
  }
}

}  // namespace lathe::tool
