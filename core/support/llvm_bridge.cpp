// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm::Error ↔ lathe::Error.
#include "core/support/llvm_bridge.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <lathe/sdk/target.h>

#include "core/support/own_headers.h"

namespace lathe::detail {
namespace {

class LatheErrorInfo final : public llvm::ErrorInfo<LatheErrorInfo> {
 public:
  static char ID;  // its address is LLVM's identity of the class
  explicit LatheErrorInfo(Error error) : error(std::move(error)) {}
  void log(llvm::raw_ostream& out) const override { out << error.message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  Error error;
};
char LatheErrorInfo::ID;

/// Code belongs where it was written, but what came out of Lathe's own headers belongs to the line that called it.
SourceLocation locationOf(const llvm::DILocation& where) {
  const llvm::DILocation* at = &where;
  while (isOwnHeader(at->getFilename()) && at->getInlinedAt()) at = at->getInlinedAt();
  return {at->getFilename().str(), at->getLine(), at->getColumn()};
}

}  // namespace

llvm::Error toLlvm(Error error) {
  return llvm::make_error<LatheErrorInfo>(std::move(error));
}

Error fromLlvm(llvm::Error error) {
  Error out{.code = ErrorCode::Internal, .message = ""};
  llvm::handleAllErrors(
      std::move(error), [&](LatheErrorInfo& info) { out = std::move(info.error); },
      [&](const llvm::ErrorInfoBase& info) { out.message = info.message(); });
  return out;
}

SourceLocation locationOf(const llvm::Instruction& instruction) {
  if (const llvm::DebugLoc& at = instruction.getDebugLoc()) return locationOf(*at.get());
  // The one jump that Clang makes of all computed gotos of a function has no place: that of what comes before it, or of
  // the first of them.
  if (!llvm::isa<llvm::IndirectBrInst>(instruction)) return {};
  for (const llvm::Instruction* at = instruction.getPrevNode(); at != nullptr; at = at->getPrevNode())
    if (const llvm::DebugLoc& where = at->getDebugLoc()) return locationOf(*where.get());
  for (const llvm::BasicBlock* const from : llvm::predecessors(instruction.getParent()))
    if (const llvm::DebugLoc& at = from->getTerminator()->getDebugLoc()) return locationOf(*at.get());
  return {};
}

SourceLocation locationOf(const llvm::Function& function) {
  const llvm::DISubprogram* const at = function.getSubprogram();
  return at ? SourceLocation{at->getFilename().str(), at->getLine(), 0} : SourceLocation{};
}

SourceLocation locationOf(const llvm::GlobalVariable& variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
  variable.getDebugInfo(known);
  if (known.empty()) return {};
  const llvm::DIGlobalVariable& at = *known.front()->getVariable();
  return {at.getFilename().str(), at.getLine(), 0};
}

std::string demangled(llvm::StringRef symbol) {
  // Behind a dot stands what a pass added to a function's name; C has no such names, but LLVM has.
  const bool added = symbol.starts_with("_Z") || symbol.ends_with(".group") || symbol.ends_with(".kernel");
  return llvm::demangle(added ? symbol.split('.').first : symbol);
}

std::string printed(const llvm::Module& module) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  module.print(stream, nullptr);
  return out;
}

}  // namespace lathe::detail

llvm::Error lathe::sdk::makeError(Error error) {
  return detail::toLlvm(std::move(error));
}
