// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/litmus/run.h"

#include <algorithm>
#include <bit>

#include "tests/litmus/model.h"

extern "C" {
extern const char lathe_litmus_plan[];
extern const char lathe_litmus_plan_end[];
}

namespace lathe::litmus {
namespace {

using Plan = ::litmus::plan;

constexpr unsigned mostInstances = 1U << 17, leastInstances = 256, mostStride = 16, scratchWords = 1U << 12,
                   meetingWords = 1U << 12;
constexpr unsigned tallyItems = 64;

bool inOneGroup(Place place) {
  return place == Place::group || place == Place::groupShared;
}

/// Instances of one launch: no more than are asked for in all, roughly.
unsigned instancesFor(std::uint64_t runs) {
  const auto wanted = static_cast<unsigned>(std::min<std::uint64_t>(runs, mostInstances));
  return std::clamp(std::bit_floor(std::max(wanted, 1U)), leastInstances, mostInstances);
}

}  // namespace

struct Bench::Memories {
  Buffer<unsigned> words, results, scratch, histogram;
};

Result<Bench> Bench::open(const Compiler& compiler, const Settings& settings) {
  const auto target = compiler.target(settings.target);
  if (!target) return target.error();
  auto device = Device::open(target->runtime);
  if (!device) return std::move(device).error();
  return Bench(compiler, settings, *std::move(device));
}

bool Bench::wants(const std::vector<std::string>& list, std::string_view name) const {
  return list.empty() || std::ranges::find(list, name) != list.end();
}

Result<Module> Bench::compile(std::string text, std::vector<std::string> entries) const {
  Job job;
  job.source = {.name = "litmus.cpp", .text = std::move(text), .dialect = "kernel"};
  job.headers = {{"tests/litmus/plan.h", std::string(lathe_litmus_plan, lathe_litmus_plan_end)}};
  job.entries = std::move(entries);
  job.target = settings_.target;
  job.arch = device().arch;
  if (settings_.mutation == Mutation::order) job.options.defines = {"LITMUS_LOSE_ORDER"};
  if (settings_.mutation == Mutation::scope) job.options.defines = {"LITMUS_LOSE_SCOPE"};
  const auto compiled = compiler_->compile(job);
  if (!compiled) return compiled.error();
  return device_.load(compiled->image);
}

Plan Bench::arrange(const Program& program, Place place) {
  Plan p{};
  p.seed = word();
  p.scratch_words = scratchWords;
  for (unsigned i = 0; i < 4; ++i) {
    p.role_factor[i] = word() | 1;
    p.role_offset[i] = word();
    p.place_factor[i] = word() | 1;
    p.place_offset[i] = word();
  }
  p.stride = 1U << upTo(4);
  p.jitter = upTo(1) ? 1 + upTo(15) : 0;
  if (style() == Style::sideBySide && !inOneGroup(place)) {
    const auto roles = static_cast<unsigned>(program.roles.size());
    const unsigned teams = std::bit_floor(std::max(1U, device().multiprocessors / roles));
    p.instances = instancesFor(std::min<std::uint64_t>(settings_.runs, 16384));
    p.steps = std::max(p.instances / teams, 1U);
    p.batch = std::min(p.steps, 64U << upTo(4));
    p.group_items = 1;
    p.test_groups = p.instances / p.steps * roles;
    if (p.jitter) p.jitter = 2;
    return p;
  }
  p.instances = instancesFor(settings_.runs);
  p.group_items = 64U << upTo(2);
  p.test_groups = p.instances / p.group_items;
  if (style() == Style::sideBySide) return p;
  p.stress = upTo(1) ? 64 + upTo(192) : 0;
  return p;
}

Result<void> Bench::fill(Cell& cell, const Program& program, const Module& module, Memories& memory) {
  const auto test = module.kernel<Plan, unsigned*, unsigned*, unsigned*>(testKernel(cell.form, cell.place, style()));
  if (!test) return test.error();
  const auto tally = module.kernel<Plan, unsigned, unsigned*, unsigned*, unsigned*>(tallyKernel());
  if (!tally) return tally.error();
  Buffer<unsigned> histogram = *device_.allocate<unsigned>(std::size_t{1} << outcomeBits(program));
  if (auto done = histogram.zero(); !done) return done;
  while (cell.runs < settings_.runs) {
    Plan p = arrange(program, cell.place);
    const bool together = style() == Style::sideBySide && !inOneGroup(cell.place);
    const unsigned stressGroups = p.stress ? 1 + upTo(std::min(2 * device().multiprocessors, p.test_groups)) : 0;
    const unsigned groups = p.test_groups + stressGroups;
    if (together)
      if (auto done = memory.scratch.zero(); !done) return done;
    p.first_group = together ? 0 : upTo(groups - 1);
    const LaunchOptions launch{
        .grid = {groups},
        .group = {p.group_items},
        .dynamicSharedBytes = cell.place == Place::groupShared
                                  ? static_cast<std::uint32_t>(program.places * p.group_items * sizeof(unsigned))
                                  : 0,
        .cooperative = together};
    if (auto done = (*test)(launch, p, memory.words.data(), memory.results.data(), memory.scratch.data()); !done)
      return done;
    const unsigned mask = (inOneGroup(cell.place) ? p.group_items : p.instances) - 1;
    if (auto done = (*tally)({.grid = {p.instances / tallyItems}, .group = {tallyItems}}, p, mask, memory.words.data(),
                             memory.results.data(), histogram.data());
        !done)
      return done;
    cell.runs += p.instances;
  }
  const auto counts = histogram.read();
  if (!counts) return counts.error();
  const Allowed allowed = allowedOutcomes(program, cell.form);
  const std::set<Outcome> interleaved = interleavedOutcomes(program);
  for (Outcome outcome = 0; outcome < counts->size(); ++outcome) {
    const unsigned count = (*counts)[outcome];
    if (count == 0) continue;
    cell.histogram[outcome] = count;
    if (!interleaved.contains(outcome)) cell.weak += count;
    if (!allowed.outcomes.contains(outcome)) cell.forbidden += count;
  }
  return {};
}

Result<std::vector<Cell>> Bench::run(const Program& program) {
  std::vector<Cell> cells;
  std::vector<std::string> entries = {tallyKernel()};
  for (const Place place : places) {
    for (const Form form : forms) {
      if (!wants(settings_.places, nameOf(place)) || !wants(settings_.forms, nameOf(form))) continue;
      const Allowed allowed = allowedOutcomes(program, form);
      const std::set<Outcome> interleaved = interleavedOutcomes(program);
      Cell cell{.test = std::string(program.name), .place = place, .form = form};
      cell.hasMeaning = !allowed.races;
      cell.mayBeWeak = !std::ranges::includes(interleaved, allowed.outcomes);
      if (cell.hasMeaning) entries.push_back(testKernel(form, place, style()));
      cells.push_back(cell);
    }
  }
  auto module = compile(sourceOf(program), entries);
  if (!module) return module.error();
  const std::size_t most = instancesFor(settings_.runs) * 2;
  auto words = device_.allocate<unsigned>(most * program.places * mostStride);
  auto results = device_.allocate<unsigned>(most * std::max(1U, program.registers));
  auto scratch = device_.allocate<unsigned>(scratchWords + meetingWords);
  if (!words || !results || !scratch) return !words ? words.error() : !results ? results.error() : scratch.error();
  Memories memory{*std::move(words), *std::move(results), *std::move(scratch), {}};
  if (auto done = memory.words.zero(); !done) return done.error();
  if (auto done = memory.scratch.zero(); !done) return done.error();
  for (Cell& cell : cells) {
    if (!cell.hasMeaning) continue;
    if (auto done = fill(cell, program, *module, memory); !done) return done.error();
  }
  return cells;
}

Result<void> Bench::fillLock(Cell& cell, const Module& module, std::string_view lock) {
  const auto kernel = module.kernel<Plan, unsigned*, unsigned*>(lockKernel(lock, cell.form, cell.place));
  if (!kernel) return kernel.error();
  const bool together = style() == Style::sideBySide && !inOneGroup(cell.place);
  const unsigned processors = std::max(2U, device().multiprocessors);
  const unsigned small = settings_.runs < leastInstances * 64 ? 4 : 2 * processors;
  Plan p{};
  p.group_items = together ? 1 : 256;
  p.test_groups = together ? processors : small;
  p.locks = std::max(1U, p.test_groups / 4);
  p.tries = together ? 1U << 22 : 1U << 16;
  const unsigned participants = p.test_groups * std::max(1U, p.group_items / 32);
  const auto turns = static_cast<unsigned>(std::min<std::uint64_t>(settings_.runs / participants + 1, 4096));
  p.turns = together ? turns : std::min(turns, 16U);
  const unsigned lockCount = inOneGroup(cell.place) ? p.test_groups : p.locks;
  auto words = device_.allocate<unsigned>(std::size_t{lockCount} * 4 * mostStride);
  auto counts = device_.allocate<unsigned>(3);
  if (!words || !counts) return !words ? words.error() : counts.error();
  for (unsigned idle = 0; cell.runs < settings_.runs && idle < 8;) {
    p.stride = 1U << upTo(4);
    if (auto done = words->zero(); !done) return done;
    if (auto done = counts->zero(); !done) return done;
    if (auto done = (*kernel)({.grid = {p.test_groups}, .group = {p.group_items}, .cooperative = together}, p,
                              words->data(), counts->data());
        !done)
      return done;
    const auto got = counts->read();
    if (!got) return got.error();
    const auto after = words->read();
    if (!after) return after.error();
    std::uint64_t first = 0, second = 0, wrong = (*got)[2];
    for (std::size_t i = 0; i < lockCount; ++i) {
      first += (*after)[i * 4 * p.stride + 2];
      second += (*after)[i * 4 * p.stride + 3];
    }
    for (const std::uint64_t sum : {first, second}) wrong += sum > (*got)[0] ? sum - (*got)[0] : (*got)[0] - sum;
    idle = (*got)[0] == 0 ? idle + 1 : 0;
    cell.runs += (*got)[0];
    cell.weak += wrong;
    cell.forbidden += wrong;
  }
  return {};
}

Result<std::vector<Cell>> Bench::runLock(std::string_view lock) {
  std::vector<Cell> cells;
  std::vector<std::string> entries;
  for (const Place place : places) {
    for (const Form form : forms) {
      if (!wants(settings_.places, nameOf(place)) || !wants(settings_.forms, nameOf(form))) continue;
      cells.push_back({.test = std::string(lock), .place = place, .form = form, .hasMeaning = form != Form::relaxed});
      if (form != Form::relaxed) entries.push_back(lockKernel(lock, form, place));
    }
  }
  if (entries.empty()) return cells;
  auto module = compile(lockSource(), entries);
  if (!module) return module.error();
  for (Cell& cell : cells) {
    if (!cell.hasMeaning) continue;
    if (auto done = fillLock(cell, *module, lock); !done) return done.error();
  }
  return cells;
}

}  // namespace lathe::litmus
