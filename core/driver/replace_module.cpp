// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and checking the file: what the stages after it take for granted.
#include "core/driver/replace_module.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include "core/lower/lowering.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {

llvm::Error replaceModule(Lowering& lowering, const std::filesystem::path& path) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyFile(path.string(), diagnostic, lowering.module->getContext());
  if (!module) {
    return toLlvm({.code = ErrorCode::InvalidModule,
                   .message = path.string() + ": " + diagnostic.getMessage().str(),
                   .location = {path.string(), static_cast<std::uint32_t>(std::max(diagnostic.getLineNo(), 0)),
                                static_cast<std::uint32_t>(std::max(diagnostic.getColumnNo() + 1, 0))}});
  }
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream))
    return toLlvm({.code = ErrorCode::InvalidModule, .message = path.string() + ": does not verify: " + broken});
  for (const EntryPoint& entry : lowering.info.entries) {
    const llvm::Function* const function = module->getFunction(entry.symbol);
    if (!function || function->isDeclaration()) {
      return toLlvm({.code = ErrorCode::UnknownKernel,
                     .message = path.string() + " does not define the entry point '" + entry.symbol + "'"});
    }
  }
  if (lowering.machine) {
    module->setTargetTriple(lowering.machine->getTargetTriple());
    module->setDataLayout(lowering.machine->createDataLayout());
  }
  lowering.module = std::move(module);
  return llvm::Error::success();
}

}  // namespace lathe::detail
