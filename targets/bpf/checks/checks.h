// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of programs against the rules of the kernel's verifier and of libbpf, on optimised IR. Each has a name, under
// which a job's parameter switches it off, or makes an error of it. A check reports what is certain to be refused:
// code behind branches that constants of the loader's decide is left to the verifier, which knows their values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <lathe/result.h>

namespace llvm {
class GlobalVariable;
class Module;
}  // namespace llvm

namespace lathe::targets::bpf {

/// One object's findings.
class Findings {
 public:
  Findings(const std::map<std::string, std::string>& parameters, std::vector<Diagnostic>& out)
      : parameters_(parameters), out_(out) {}

  /// What the job wants of a check: "warn.NAME" of its parameters is 0: nothing, 1: a warning, 2: an error.
  [[nodiscard]] int level(std::string_view check, int byDefault = 1) const;
  /// A finding of the check `check` at an instruction of `program`, or of what it calls.
  void add(std::string_view check, const llvm::Instruction& at, const llvm::Function& program, std::string message,
           std::string hint, int byDefault = 1);
  /// A finding about a variable or a whole function.
  void add(std::string_view check, SourceLocation at, std::string message, std::string hint, int byDefault = 1);

 private:
  const std::map<std::string, std::string>& parameters_;
  std::vector<Diagnostic>& out_;
};

/// The numbers of helpers (enum bpf_func_id in the kernel's linux/bpf.h) that the checks know by name.
enum Helper : unsigned {
  mapLookup = 1,
  mapUpdate = 2,
  mapDelete = 3,
  ringSubmit = 132,
  ringDiscard = 133,
};

/// The number of the helper that the call is of; 0: it is of another function.
[[nodiscard]] unsigned helperOf(const llvm::CallBase& call);
[[nodiscard]] std::string helperName(unsigned number);

/// Whether the verifier may know the value: made from constants of the loader's, from memory of the program's own, or
/// from what a caller passed.
[[nodiscard]] bool knownAtLoad(const llvm::Value* value, const llvm::Function& program);

/// The functions of one program: the entry first, then those that it calls or hands to helpers, whatever the loader's
/// constants are.
struct ProgramCode {
  const llvm::Function* entry = nullptr;
  std::vector<llvm::Function*> functions;
  /// The blocks of `functions` that are reached without a branch on what is known at load.
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> certain;
};
[[nodiscard]] ProgramCode codeOf(llvm::Function& program);

/// True for a read of a member of a structure with preserve_static_offset, which is a call of an intrinsic until code
/// is generated.
[[nodiscard]] bool isMemberRead(const llvm::CallBase& call);

/// The values that decide `condition`: loads, results of calls, parameters.
[[nodiscard]] llvm::SmallPtrSet<const llvm::Value*, 8> leavesOf(const llvm::Value* condition);
/// Whether `value` is computed from `from` without going through memory.
[[nodiscard]] bool dependsOn(const llvm::Value* value, const llvm::SmallPtrSetImpl<const llvm::Value*>& from);

/// True if control may come from `from` to `to` by certain blocks, without passing `from` again or a branch whose
/// condition depends on one of `tests`. Branches whose conditions have a value in common may exclude each other: a way
/// over two of them does not count.
[[nodiscard]] bool reachesUntested(const ProgramCode& code, const llvm::Instruction& from, const llvm::Instruction& to,
                                   const llvm::SmallPtrSetImpl<const llvm::Value*>& tests);

/// A map's definition, as far as it says it. 0: not said.
struct MapDefinition {
  std::uint64_t kind = 0, keyBytes = 0, valueBytes = 0, entries = 0;
};
[[nodiscard]] std::optional<MapDefinition> mapOf(const llvm::Value* value);

/// True for sections whose programs may sleep, whatever they are attached to.
[[nodiscard]] bool sleeps(std::string_view section);

/// Whether the kernel takes the licence for one of the GPL's.
[[nodiscard]] bool isGpl(std::string_view licence);
/// "the licence is 'MIT'", or that there is none.
[[nodiscard]] std::string say(std::string_view licence);

/// The place of a variable's or function's declaration.
[[nodiscard]] SourceLocation declarationOf(const llvm::GlobalValue& value);

// The checks. Without a licence (an object, which may be linked with one that has it) those of licences do nothing.
void checkNull(const ProgramCode& code, Findings& findings);
void checkPackets(const ProgramCode& code, Findings& findings);
void checkLoops(const ProgramCode& code, Findings& findings);
void checkStackBytes(const ProgramCode& code, Findings& findings);
void checkHelpers(const ProgramCode& code, const std::optional<std::string>& licence, Findings& findings);
void checkCalls(const ProgramCode& code, const std::optional<std::string>& licence, Findings& findings);
void checkContext(const llvm::Function& program, Findings& findings);
void checkVariables(const llvm::Module& module, Findings& findings);

/// Marks the programs whose functions have a stack each on new kernels, whatever is on the way of their calls.
void markOwnStacks(llvm::Module& module);

/// All of them. `out` has what the lowering core found before.
void checkPrograms(llvm::Module& module, bool isWhole, const std::map<std::string, std::string>& parameters,
                   std::vector<Diagnostic>& out);

}  // namespace lathe::targets::bpf
