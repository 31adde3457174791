// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's carry flag between asm statements. Programs write sums of many words as one statement a word, often each in a
// function of its own (`add_cc(a, b)`, `addc_cc(a, b)`), and count on the flag to last from one to the next.
//
//   before: %0 = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", … ; %1 = call i32 asm sideeffect "addc.u32 …", …
//   after:  both in one function, with a variable of i1 between them
#include "dialects/cuda/ptx/replace.h"

#include <algorithm>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <lathe/sdk/portable_ir.h>

namespace lathe::dialects::ptx {
namespace {

namespace attribute = sdk::attribute;

/// Metadata of the variable: names of values may be dropped.
constexpr const char* variableMark = "lathe.ptx.carry";

/// How code uses the flag, in the order in which it is written.
struct CarryUse {
  bool readsFirst = false;  ///< begins with a carry that others left
  bool sets = false;        ///< leaves one: to read it does not end it
  [[nodiscard]] bool any() const { return readsFirst || sets; }
};

const llvm::InlineAsm* textOf(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
}

/// Of one statement, by its words: `addc`, `subc` and `madc` read the flag, and `.cc` behind a name writes it.
CarryUse carryUseOf(llvm::StringRef text) {
  std::size_t firstRead = llvm::StringRef::npos;
  for (const llvm::StringRef name : {"addc.", "subc.", "madc."}) firstRead = std::min(firstRead, text.find(name));
  const std::size_t firstSet = text.find(".cc.");
  return {.readsFirst = firstRead < firstSet, .sets = firstSet != llvm::StringRef::npos};
}

CarryUse carryUseOf(const llvm::Function& function) {
  CarryUse out;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::InlineAsm* const text = textOf(instruction);
    if (!text || text->getAsmString().find("c.") == std::string::npos) continue;
    const CarryUse one = carryUseOf(text->getAsmString());
    out.readsFirst |= one.readsFirst && !out.sets;
    out.sets |= one.sets;
  }
  return out;
}

bool mayBeInlined(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasFnAttribute(attribute::kernel) &&
         !function.hasFnAttribute(llvm::Attribute::NoInline) && !function.hasFnAttribute(llvm::Attribute::OptimizeNone);
}

/// Inlines the calls of a function; true if there were some.
bool inlineCallsOf(llvm::Function& function) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::User* const user : function.users()) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call && call->getCalledFunction() == &function && call->getFunction() != &function) calls.push_back(call);
  }
  bool changed = false;
  for (llvm::CallInst* const call : calls) {
    llvm::InlineFunctionInfo info;
    changed |= llvm::InlineFunction(*call, info).isSuccess();
  }
  return changed;
}

}  // namespace

void inlineCarries(llvm::Module& module) {
  const auto uses = [](const llvm::Function& function) { return mayBeInlined(function) && carryUseOf(function).any(); };
  const bool needed =
      llvm::any_of(module, [](const llvm::Function& function) { return carryUseOf(function).readsFirst; });
  if (!needed) return;
  // Each turn brings chains one level up; functions that call each other end it.
  for (std::size_t turn = 0; turn < module.size(); ++turn) {
    bool changed = false;
    for (llvm::Function& function : module)
      if (uses(function)) changed |= inlineCallsOf(function);
    if (!changed) break;
  }
}

llvm::AllocaInst* carryOf(llvm::CallInst& statement) {
  const llvm::InlineAsm* const text = textOf(statement);
  const llvm::StringRef words = text->getAsmString();
  const CarryUse use = carryUseOf(words);
  if (!use.any()) return nullptr;
  llvm::Function& function = *statement.getFunction();
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && variable->hasMetadata(variableMark)) return variable;
  }
  // Statements are translated in their order: without a variable none before has written the flag.
  if (use.readsFirst) return nullptr;
  const bool isRead = llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& other) {
    const llvm::InlineAsm* const others = textOf(other);
    return others && carryUseOf(others->getAsmString()).readsFirst;
  });
  if (!isRead) return nullptr;
  llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst* const variable = builder.CreateAlloca(builder.getInt1Ty());
  variable->setMetadata(variableMark, llvm::MDNode::get(function.getContext(), {}));
  builder.CreateStore(builder.getFalse(), variable);
  return variable;
}

}  // namespace lathe::dialects::ptx
