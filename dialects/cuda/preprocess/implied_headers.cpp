// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that the C++ library would have.
#include "dialects/cuda/preprocess/implied_headers.h"

#include <memory>
#include <string>

#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

namespace lathe::dialects {
namespace {

/// Defines the macro where the source begins.
class Definition final : public clang::PPCallbacks {
 public:
  Definition(clang::Preprocessor& preprocessor, const char* macro) : preprocessor_(preprocessor), macro_(macro) {}

  void FileChanged(clang::SourceLocation at, FileChangeReason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    if (isDefined_ || !preprocessor_.getSourceManager().isInMainFile(at)) return;
    isDefined_ = true;
    clang::MacroInfo* const empty = preprocessor_.AllocateMacroInfo(at);
    empty->setDefinitionEndLoc(at);
    preprocessor_.appendDefMacroDirective(preprocessor_.getIdentifierInfo(macro_), empty);
  }

 private:
  clang::Preprocessor& preprocessor_;
  const char* macro_;
  bool isDefined_ = false;
};

bool isStd(const clang::Decl* declaration) {
  const auto* const space = llvm::dyn_cast_or_null<clang::NamespaceDecl>(declaration);
  return space && space->isStdNamespace();
}

/// Whether an argument of a diagnostic is the namespace that it misses a name in.
bool namesStd(const clang::Diagnostic& info) {
  for (unsigned i = 0; i < info.getNumArgs(); ++i) {
    const auto kind = info.getArgKind(i);
    if (kind == clang::DiagnosticsEngine::ak_declcontext &&
        isStd(llvm::dyn_cast<clang::Decl>(reinterpret_cast<clang::DeclContext*>(info.getRawArg(i)))))
      return true;
    if (kind == clang::DiagnosticsEngine::ak_nameddecl && isStd(reinterpret_cast<clang::NamedDecl*>(info.getRawArg(i))))
      return true;
  }
  return false;
}

llvm::SmallString<128> textOf(const clang::Diagnostic& info) {
  llvm::SmallString<128> out;
  info.FormatDiagnostic(out);
  return out;
}

/// Names of the library that programs write without its namespace, which they have made theirs by a directive.
bool isCommonName(const clang::Diagnostic& info) {
  constexpr llvm::StringRef names[] = {
      "array",        "complex",        "exception",     "make_pair", "make_shared", "make_tuple", "make_unique",
      "mutex",        "numeric_limits", "ostringstream", "pair",      "shared_ptr",  "sort",       "string",
      "stringstream", "thread",         "to_string",     "transform", "tuple",       "unique_ptr", "runtime_error"};
  const llvm::SmallString<128> text = textOf(info);
  const llvm::StringRef quoted = text.str().split('\'').second.split('\'').first;
  return llvm::is_contained(names, quoted);
}

}  // namespace

void ImpliedHeaders::begin(clang::CompilerInstance& compiler) const {
  if (!macro_ || !areRead_) return;
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  preprocessor.addPPCallbacks(std::make_unique<Definition>(preprocessor, macro_));
}

void ImpliedHeaders::see(const clang::Diagnostic& info) {
  if (!macro_ || areRead_ || isMissing_) return;
  switch (info.getID()) {
    case clang::diag::err_need_header_before_typeid:
      isMissing_ = true;
      return;
    case clang::diag::err_no_member:
    case clang::diag::err_no_member_suggest:
    case clang::diag::err_no_member_template:
    case clang::diag::err_no_member_template_suggest:
    case clang::diag::err_typename_nested_not_found:
    case clang::diag::err_unknown_nested_typename_suggest:
      isMissing_ = namesStd(info);
      return;
    // Declared only, as <tuple> has std::array.
    case clang::diag::err_deduced_class_template_ctor_no_viable:
    case clang::diag::err_deduced_class_template_incomplete:
    case clang::diag::err_incomplete_member_access:
    case clang::diag::err_incomplete_nested_name_spec:
    case clang::diag::err_template_instantiate_undefined:
    case clang::diag::err_typecheck_decl_incomplete_type:
      isMissing_ = textOf(info).str().contains("'std::");
      return;
    case clang::diag::err_no_template:
    case clang::diag::err_no_template_suggest:
    case clang::diag::err_undeclared_use:
    case clang::diag::err_undeclared_use_suggest:
    case clang::diag::err_undeclared_var_use:
    case clang::diag::err_undeclared_var_use_suggest:
    case clang::diag::err_unknown_typename:
    case clang::diag::err_unknown_typename_suggest:
      isMissing_ = isCommonName(info);
      return;
    default:
      return;
  }
}

}  // namespace lathe::dialects
