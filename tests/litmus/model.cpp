// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/litmus/model.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace lathe::litmus {
namespace {

Outcome encode(const std::vector<unsigned>& registers, const std::vector<unsigned>& memory) {
  Outcome out = 0;
  unsigned at = 0;
  for (const auto* values : {&registers, &memory})
    for (const unsigned value : *values) out |= value << 2 * at++;
  return out;
}

bool happens(const Access& access, const std::vector<unsigned>& registers) {
  return access.guard < 0 || registers[static_cast<std::size_t>(access.guard)] == access.guardValue;
}

/// Runs one role's next access after another, in every order.
void interleave(const Program& program, std::vector<std::size_t>& next, std::vector<unsigned>& registers,
                std::vector<unsigned>& memory, std::set<Outcome>& out) {
  bool finished = true;
  for (std::size_t role = 0; role < program.roles.size(); ++role) {
    if (next[role] == program.roles[role].size()) continue;
    finished = false;
    const Access& access = program.roles[role][next[role]++];
    const auto registersBefore = registers, memoryBefore = memory;
    const bool does = happens(access, registers);
    if (access.reads()) registers[static_cast<std::size_t>(access.reg)] = does ? memory[access.place] : notRead;
    if (access.writes() && does)
      memory[access.place] = access.kind == Access::Kind::add ? memory[access.place] + access.value : access.value;
    interleave(program, next, registers, memory, out);
    registers = registersBefore;
    memory = memoryBefore;
    --next[role];
  }
  if (finished) out.insert(encode(registers, memory));
}

/// A relation over the events of a program.
class Relation {
 public:
  explicit Relation(std::size_t n) : rows_(n, std::vector<bool>(n)) {}
  void add(std::size_t a, std::size_t b) { rows_[a][b] = true; }
  [[nodiscard]] bool has(std::size_t a, std::size_t b) const { return rows_[a][b]; }
  void close() {
    for (std::size_t k = 0; k < rows_.size(); ++k)
      for (std::size_t a = 0; a < rows_.size(); ++a)
        for (std::size_t b = 0; b < rows_.size(); ++b)
          if (rows_[a][k] && rows_[k][b]) rows_[a][b] = true;
  }

 private:
  std::vector<std::vector<bool>> rows_;
};

struct Event {
  const Access* access;
  std::size_t role, index;
};

/// One candidate execution after another.
class Search {
 public:
  Search(const Program& program, Form form) : program_(program), form_(form), order_(program.places) {
    for (std::size_t role = 0; role < program.roles.size(); ++role)
      for (std::size_t index = 0; index < program.roles[role].size(); ++index)
        events_.push_back({&program.roles[role][index], role, index});
    for (std::size_t e = 0; e < events_.size(); ++e)
      if (events_[e].access->writes()) order_[events_[e].access->place].push_back(e);
    source_.assign(events_.size(), initial);
  }

