// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and variables that nothing defines, and limits of memory: group-shared variables and stack of each kernel,
// for stage validate.
#include "core/lower/stages/validation/memory_limits.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

#include <lathe/sdk/own_stacks.h>

#include "core/lower/lowering.h"
#include "core/lower/reachability.h"
#include "core/lower/stack_use.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// The instructions that name `variable`, themselves or in a constant.
llvm::SmallVector<const llvm::Instruction*> usesOf(const llvm::GlobalVariable& variable) {
  llvm::SmallVector<const llvm::Instruction*> out;
  llvm::SmallPtrSet<const llvm::User*, 8> seen;
  llvm::SmallVector<const llvm::User*> open(variable.users());
  while (!open.empty()) {
    const llvm::User* const user = open.pop_back_val();
    if (!seen.insert(user).second) continue;
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      out.push_back(instruction);
    else
      open.append(user->user_begin(), user->user_end());
  }
  return out;
}

/// The functions whose code names `variable`.
llvm::SmallPtrSet<const llvm::Function*, 4> functionsUsing(const llvm::GlobalVariable& variable) {
  llvm::SmallPtrSet<const llvm::Function*, 4> out;
  for (const llvm::Instruction* use : usesOf(variable)) out.insert(use->getFunction());
  return out;
}

std::uint64_t bytesOf(const llvm::GlobalVariable& variable) {
  return variable.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
}

}  // namespace

std::string undefinedHint(const Descriptor& descriptor) {
  std::string out = "define it in the source, or in a further source of the job; ";
  out += descriptor.imports ? "mark it LATHE_IMPORT if the program that loads or links the code has it"
                            : "code for the host cannot be called from a kernel";
  return out;
}

void checkImports(Lowering& lowering, const Reachability& reached) {
  for (const llvm::Function& function : *lowering.module) {
    const llvm::Attribute imported = function.getFnAttribute(attribute::imported);
    if (!function.isDeclaration() || !imported.isValid()) continue;
    const bool isForbidden = !lowering.descriptor.imports;
    const bool byValue = lowering.descriptor.frontend == FrontEnd::device && imported.getValueAsString().contains('r');
    if (!isForbidden && !byValue) continue;
    const std::string name = "'" + demangled(function.getName()) + "'";
    for (const llvm::User* user : function.users()) {
      const auto* const call = llvm::dyn_cast<llvm::Instruction>(user);
      if (!call || !llvm::is_contained(reached.functions(), call->getFunction())) continue;
      // How aggregates travel in registers, the portable IR does not say.
      lowering.diagnostics.push_back(
          {.severity = Severity::error,
           .code = ErrorCode::Unsupported,
           .message = isForbidden ? name + " is imported, and no program that could have it loads code for " +
                                        lowering.descriptor.name
                                  : name + " is imported, and takes or returns a structure by value",
           .location = locationOf(*call),
           .snippet = {},
           .notes = reached.chainTo(*call),
           .hint = isForbidden ? "keep the call from this target: lathe::target_is, or the preprocessor"
                               : "pass a pointer, or compile for a target with 'frontend: native', which knows its "
                                 "platform's rules"});
      break;
    }
  }
}

void checkVariables(Lowering& lowering, const Reachability& reached) {
  // What C code links or a loader knows, others may define.
  if (lowering.descriptor.kernel.hostStubs || lowering.descriptor.pipeline == PipelineKind::module) return;
  const unsigned group = lowering.descriptor.addressSpaces.group;
  for (const llvm::GlobalVariable& variable : lowering.module->globals()) {
    const bool isLaunchSized = group != 0 && variable.getAddressSpace() == group;
    if (!variable.isDeclaration() || isLaunchSized || variable.hasSection() || variable.getName().starts_with("__"))
      continue;
    if (lowering.descriptor.imports && variable.hasAttribute(attribute::imported)) continue;
    for (const llvm::Instruction* use : usesOf(variable)) {
      if (!llvm::is_contained(reached.functions(), use->getFunction())) continue;
      lowering.diagnostics.push_back(
          {.severity = Severity::error,
           .code = ErrorCode::UndefinedFunction,
           .message = "variable '" + demangled(variable.getName()) + "' is used but nothing defines it",
           .location = locationOf(*use),
           .snippet = {},
           .notes = reached.chainTo(*use),
           .hint = undefinedHint(lowering.descriptor)});
      break;
    }
  }
}

void checkStack(Lowering& lowering) {
  const std::uint64_t limit = lowering.descriptor.limits.stackBytes;
  if (limit == 0) return;
  for (const EntryPoint& entry : lowering.info.entries) {
    const llvm::Function& function = lowering.functionOf(entry);
    const StackUse use = stackUseOf(function);
    if (use.bytes <= limit) continue;
    const bool mayFit = function.hasFnAttribute(sdk::attribute::ownStacks) && use.largestFrame <= limit;
    lowering.diagnostics.push_back(
        {.severity = mayFit ? Severity::warning : Severity::error,
         .code = ErrorCode::ResourceLimit,
         .message = "'" + entry.name + "' keeps " + std::to_string(use.bytes) + " bytes of local variables" + " on " +
                    lowering.descriptor.name + ":" + lowering.arch + ", which allows " + std::to_string(limit) +
                    (mayFit ? " where functions have no stack each" : ""),
         .location = use.largest,
         .snippet = {},
         .notes = use.frames,
         .hint = "keep large data in memory that is not the stack: a map or a global variable"});
  }
}

void checkSharedMemory(Lowering& lowering) {
  const std::uint64_t limit = lowering.descriptor.limits.sharedBytes;
  if (limit == 0) return;
  std::vector<std::pair<const llvm::GlobalVariable*, llvm::SmallPtrSet<const llvm::Function*, 4>>> shared;
  std::uint64_t all = 0;
  for (const llvm::GlobalVariable& variable : lowering.module->globals()) {
    if (variable.getAddressSpace() != lowering.descriptor.addressSpaces.group || variable.isDeclaration()) continue;
    shared.emplace_back(&variable, functionsUsing(variable));
    all += bytesOf(variable);
  }
  if (all <= limit) return;
  for (const EntryPoint& entry : lowering.info.entries) {
    Diagnostic diagnostic{
        .severity = Severity::error,
        .code = ErrorCode::ResourceLimit,
        .message = {},
        .location = locationOf(lowering.functionOf(entry)),
        .snippet = {},
        .notes = {},
        .hint = "use smaller tiles, or launch-sized shared memory, whose limit is higher on some targets"};
    std::uint64_t total = 0;
    const Reachability reached(lowering.functionOf(entry));
    for (const auto& [variable, functions] : shared) {
      if (llvm::none_of(reached.functions(), [&](const llvm::Function* f) { return functions.contains(f); })) continue;
      const std::uint64_t bytes = bytesOf(*variable);
      total += bytes;
      diagnostic.notes.push_back({"'" + demangled(variable->getName()) + "' takes " + std::to_string(bytes) + " bytes",
                                  locationOf(*variable),
                                  {}});
    }
    if (total <= limit) continue;
    diagnostic.message = "'" + entry.name + "': group-shared variables take " + std::to_string(total) + " bytes, " +
                         lowering.descriptor.name + ":" + lowering.arch + " has " + std::to_string(limit) +
                         " for those of a kernel";
    lowering.diagnostics.push_back(std::move(diagnostic));
  }
}

}  // namespace lathe::detail
