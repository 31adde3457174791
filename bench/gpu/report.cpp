// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Markdown for the outcomes.
#include "report.h"

#include <algorithm>

#include "../measure.h"

namespace lathe::bench::gpu {
namespace {

/// Launches that take less tell more of the launch than of the code.
constexpr double shortest = 20;

/// Half of the samples lie in this share of the median; of the side that spreads more.
std::string spread(const Outcome& outcome) {
  double widest = 0;
  for (const SideResult& side : outcome.sides)
    widest = std::max(widest, (side.upperQuartile - side.lowerQuartile) / side.median);
  return text(100 * widest) + " %";
}

std::string rate(const Case& subject, double microseconds) {
  return text(subject.work / microseconds * 1e-3) + (subject.unit == Unit::bytes ? " GB/s" : " Gop/s");
}

template <class T>
std::string pair(const Outcome& outcome, T SideResult::* member) {
  return std::to_string(outcome.sides[lathe].*member) + " / " + std::to_string(outcome.sides[peer].*member);
}

std::string instructions(const Outcome& outcome) {
  const auto shown = [](std::size_t count) { return count == 0 ? "–" : std::to_string(count); };
  return shown(outcome.sides[lathe].instructions) + " / " + shown(outcome.sides[peer].instructions);
}

void printRow(const ReportRow& entry) {
  const Outcome& outcome = entry.outcome;
  if (!outcome.failure.empty()) {
    row(std::array<std::string, 9>{outcome.kernel, "**FAILED**", outcome.failure.substr(0, 300)});
    return;
  }
  const double ours = outcome.sides[lathe].median;
  row(std::array<std::string, 9>{outcome.kernel, text(outcome.ratio()), text(ours), text(outcome.sides[peer].median),
                                 spread(outcome), rate(entry.make(Scale::full), ours),
                                 pair(outcome, &SideResult::registers), pair(outcome, &SideResult::localBytes),
                                 instructions(outcome)});
}

/// "kernel (0.912), …" of the rows under a ratio.
std::string slowest(const std::vector<ReportRow>& rows, double under) {
  std::vector<const Outcome*> found;
  for (const ReportRow& entry : rows)
    if (entry.outcome.failure.empty() && entry.outcome.ratio() < under) found.push_back(&entry.outcome);
  std::ranges::sort(found, {}, [](const Outcome* outcome) { return outcome->ratio(); });
  std::string out = std::to_string(found.size());
  for (const Outcome* outcome : found)
    out += (outcome == found.front() ? ": " : ", ") + outcome->kernel + " (" + text(outcome->ratio()) + ")";
  return out;
}

void printSummary(const std::vector<ReportRow>& rows) {
  std::vector<double> ratios;
  std::string brief, byKind;
  std::vector<double> ofKind;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Outcome& outcome = rows[i].outcome;
    if (outcome.failure.empty()) {
      ratios.push_back(outcome.ratio());
      ofKind.push_back(outcome.ratio());
      if (outcome.sides[lathe].median < shortest) brief += (brief.empty() ? "" : ", ") + outcome.kernel;
    }
    if (i + 1 < rows.size() && rows[i + 1].kind == rows[i].kind) continue;
    if (!ofKind.empty())
      byKind += (byKind.empty() ? "" : ", ") + std::string(rows[i].kind->name) + " " + text(geometricMean(ofKind));
    ofKind.clear();
  }
  if (ratios.empty()) return;
  say("Geometric mean of " + std::to_string(ratios.size()) + " ratios: " + text(geometricMean(ratios)) + "; least " +
      text(*std::ranges::min_element(ratios)) + ", most " + text(*std::ranges::max_element(ratios)) + ".");
  say("By kind: " + byKind + ".");
  say("Under 0.95: " + slowest(rows, 0.95) + ".");
  say("Under 0.97: " + slowest(rows, 0.97) + ".");
  if (!brief.empty()) say("Shorter than " + text(shortest) + " µs, and so less certain: " + brief + ".");
}

/// How near the kernels that move one element an item come to the driver's own copies.
void printShares(const std::vector<ReportRow>& rows, double ceiling) {
  constexpr std::array moving{"copyOne", "scaleOne", "triadOne"};
  std::string shares;
  for (const ReportRow& entry : rows) {
    const Outcome& outcome = entry.outcome;
    if (!outcome.failure.empty() || std::ranges::find(moving, outcome.kernel) == moving.end()) continue;
    const double bytes = entry.make(Scale::full).work;
    const auto share = [&](Side side) { return text(bytes / outcome.sides[side].median * 1e-3 / ceiling); };
    shares += (shares.empty() ? "" : ", ") + outcome.kernel + " " + share(lathe) + " (the peer's " + share(peer) + ")";
  }
  if (shares.empty()) return;
  say("The driver's copies of 1 GiB: " + text(ceiling) + " GB/s, reads and writes. Of that (goal 0.95): " + shares +
      ".");
}

}  // namespace

unsigned report(const std::vector<ReportRow>& rows, double ceiling) {
  const Kind* kind = nullptr;
  for (const ReportRow& entry : rows) {
    if (entry.kind != kind)
      header(entry.kind->name,
             std::array<std::string, 9>{"kernel", "ratio", "Lathe µs", "peer µs", "spread", "Lathe's rate",
                                        "registers L / p", "local bytes L / p", "instructions L / p"});
    kind = entry.kind;
    printRow(entry);
  }
  printSummary(rows);
  if (ceiling > 0) printShares(rows, ceiling);
  const auto failures =
      unsigned(std::ranges::count_if(rows, [](const ReportRow& entry) { return !entry.outcome.failure.empty(); }));
  if (failures != 0) say("**" + std::to_string(failures) + " kernels failed.**");
  return failures;
}

}  // namespace lathe::bench::gpu
