// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watching the preprocessor's directives that name files.
#include "core/frontend/clang/includes.h"

#include <algorithm>

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

namespace lathe::detail {
namespace {

class IncludeWatcher final : public clang::PPCallbacks {
 public:
  IncludeWatcher(const clang::SourceManager& sources, const sdk::Dialect& dialect, Includes& seen)
      : sources_(sources), dialect_(dialect), seen_(seen) {}

  void InclusionDirective(clang::SourceLocation at, const clang::Token&, llvm::StringRef name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef, llvm::StringRef,
                          const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
    note(name);
    if (!seen_.ofToolkitBySource && isOfLibrary(name)) seen_.ofToolkitBySource = !sources_.isInSystemHeader(at);
  }
  void HasInclude(clang::SourceLocation, llvm::StringRef name, bool, clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    note(name);
  }
  void EmbedDirective(clang::SourceLocation, llvm::StringRef name, bool, clang::OptionalFileEntryRef,
                      const clang::LexEmbedParametersResult&) override {
    note(name);
  }
  void HasEmbed(clang::SourceLocation, llvm::StringRef name, bool, clang::OptionalFileEntryRef) override { note(name); }
  /// `#pragma GCC dependency "file"` compares ages, and has no callback of its own.
  void PragmaDirective(clang::SourceLocation at, clang::PragmaIntroducerKind) override {
    const llvm::StringRef text = sources_.getBufferData(sources_.getFileID(at));
    const llvm::StringRef line = text.substr(sources_.getFileOffset(at)).take_until([](char c) { return c == '\n'; });
    if (line.contains("dependency")) seen_.any = true;
  }

 private:
  bool isOfLibrary(llvm::StringRef name) const {
    return std::ranges::any_of(dialect_.toolkitLibraries,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
  }
  void note(llvm::StringRef name) {
    seen_.any = true;
    const bool isToolkits = isOfLibrary(name) || llvm::is_contained(dialect_.toolkitHeaders, std::string_view(name));
    seen_.ofToolkit = seen_.ofToolkit || isToolkits;
  }

  const clang::SourceManager& sources_;
  const sdk::Dialect& dialect_;
  Includes& seen_;
};

}  // namespace

std::unique_ptr<clang::PPCallbacks> watchIncludes(const clang::Preprocessor& preprocessor, const sdk::Dialect& dialect,
                                                  Includes& seen) {
  return std::make_unique<IncludeWatcher>(preprocessor.getSourceManager(), dialect, seen);
}

}  // namespace lathe::detail
