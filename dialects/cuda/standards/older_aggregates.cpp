// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aggregates by [dcl.init.aggr] of C++17: no constructor is explicit, inherited or provided by the user.
#include "dialects/cuda/standards/older_aggregates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

namespace lathe::dialects {
namespace {

constexpr llvm::StringLiteral mark = "LATHE_OLDER_STANDARD";

// Clang decides what is an aggregate while it declares the members and has no function to change it. An explicit
// instantiation may name private members. To be removed when CXXRecordDecl lets an aggregate be set, or the headers can
// be read as C++17.
template <class Name, auto member>
struct Opened {
  friend constexpr auto memberOf(Name) { return member; }
};
struct DefinitionOfClass {
  friend constexpr auto memberOf(DefinitionOfClass);
};
template struct Opened<DefinitionOfClass, &clang::CXXRecordDecl::data>;

/// Whether C++17 has `record`, which C++20 does not, as an aggregate.
bool wasAggregate(const clang::CXXRecordDecl& record) {
  if (record.isAggregate() || record.isLambda() || record.isPolymorphic() || !record.hasUserDeclaredConstructor() ||
      record.hasInheritedConstructor() || record.getNumVBases() > 0)
    return false;
  const auto isOwn = [](const clang::CXXConstructorDecl* made) {
    return made->isUserProvided() || made->getExplicitSpecifier().isSpecified();
  };
  // A template's constructor stands among the declarations, and not among the constructors.
  const auto isTemplate = [](const clang::Decl* member) {
    const auto* const pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(member);
    return pattern && llvm::isa<clang::CXXConstructorDecl>(pattern->getTemplatedDecl());
  };
  const auto isHidden = [](const auto& part) { return part.getAccessSpecifier() != clang::AS_public; };
  return llvm::none_of(record.ctors(), isOwn) && llvm::none_of(record.decls(), isTemplate) &&
         llvm::none_of(record.bases(), isHidden) && llvm::all_of(record.fields(), [](const clang::FieldDecl* field) {
           return field->getAccess() == clang::AS_public;
         });
}

class OlderAggregates final : public clang::ASTConsumer {
 public:
  explicit OlderAggregates(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void HandleTagDeclDefinition(clang::TagDecl* type) override {
    auto* const record = llvm::dyn_cast<clang::CXXRecordDecl>(type);
    if (!record || record->isInvalidDecl() || !preprocessor_.isMacroDefined(mark) || !wasAggregate(*record)) return;
    const clang::SourceManager& sources = preprocessor_.getSourceManager();
    if (sources.getFilename(sources.getExpansionLoc(record->getLocation())).starts_with("/lathe/")) return;
    (record->*memberOf(DefinitionOfClass()))().Aggregate = true;
  }

 private:
  clang::Preprocessor& preprocessor_;
};

}  // namespace

std::string olderStandardMark(const Options& options) {
  llvm::StringRef year = options.languageStandard;
  if (!year.consume_front("c++")) year.consume_front("gnu++");
  constexpr llvm::StringRef older[] = {"11", "0x", "14", "1y", "17", "1z"};
  return llvm::is_contained(older, year) ? ("#define " + mark + "\n").str() : std::string();
}

std::unique_ptr<clang::ASTConsumer> readOlderAggregates(clang::CompilerInstance& compiler) {
  return std::make_unique<OlderAggregates>(compiler.getPreprocessor());
}

}  // namespace lathe::dialects
