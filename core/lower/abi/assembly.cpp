// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage assembly: asm statements in the words of a processor that is not the target's become portable IR, by the
// dialect that knows these words. What has no translation stays, with the reason, and is reported by stage validate
// if it can still be reached there.
//
//   before: %d = call i32 asm "brev.b32 $0, $1;", "=r,r"(i32 %a) #1      #1 = { "lathe.assembly"="NAME" }
//   after:  %d = call i32 @llvm.bitreverse.i32(i32 %a)
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

#include <lathe/sdk/dialect.h>
#include <lathe/sdk/portable_ir.h>

#include "core/lower/abi/assembly.h"
#include "core/lower/lowering.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

llvm::StringRef familyOf(llvm::StringRef triple) {
  return llvm::Triple::getArchTypePrefix(llvm::Triple(triple).getArch());
}

/// The dialect whose words the statement is in; null: none says so.
const sdk::Dialect* dialectOf(const llvm::CallBase& statement, const Lowering& lowering) {
  const llvm::StringRef name = statement.getFnAttr(sdk::attribute::assembly).getValueAsString();
  if (name.empty()) return nullptr;
  const auto known =
      llvm::find_if(lowering.dialects, [&](const sdk::Dialect* one) { return llvm::StringRef(one->name) == name; });
  return known == lowering.dialects.end() ? nullptr : *known;
}

bool isReadBy(const sdk::Dialect& dialect, const Lowering& lowering) {
  return !dialect.assemblyArchitecture.empty() &&
         familyOf(dialect.assemblyArchitecture) == familyOf(lowering.descriptor.triple);
}

/// Null: the target reads the statement itself, or nobody translates it.
const sdk::Dialect* translatorOf(const llvm::CallInst& statement, const Lowering& lowering) {
  const sdk::Dialect* const dialect = dialectOf(statement, lowering);
  return dialect && dialect->replaceAssembly && !isReadBy(*dialect, lowering) ? dialect : nullptr;
}

}  // namespace

std::optional<AssemblyFinding> assemblyFinding(const llvm::CallBase& statement, const Lowering& lowering) {
  const sdk::Dialect* const dialect = dialectOf(statement, lowering);
  const bool isOwn = dialect && isReadBy(*dialect, lowering);
  const llvm::Attribute reason = statement.getFnAttr(sdk::attribute::assemblyRefusal);
  if (reason.isValid()) {
    return AssemblyFinding{reason.getValueAsString().str(), !isOwn,
                           statement.getFnAttr(sdk::attribute::assemblyHint).getValueAsString().str()};
  }
  if (isOwn || !llvm::is_contained(lowering.descriptor.forbid, "inline_asm")) return std::nullopt;
  return AssemblyFinding{"inline assembly", true, "guard it with lathe::target_is(…)"};
}

llvm::Error stage::replaceAssembly(Lowering& lowering) {
  std::vector<std::pair<llvm::CallInst*, const sdk::Dialect*>> statements;
  for (llvm::Function& function : *lowering.module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->isInlineAsm() || call->hasFnAttr(sdk::attribute::assemblyRefusal)) continue;
      if (const sdk::Dialect* const translator = translatorOf(*call, lowering))
        statements.emplace_back(call, translator);
    }
  }
  llvm::LLVMContext& context = lowering.module->getContext();
  for (const auto& [statement, translator] : statements) {
    const auto refusal = translator->replaceAssembly(*statement);
    if (!refusal) continue;
    statement->addFnAttr(llvm::Attribute::get(context, sdk::attribute::assemblyRefusal, refusal->message));
    statement->addFnAttr(llvm::Attribute::get(context, sdk::attribute::assemblyHint, refusal->hint));
  }
  return llvm::Error::success();
}

}  // namespace lathe::detail
