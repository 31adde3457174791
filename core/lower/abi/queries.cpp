// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/lower/abi/queries.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/Regex.h"
#include "llvm/Transforms/Utils/Local.h"

#include "core/lower/calls.h"

namespace lathe::detail {
namespace {

/// The expression behind the colon of `asked`, for the whole name of an architecture.
llvm::Regex expressionOf(llvm::StringRef asked) {
  return llvm::Regex(("^(" + asked.split(':').second + ")$").str());
}

/// True if `asked` is the target's name, or the name, a colon and a regular expression for the whole of an
/// architecture's, as in a descriptor's `arch_matches`. An expression with a mistake matches nothing.
bool isTarget(llvm::StringRef asked, const Lowering& lowering) {
  const llvm::StringRef name = asked.split(':').first;
  if (name != lowering.descriptor.name || name.size() == asked.size()) return asked == lowering.descriptor.name;
  return expressionOf(asked).match(lowering.arch);
}

}  // namespace

bool isQuery(const llvm::Function& function) {
  const AbiEntry* const entry =
      function.isDeclaration() && !function.use_empty() ? findAbiEntry(std::string_view(function.getName())) : nullptr;
  return entry && entry->lowering == AbiLowering::folded;
}

std::string mistakeIn(const AbiEntry& query, const llvm::CallBase& call) {
  llvm::StringRef asked;
  std::string out;
  if (query.id == AbiId::target_is && llvm::getConstantStringInfo(call.getArgOperand(0), asked) && asked.contains(':'))
    (void)expressionOf(asked).isValid(out);
  return out;
}

std::optional<std::uint64_t> answerOf(const AbiEntry& query, const llvm::CallBase& call, const Lowering& lowering) {
  if (query.id == AbiId::arch_at_least) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    if (!number) return std::nullopt;
    return lowering.archOrdinal >= number->getZExtValue() ? 1 : 0;
  }
  llvm::StringRef text;
  if (!llvm::getConstantStringInfo(call.getArgOperand(0), text)) return std::nullopt;
  if (query.id == AbiId::target_is) return isTarget(text, lowering) ? 1 : 0;
  const auto found = lowering.job.options.parameters.find(text.str());
  if (found == lowering.job.options.parameters.end()) return 0;
  std::int64_t value = 0;  // a number, which was checked with the request
  if (llvm::StringRef(found->second).getAsInteger(0, value)) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

void answerQueriesOfLibraries(Lowering& lowering) {
  FunctionSet askers;
  for (llvm::Function& query : llvm::make_early_inc_range(*lowering.module)) {
    if (!isQuery(query)) continue;
    const AbiEntry& entry = *findAbiEntry(std::string_view(query.getName()));
    forEachCall(query, [&](llvm::CallInst& call) {
      const auto value = answerOf(entry, call, lowering);
      if (!value) return;
      askers.insert(call.getFunction());
      replaceCall(call, *llvm::ConstantInt::get(call.getType(), *value));
    });
    if (query.use_empty()) query.eraseFromParent();
  }
  for (llvm::Function* asker : askers) {
    for (llvm::BasicBlock& block : *asker) {
      llvm::SimplifyInstructionsInBlock(&block);
      llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    }
    llvm::removeUnreachableBlocks(*asker);
  }
}

}  // namespace lathe::detail