  Allowed all() {
    permute(0);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t initial = SIZE_MAX;

  /// Every modification order of every place.
  void permute(std::size_t place) {
    if (place == order_.size()) return choose(0);
    std::ranges::sort(order_[place]);
    do permute(place + 1);
    while (std::ranges::next_permutation(order_[place]).found);
  }

  /// Every write for every read. An addition reads what comes before it in the modification order.
  void choose(std::size_t event) {
    if (event == events_.size()) return judge();
    const Access& access = *events_[event].access;
    if (!access.reads()) return choose(event + 1);
    const auto& order = order_[access.place];
    if (access.kind == Access::Kind::add) {
      const auto at = std::ranges::find(order, event);
      source_[event] = at == order.begin() ? initial : *(at - 1);
      return choose(event + 1);
    }
    source_[event] = initial;
    choose(event + 1);
    for (const std::size_t from : std::vector<std::size_t>(order)) {
      source_[event] = from;
      choose(event + 1);
    }
  }

  [[nodiscard]] std::size_t rank(std::size_t write) const {
    if (write == initial) return 0;
    const auto& order = order_[events_[write].access->place];
    return static_cast<std::size_t>(std::ranges::find(order, write) - order.begin()) + 1;
  }

  [[nodiscard]] unsigned written(std::size_t write) const {
    if (write == initial) return 0;
    const Access& access = *events_[write].access;
    return access.kind == Access::Kind::add ? written(source_[write]) + access.value : access.value;
  }

  /// Adds what comes from `from`'s release sequence being read by `to`.
  void synchronise(Relation& before, std::size_t from, std::size_t to) const {
    const Access& write = *events_[from].access;
    const Access& read = *events_[to].access;
    if (write.plain() || read.plain() || form_ == Form::relaxed) return;
    if (form_ != Form::acqRelFence) {
      if (write.kind == Access::Kind::write && read.kind == Access::Kind::read) before.add(from, to);
      return;
    }
    for (std::size_t a = 0; a < events_.size(); ++a)
      for (std::size_t b = 0; b < events_.size(); ++b)
        if (events_[a].role == events_[from].role && events_[a].index <= events_[from].index && events_[a].index > 0 &&
            events_[b].role == events_[to].role && events_[b].index > events_[to].index)
          before.add(fenceOf(a), fenceOf(b));
  }

  /// The fence before an event that is not the first of its role: a node of the relation behind those of events.
  [[nodiscard]] std::size_t fenceOf(std::size_t event) const { return events_.size() + event; }

  void addProgramOrder(Relation& before) const {
    for (std::size_t a = 0; a < events_.size(); ++a) {
      before.add(fenceOf(a), a);
      for (std::size_t b = 0; b < events_.size(); ++b) {
        if (events_[a].role != events_[b].role || events_[a].index >= events_[b].index) continue;
        before.add(a, b);
        before.add(a, fenceOf(b));
      }
    }
  }

  [[nodiscard]] Relation happensBefore(const std::vector<bool>& present) const {
    Relation before(2 * events_.size());
    addProgramOrder(before);
    for (std::size_t read = 0; read < events_.size(); ++read) {
      if (!present[read] || !events_[read].access->reads()) continue;
      // A fence before an addition releases too, so each write on the way may be a head.
      for (std::size_t write = source_[read]; write != initial; write = source_[write]) {
        synchronise(before, write, read);
        if (events_[write].access->kind != Access::Kind::add) break;
      }
    }
    before.close();
    return before;
  }

  /// Coherence: of two accesses of a place, the later in happens-before is not the earlier in the modification order.
  [[nodiscard]] bool isCoherent(const Relation& before, const std::vector<bool>& present) const {
    for (std::size_t a = 0; a < events_.size(); ++a) {
      if (before.has(a, a)) return false;
      for (std::size_t b = 0; b < events_.size(); ++b) {
        const Access &first = *events_[a].access, &second = *events_[b].access;
        if (!present[a] || !present[b] || !before.has(a, b) || first.place != second.place) continue;
        const std::size_t least = first.writes() ? rank(a) : rank(source_[a]);
        if (second.reads() && rank(source_[b]) < least) return false;
        if (second.writes() && rank(b) <= least) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool races(const Relation& before, const std::vector<bool>& present) const {
    for (std::size_t a = 0; a < events_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Access &one = *events_[a].access, &other = *events_[b].access;
        const bool conflict = present[a] && present[b] && events_[a].role != events_[b].role &&
                              one.place == other.place && (one.writes() || other.writes()) &&
                              (one.plain() || other.plain());
        if (conflict && !before.has(a, b) && !before.has(b, a)) return true;
      }
    return false;
  }

  void judge() {
    std::vector<unsigned> registers(program_.registers, notRead), memory;
    std::vector<bool> present(events_.size(), true);
    for (std::size_t e = 0; e < events_.size(); ++e) {
      const Access& access = *events_[e].access;
      if (!access.reads()) continue;
      present[e] = happens(access, registers);  // a guard is an earlier access of the role
      registers[static_cast<std::size_t>(access.reg)] = present[e] ? written(source_[e]) : notRead;
    }
    const Relation before = happensBefore(present);
    if (!isCoherent(before, present)) return;
    if (races(before, present)) out_.races = true;
    for (const auto& order : order_) memory.push_back(order.empty() ? 0 : written(order.back()));
    out_.outcomes.insert(encode(registers, memory));
  }

  const Program& program_;
  Form form_;
  std::vector<Event> events_;
  std::vector<std::vector<std::size_t>> order_;  ///< of each place's writes
  std::vector<std::size_t> source_;              ///< of each read
  Allowed out_;
};

}  // namespace

std::set<Outcome> interleavedOutcomes(const Program& program) {
  std::vector<std::size_t> next(program.roles.size());
  std::vector<unsigned> registers(program.registers, notRead), memory(program.places);
  std::set<Outcome> out;
  interleave(program, next, registers, memory, out);
  return out;
}

Allowed allowedOutcomes(const Program& program, Form form) {
  const bool strongest = form == Form::seqCstAccess || form == Form::seqCstFence || form == Form::seqCstUpdate;
  // Plain accesses are not part of the single order, but where they do not race nobody can tell.
  Allowed out = Search(program, form == Form::seqCstFence ? Form::acqRelFence : form).all();
  if (strongest) out.outcomes = interleavedOutcomes(program);
  return out;
}

}  // namespace lathe::litmus
