// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper calls against helpers.def, which holds what a kernel's verifier answered.
#include <bitset>
#include <optional>
#include <string>

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instructions.h"

#include "targets/bpf/checks/checks.h"

namespace lathe::targets::bpf {
namespace {

using Numbers = std::bitset<256>;  // helpers end at 211, and the kernel adds none

/// "1-3 7" as a set.
Numbers numbers(llvm::StringRef text) {
  Numbers out;
  for (const llvm::StringRef part : llvm::split(text, ' ')) {
    const auto [first, last] = part.split('-');
    unsigned from = 0, to = 0;
    if (first.getAsInteger(10, from)) continue;
    if (last.getAsInteger(10, to)) to = from;
    for (unsigned i = from; i <= to && i < out.size(); ++i) out.set(i);
  }
  return out;
}

struct Kind {
  const char* name;
  const char* sections;
  const char* helpers;
};
constexpr Kind kinds[] = {
#define LATHE_BPF_HELPERS_OF(name, sections, helpers) {name, sections, helpers},
#include "targets/bpf/helpers.def"
};
#define LATHE_BPF_HELPERS_KNOWN(helpers) constexpr const char* knownHelpers = helpers;
#define LATHE_BPF_HELPERS_GPL(helpers) constexpr const char* gplHelpers = helpers;
#define LATHE_BPF_HELPERS_SLEEPING(helpers) constexpr const char* sleepingHelpers = helpers;
#include "targets/bpf/helpers.def"

/// The kind of program that libbpf takes a function in this section for; null for one that the table lacks.
const Kind* kindOf(llvm::StringRef section) {
  section.consume_front("?");  // "not loaded unless asked for"
  for (const Kind& kind : kinds) {
    for (llvm::StringRef pattern : llvm::split(kind.sections, ' ')) {
      const bool more = pattern.consume_back("+");
      if (section == pattern || (more && section.starts_with(pattern) && section[pattern.size()] == '/')) return &kind;
    }
  }
  return nullptr;
}

std::string typesWith(unsigned number) {
  std::string out;
  for (const Kind& kind : kinds)
    if (numbers(kind.helpers).test(number)) out += (out.empty() ? "those with it are " : ", ") + std::string(kind.name);
  return out;
}

}  // namespace

std::string helperName(unsigned number) {
  switch (number) {
#define LATHE_BPF_HELPER_NAME(number, name) \
  case number:                              \
    return #name;
#include "targets/bpf/helpers.def"
    default:
      return "helper " + std::to_string(number);
  }
}

bool sleeps(std::string_view section) {
  llvm::StringRef first = llvm::StringRef(section).split('/').first;
  first.consume_front("?");
  return first.ends_with(".s") || first == "syscall";
}

void checkHelpers(const ProgramCode& code, const std::optional<std::string>& licence, Findings& findings) {
  static const Numbers known = numbers(knownHelpers), gpl = numbers(gplHelpers), sleeping = numbers(sleepingHelpers);
  constexpr int error = 2;
  const llvm::StringRef section = code.entry->getSection();
  const Kind* const kind = kindOf(section);
  const bool maySleep = sleeps(section) || section.starts_with("struct_ops") || section.starts_with("?struct_ops");
  const std::string programs = "programs in section '" + section.str() + "'";
  const auto look = [&](const llvm::CallBase& call, unsigned number) {
    if (kind && known.test(number) && !numbers(kind->helpers).test(number))
      findings.add("helpers", call, *code.entry, programs + " may not call " + helperName(number),
                   "the kernel gives each type of program its own helpers, here as of Linux 6.18: " + typesWith(number),
                   error);
    else if (kind && sleeping.test(number) && !maySleep)
      findings.add(
          "helpers", call, *code.entry, helperName(number) + " may sleep, and " + programs + " may not",
          "programs that may sleep have sections that end in .s (uprobe.s, lsm.s, iter.s), or are of type syscall",
          error);
    if (licence && gpl.test(number) && !isGpl(*licence))
      findings.add("licence", call, *code.entry, helperName(number) + " is for GPL programs, and " + say(*licence),
                   "if the program's licence permits: LATHE_BPF_LICENSE(\"GPL\")", error);
  };
  for (const llvm::Function* const function : code.functions) {
    for (const llvm::BasicBlock& block : *function) {
      if (!code.certain.contains(&block)) continue;
      for (const llvm::Instruction& instruction : block) {
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (const unsigned number = call ? helperOf(*call) : 0; number != 0) look(*call, number);
      }
    }
  }
}

}  // namespace lathe::targets::bpf
