// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that the chosen processor lacks.
#include "core/emit/selection.h"

#include <fmt/format.h>

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"

#include "core/process/recovery.h"
#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// The intrinsic that LLVM says it cannot select; empty if it says something else.
llvm::StringRef unselectable(llvm::StringRef fault) {
  const llvm::StringRef mark = "Cannot select: intrinsic %";
  const std::size_t at = fault.find(mark);
  return at == llvm::StringRef::npos
             ? llvm::StringRef()
             : fault.substr(at + mark.size()).take_until([](char c) { return c == ' ' || c == '\n'; });
}

/// The first call, in the order of the code, of an intrinsic, whose overloads have the types behind `name`.
const llvm::Instruction* firstCall(const llvm::Module& module, llvm::StringRef name) {
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call && call->getCalledFunction()->getName().starts_with(name)) return &instruction;
    }
  }
  return nullptr;
}

}  // namespace

llvm::Error select(Lowering& lowering, const llvm::Module& module, const std::function<void()>& generate) {
  const std::optional<std::string> fault = fatalErrorIn(generate);
  if (!fault) return llvm::Error::success();
  const llvm::StringRef name = unselectable(*fault);
  if (name.empty()) llvm::report_fatal_error(llvm::StringRef(*fault), /*gen_crash_diag=*/false);
  lowering.machine.get_deleter().pool = nullptr;
  Diagnostic finding{
      .severity = Severity::error,
      .code = ErrorCode::Unsupported,
      .message = fmt::format("'{}' is no instruction of {}:{}", name.str(), lowering.descriptor.name, lowering.arch),
      .hint =
          "compile for a processor that has it, or guard it by the preprocessor and give this one "
          "another way"};
  if (const llvm::Instruction* const call = firstCall(module, name)) finding.location = locationOf(*call);
  return toLlvm(combined({std::move(finding)}, "emit", lowering.descriptor.name));
}

}  // namespace lathe::detail
