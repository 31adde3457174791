// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/verifier/log.h"

#include <algorithm>
#include <charconv>

namespace lathe::bpf::detail {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

template <class Number>
bool readNumber(std::string_view text, Number& out) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
  return status == std::errc() && end == text.data() + text.size();
}

/// "; x = *y; @ file.cpp:12", or without its place before Linux 6.9.
SourceLine sourceIn(std::string_view line) {
  SourceLine out;
  line.remove_prefix(1);
  const std::size_t at = line.rfind(" @ ");
  const std::size_t colon = line.rfind(':');
  if (at != std::string_view::npos && colon != std::string_view::npos && colon > at + 3 &&
      readNumber(line.substr(colon + 1), out.line)) {
    out.file = line.substr(at + 3, colon - at - 3);
    line = line.substr(0, at);
  }
  out.text = trimmed(line);
  return out;
}

/// What is neither of the program's path nor a reason: counts, notices, states of other frames, the plain listing.
bool isNotice(std::string_view line) {
  constexpr std::string_view beginnings[] = {"processed ",
                                             "verification time ",
                                             "stack depth ",
                                             "from ",
                                             "caller:",
                                             "callee:",
                                             "to caller at",
                                             "Live regs before",
                                             "func#",
                                             "Validating ",
                                             "mark_precise:",
                                             "last_idx ",
                                             "regs=",
                                             "parent ",
                                             "returning from callee:",
                                             "-- ",
                                             "frame",
                                             "verifying ",
                                             "insn ",
                                             "cur state:",
                                             "old state:"};
  if (std::ranges::any_of(beginnings, [&](std::string_view with) { return line.starts_with(with); })) return true;
  if (line.starts_with("Func#") && line.find(" is safe for any args") != std::string_view::npos) return true;
  if (line.starts_with("Func#") && line.find("is global and assumed valid") != std::string_view::npos) return true;
  if (line.starts_with("func '") && line.find(" has btf_id ") != std::string_view::npos) return true;
  if (line.starts_with("arg#") && line.find("reference type(") != std::string_view::npos) return true;
  // " R6=scalar()" and "R0=0 R10=fp0"
  const std::string_view shown = trimmed(line);
  const std::size_t equals = shown.find('=');
  return shown.size() > 2 && shown[0] == 'R' && shown[1] >= '0' && shown[1] <= '9' &&
         equals != std::string_view::npos && shown.find(' ') > equals;
}

/// An instruction, "12: (85) call bpf_map_lookup_elem#1   ; R0=…"; false for other lines. A state alone, "12:
/// R1=ctx()", goes into `states`.
bool readInstruction(std::string_view line, LogStep& step, std::string& states) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !readNumber(trimmed(line.substr(0, colon)), step.instruction)) return false;
  std::string_view rest = trimmed(line.substr(colon + 1));
  if (!rest.starts_with('(')) {
    if (rest.starts_with('R') || rest.starts_with("frame")) states = rest;
    step.code = rest;
    return rest.starts_with("<invalid ");  // libbpf's word for what it could not relocate
  }
  const std::size_t close = rest.find(") ");
  if (close == std::string_view::npos) return false;
  rest.remove_prefix(close + 2);
  const std::size_t comment = rest.find(" ; ");
  step.code = trimmed(rest.substr(0, comment));
  step.states = comment == std::string_view::npos ? "" : trimmed(rest.substr(comment + 3));
  return true;
}

}  // namespace

VerifierLog readVerifierLog(std::string_view log) {
  VerifierLog out;
  SourceLine source;
  std::vector<std::string> others;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    if (line.starts_with(';')) {
      source = sourceIn(line);
      continue;
    }
    LogStep step;
    std::string states;
    if (readInstruction(line, step, states)) {
      step.source = source;
      out.steps.push_back(std::move(step));
      others.clear();
    } else if (!states.empty()) {
      out.lastStates = std::move(states);
    } else if (line.starts_with("processed ")) {
      const std::string_view number = line.substr(std::string_view("processed ").size());
      (void)readNumber(number.substr(0, number.find(' ')), out.processed);
    } else if (!trimmed(line).empty() && !isNotice(line)) {
      const std::size_t digits = line.find_first_not_of(" 0123456789");
      const bool listed = digits != std::string_view::npos && line.starts_with(' ') && line[digits] == ':';
      // Some messages of the kernel lack their end of line.
      if (!listed) others.emplace_back(trimmed(line.substr(0, line.find("processed "))));
    }
  }
  out.verdict = std::move(others);
  return out;
}

std::string stateOf(std::string_view states, unsigned number) {
  const std::string name = "R" + std::to_string(number);
  for (std::size_t at = 0; (at = states.find(name, at)) != std::string_view::npos; at += name.size()) {
    if (at > 0 && states[at - 1] != ' ') continue;
    std::size_t from = at + name.size();
    // R1_w, R1_rw: written or read, before Linux 6.13.
    if (from < states.size() && states[from] == '_') from = std::min(states.find('=', from), states.size());
    if (from >= states.size() || states[from] != '=') continue;
    std::size_t end = ++from;
    for (int depth = 0; end < states.size() && (depth > 0 || states[end] != ' '); ++end)
      depth += states[end] == '(' ? 1 : states[end] == ')' ? -1 : 0;
    return std::string(states.substr(from, end - from));
  }
  return {};
}

}  // namespace lathe::bpf::detail
