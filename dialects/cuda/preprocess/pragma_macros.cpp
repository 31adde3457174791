// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros whose replacement is a directive.
#include "dialects/cuda/preprocess/pragma_macros.h"

#include <memory>
#include <string>

#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

namespace lathe::dialects {
namespace {

class PragmaMacros final : public clang::PPCallbacks {
 public:
  explicit PragmaMacros(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override {
    const clang::MacroInfo& written = *directive->getMacroInfo();
    const llvm::ArrayRef<clang::Token> tokens = written.tokens();
    if (written.isFunctionLike() || tokens.size() < 3 || tokens[0].isNot(clang::tok::hash)) return;
    const clang::IdentifierInfo* const word = tokens[1].getIdentifierInfo();
    if (!word || !word->isStr("pragma")) return;

    std::string text = "\"";
    for (const clang::Token& token : tokens.drop_front(2)) {
      if (text.size() > 1) text += ' ';
      for (const char letter : preprocessor_.getSpelling(token)) {
        if (letter == '"' || letter == '\\') text += '\\';
        text += letter;
      }
    }
    const clang::SourceLocation at = tokens[0].getLocation();
    clang::Token replacement[4];
    for (clang::Token& token : replacement) {
      token.startToken();
      token.setLocation(at);
    }
    clang::IdentifierInfo* const pragma = preprocessor_.getIdentifierInfo("_Pragma");
    replacement[0].setIdentifierInfo(pragma);
    replacement[0].setKind(pragma->getTokenID());
    replacement[1].setKind(clang::tok::l_paren);
    replacement[2].setKind(clang::tok::string_literal);
    preprocessor_.CreateString(text + '"', replacement[2], at, at);
    replacement[3].setKind(clang::tok::r_paren);
    clang::MacroInfo* const read = preprocessor_.AllocateMacroInfo(written.getDefinitionLoc());
    read->setDefinitionEndLoc(written.getDefinitionEndLoc());
    read->setTokens(replacement, preprocessor_.getPreprocessorAllocator());
    preprocessor_.appendDefMacroDirective(name.getIdentifierInfo(), read);
  }

 private:
  clang::Preprocessor& preprocessor_;
};

}  // namespace

void readPragmaMacros(clang::Preprocessor& preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<PragmaMacros>(preprocessor));
}

}  // namespace lathe::dialects
