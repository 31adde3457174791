// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of programs as a whole (calls, maps, licences), and variables that the loader does not make as they are
// written.
#include <algorithm>
#include <map>
#include <set>

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include "targets/bpf/checks/checks.h"

namespace lathe::targets::bpf {
namespace {

constexpr unsigned mostFrames = 8;  // MAX_CALL_FRAMES
constexpr unsigned mostMaps = 64;   // MAX_USED_MAPS

/// The longest chain of calls from `function` on, itself included.
class Chains {
 public:
  struct Chain {
    unsigned frames = 1;
    const llvm::CallBase* deepest = nullptr;
  };
  const Chain& from(const llvm::Function& function) {
    const auto [at, fresh] = chains_.try_emplace(&function);
    if (!fresh) return at->second;  // also of a circle, which is an error of its own
    Chain out;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
      for (const llvm::Use& operand : call->operands()) {
        const auto* const callee = llvm::dyn_cast<llvm::Function>(operand->stripPointerCasts());
        if (!callee || callee->isDeclaration()) continue;
        const Chain& next = from(*callee);
        if (next.frames + 1 > out.frames) out = {next.frames + 1, call};
      }
    }
    return chains_[&function] = out;
  }

 private:
  std::map<const llvm::Function*, Chain> chains_;
};

/// What programs that may sleep can have no maps of, by bpf_map_type, as of Linux 6.18
/// (check_map_prog_compatibility() of its verifier).
constexpr std::pair<std::uint64_t, const char*> notWhileSleeping[] = {
    {3, "program array"},  {4, "perf buffer"},  {7, "stack trace"},  {8, "cgroup array"},    {11, "LPM trie"},
    {14, "device map"},    {15, "socket map"},  {16, "CPU map"},     {17, "XDP socket map"}, {18, "socket hash"},
    {20, "reuseport map"}, {25, "device hash"}, {30, "bloom filter"}};

bool holdsAddress(const llvm::Constant& constant) {
  if (llvm::isa<llvm::GlobalValue>(constant)) return true;
  return llvm::any_of(constant.operands(), [](const llvm::Use& operand) {
    const auto* const part = llvm::dyn_cast<llvm::Constant>(operand.get());
    return part && holdsAddress(*part);
  });
}

std::string shortName(const llvm::GlobalValue& value) {
  return "'" + value.getName().str() + "'";
}

/// A map that a program that may sleep uses at `use`, first in its code.
void checkMapOfSleeper(const llvm::GlobalVariable& map, const llvm::Instruction& use, const llvm::Function& program,
                       Findings& findings) {
  const auto definition = mapOf(&map);
  const auto* const kind =
      llvm::find_if(notWhileSleeping, [&](const auto& one) { return definition && one.first == definition->kind; });
  if (kind == std::end(notWhileSleeping)) return;
  findings.add("sleep", use, program,
               "map " + shortName(map) + " is a " + kind->second + ", and programs in section '" +
                   program.getSection().str() + "' may sleep",
               "such programs can have arrays, hashes, queues, stacks, ring buffers, local storage and arenas, as of "
               "Linux 6.18");
}

}  // namespace

/// The kernel's own list (license_is_gpl_compatible).
bool isGpl(std::string_view licence) {
  constexpr std::string_view known[] = {"GPL",          "GPL v2",       "GPL and additional rights",
                                        "Dual BSD/GPL", "Dual MIT/GPL", "Dual MPL/GPL"};
  return llvm::is_contained(known, licence);
}

std::string say(std::string_view licence) {
  return licence.empty() ? "the program has no licence" : "the licence is '" + std::string(licence) + "'";
}

void checkCalls(const ProgramCode& code, const std::optional<std::string>& licence, Findings& findings) {
  Chains chains;
  const Chains::Chain& chain = chains.from(*code.entry);
  if (chain.frames > mostFrames && chain.deepest && code.certain.contains(chain.deepest->getParent())) {
    findings.add("calls", *chain.deepest, *code.entry,
                 "a chain of " + std::to_string(chain.frames) + " functions begins here, and the kernel allows " +
                     std::to_string(mostFrames),
                 "let some of them be inlined: without __noinline, static or in an unnamed namespace");
  }
  std::set<const llvm::GlobalVariable*> maps;
  const llvm::CallBase* ofKernel = nullptr;
  for (const llvm::Function* const function : code.functions) {
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      for (const llvm::Use& operand : instruction.operands()) {
        const auto* const map = llvm::dyn_cast<llvm::GlobalVariable>(operand->stripPointerCasts());
        if (!map || map->getSection() != ".maps" || !maps.insert(map).second) continue;
        if (sleeps(code.entry->getSection())) checkMapOfSleeper(*map, instruction, *code.entry, findings);
      }
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
      if (callee && callee->getSection() == ".ksyms" && code.certain.contains(call->getParent())) ofKernel = call;
    }
  }
  if (maps.size() > mostMaps) {
    findings.add("size", declarationOf(*code.entry),
                 "program " + shortName(*code.entry) + " uses " + std::to_string(maps.size()) +
                     " maps, and the kernel allows " + std::to_string(mostMaps),
                 "put several into one: a map of maps, or a key with a kind in it");
  }
  if (!licence || isGpl(*licence)) return;
  const std::string other = say(*licence);
  constexpr const char* remedy = "if the program's licence permits: LATHE_BPF_LICENSE(\"GPL\")";
  llvm::StringRef section = code.entry->getSection();
  section.consume_front("?");
  const llvm::StringRef kind = section.split('/').first.split('.').first;
  if (kind == "lsm" || kind == "struct_ops") {
    findings.add("licence", declarationOf(*code.entry),
                 "programs in section '" + section.str() + "' are for GPL programs, and " + other, remedy);
  }
  if (ofKernel) {
    findings.add(
        "licence", *ofKernel, *code.entry,
        shortName(*ofKernel->getCalledFunction()) + " is a function of the kernel's, for GPL programs, and " + other,
        remedy);
  }
}

void checkVariables(const llvm::Module& module, Findings& findings) {
  for (const llvm::GlobalVariable& variable : module.globals()) {
    const llvm::StringRef section = variable.getSection();
    if (section == ".maps" && variable.hasLocalLinkage()) {
      findings.add(
          "map", declarationOf(variable),
          "map " + shortName(variable) + " is not visible outside of this file, and libbpf takes no such map",
          "give its structure a name, and the variable no 'static'");
    }
    const bool isForLoader = variable.getName().starts_with("llvm.") || section == ".maps" || section == "license" ||
                             section.starts_with(".struct_ops") || section.starts_with("?.struct_ops");
    if (isForLoader || !variable.hasInitializer() || !holdsAddress(*variable.getInitializer())) continue;
    const bool isWritten = declarationOf(variable).line != 0;  // else a table that the compiler made
    const std::string name = isWritten ? shortName(variable) : "the " + llvm::demangle(variable.getName());
    findings.add("relocation", isWritten ? declarationOf(variable) : SourceLocation{},
                 "pointers in the initial value of " + name +
                     " are no addresses when programs run: the loader does not fill them",
                 "use offsets or arrays of characters, or set them in the program");
  }
}

}  // namespace lathe::targets::bpf
