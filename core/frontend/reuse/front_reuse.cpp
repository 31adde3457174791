// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules as bitcode and back. The order of uses is kept, because optimisation follows it: code made of a module that
// was read is that of the module that was written, byte for byte.
#include "core/frontend/reuse/front_reuse.h"

#include <algorithm>

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace lathe::detail {

std::optional<FrontendResult> FrontendReuse::find(const std::string& key, const std::vector<PreambleMacro>& macros,
                                                  llvm::function_ref<bool(const FileLooks& files)> fits,
                                                  llvm::LLVMContext& context, FileLog& log) const {
  const auto found = std::ranges::find_if(kept, [&](const KeptFrontend& one) {
    return one.key == key && fits(one.files) && seesNoDifference(one.macros, macros);
  });
  if (found == kept.end()) return std::nullopt;
  context.setDiscardValueNames(found->discardsNames);
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(found->bitcode, "module"), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return std::nullopt;
  }
  log.adopt(found->files);
  FrontendResult out;
  out.module = std::move(*module);
  out.entries = found->entries;
  out.warnings = found->warnings;
  out.kernelNames = found->kernelNames;
  return out;
}

void FrontendReuse::keep(std::string key, std::vector<PreambleMacro> macros, const FrontendResult& result,
                         const FileLooks& files) {
  KeptFrontend one{.key = std::move(key),
                   .macros = std::move(macros),
                   .bitcode = {},
                   .entries = result.entries,
                   .warnings = result.warnings,
                   .kernelNames = result.kernelNames,
                   .files = files,
                   .discardsNames = result.module->getContext().shouldDiscardValueNames()};
  llvm::raw_string_ostream stream(one.bitcode);
  llvm::WriteBitcodeToFile(*result.module, stream, /*ShouldPreserveUseListOrder=*/true);
  kept.push_back(std::move(one));
}

}  // namespace lathe::detail
