// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way to a refusal. The log holds every instruction of one path; of them a reader needs those that made the value
// that was refused (a backward slice over registers and stack slots) and the conditions that led there.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "runtimes/bpf/verifier/log.h"

namespace lathe::bpf::detail {
namespace {

constexpr unsigned frameRegister = 10;
constexpr unsigned noRegister = 11;
constexpr std::size_t mostConditions = 4;
constexpr std::size_t mostOrigins = 6;

/// "r3" or "w3" at the beginning of `text`.
unsigned registerAt(std::string_view text) {
  if (text.size() < 2 || (text[0] != 'r' && text[0] != 'w') || std::isdigit(static_cast<unsigned char>(text[1])) == 0)
    return noRegister;
  unsigned out = 0;
  const char* const end = std::from_chars(text.data() + 1, text.data() + text.size(), out).ptr;
  if (end != text.data() + text.size() && (std::isalnum(static_cast<unsigned char>(*end)) != 0 || *end == '_'))
    return noRegister;
  return std::min(out, noRegister);
}

/// The slot of "*(u64 *)(r10 -16)", as "r10 -16"; empty for other memory.
std::string slotIn(std::string_view text) {
  const std::size_t from = text.find("(r10 ");
  if (from == std::string_view::npos || !text.starts_with("*(")) return {};
  const std::size_t end = text.find(')', from);
  return end == std::string_view::npos ? std::string() : std::string(text.substr(from + 1, end - from - 1));
}

/// What is looked for while the log is read backwards.
class Slice {
 public:
  explicit Slice(unsigned number) {
    if (number < frameRegister) registers_.insert(number);
  }
  [[nodiscard]] bool isDone() const { return registers_.empty() && slots_.empty(); }

  /// Goes back over one instruction. What it says of the value that is looked for, or nothing.
  std::optional<std::string> stepBack(const LogStep& step) {
    const std::string_view code = step.code;
    if (code.starts_with("call ")) return backOverCall(step);
    if (code.starts_with("*(")) {
      const std::size_t equals = code.find(" = ");
      const std::string slot = slotIn(code);
      if (slot.empty() || equals == std::string_view::npos || slots_.erase(slot) == 0) return {};
      if (const unsigned from = registerAt(code.substr(equals + 3)); from < frameRegister) registers_.insert(from);
      return {};
    }
    const unsigned to = registerAt(code);
    if (to >= frameRegister || !registers_.contains(to)) return {};
    return backOverWrite(step, to);
  }

 private:
  std::optional<std::string> backOverCall(const LogStep& step) {
    const bool wanted = registers_.erase(0) != 0;
    for (unsigned i = 1; i <= 5; ++i) registers_.erase(i);
    if (!wanted) return {};
    std::string_view name = std::string_view(step.code).substr(std::string_view("call ").size());
    name = name.substr(0, name.find('#'));
    const std::string words = inWords(stateOf(step.states, 0));
    const bool named = !name.starts_with("pc");
    if (words.empty()) return named ? fmt::format("the result of {}", name) : std::string("the result of a function");
    return named ? fmt::format("the result of {} is {}", name, words) : fmt::format("a function returns {}", words);
  }

  std::optional<std::string> backOverWrite(const LogStep& step, unsigned to) {
    const std::string_view code = step.code;
    const std::size_t space = code.find(' ');
    const std::size_t equals = code.find("= ");
    if (space == std::string_view::npos || equals == std::string_view::npos) return {};
    const std::string_view source = code.substr(equals + 2);
    std::string words = inWords(stateOf(step.states, to));
    if (words == inWords("fp0")) words.clear();  // every local variable is that
    const bool replaces = code.substr(space + 1).starts_with("= ");
    if (!replaces) {  // r1 += r2
      if (const unsigned other = registerAt(source); other < frameRegister) registers_.insert(other);
      return words.empty() ? std::optional<std::string>() : fmt::format("becomes {}", words);
    }
    registers_.erase(to);
    if (source.starts_with("*(")) {
      if (const std::string slot = slotIn(source); !slot.empty()) {
        slots_.insert(slot);
        return {};
      }
      return words.empty() ? "read from memory" : fmt::format("read here: {}", words);
    }
    const unsigned from = registerAt(source);
    if (from < frameRegister) {
      registers_.insert(from);
      return {};
    }
    return words.empty() ? std::optional<std::string>() : fmt::format("set here: {}", words);
  }

  std::set<unsigned> registers_;
  std::set<std::string> slots_;
};

/// True if the condition of step `at` was met, by where the path goes on; nothing for other instructions.
std::optional<bool> conditionMet(const std::vector<LogStep>& steps, std::size_t at) {
  const std::string_view code = steps[at].code;
  if (!code.starts_with("if ") || at + 1 >= steps.size()) return {};
  return steps[at + 1].instruction != steps[at].instruction + 1;
}

std::string conditionWords(const LogStep& step, bool met) {
  std::string_view condition = std::string_view(step.code).substr(std::string_view("if ").size());
  condition = condition.substr(0, condition.find(" goto"));
  return fmt::format("on this path {} is {}", condition, met ? "true" : "false");
}

}  // namespace

std::vector<PathStep> pathTo(const VerifierLog& log, unsigned number) {
  std::vector<PathStep> out;
  std::size_t conditions = 0, origins = 0;
  Slice slice(number);
  const auto add = [&](const LogStep& step, std::string words) {
    // Loops and statements of several instructions: each line once, by what came last.
    if (step.source.text.empty() || std::ranges::find(out, step.source, &PathStep::source) != out.end()) return false;
    out.push_back({step.source, step.instruction, std::move(words)});
    return true;
  };
  for (std::size_t i = log.steps.size(); i-- > 0;) {
    const LogStep& step = log.steps[i];
    if (const auto met = conditionMet(log.steps, i)) {
      if (conditions < mostConditions && add(step, conditionWords(step, *met))) ++conditions;
      continue;
    }
    if (i + 1 == log.steps.size()) continue;  // the refused one: its place is the error's
    if (slice.isDone()) {
      if (conditions >= mostConditions) break;
      continue;
    }
    if (auto words = slice.stepBack(step); words && origins < mostOrigins && add(step, *std::move(words))) ++origins;
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace lathe::bpf::detail
