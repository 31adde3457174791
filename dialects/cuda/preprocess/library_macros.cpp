// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions that are followed by another.
#include "dialects/cuda/preprocess/library_macros.h"

#include <memory>

#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

namespace lathe::dialects {
namespace {

/// What CUTLASS defines where `__clang__` and `__CUDA__` are defined.
constexpr llvm::StringRef namesOfClang[] = {"CUTLASS_CLANG_CUDA"};

class LibraryMacros final : public clang::PPCallbacks {
 public:
  explicit LibraryMacros(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override {
    clang::IdentifierInfo* const identifier = name.getIdentifierInfo();
    if (!llvm::is_contained(namesOfClang, identifier->getName())) return;
    const clang::MacroInfo& written = *directive->getMacroInfo();
    const clang::SourceLocation at = written.getDefinitionLoc();
    clang::Token zero;
    zero.startToken();
    zero.setKind(clang::tok::numeric_constant);
    preprocessor_.CreateString("0", zero, at, at);
    clang::MacroInfo* const read = preprocessor_.AllocateMacroInfo(at);
    read->setDefinitionEndLoc(written.getDefinitionEndLoc());
    read->setTokens(zero, preprocessor_.getPreprocessorAllocator());
    preprocessor_.appendDefMacroDirective(identifier, read);
  }

 private:
  clang::Preprocessor& preprocessor_;
};

}  // namespace

void readLibraryMacros(clang::Preprocessor& preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<LibraryMacros>(preprocessor));
}

}  // namespace lathe::dialects
