// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hooks of one parse of CUDA or HIP: the consumers that see the tree before code generation does, and which of them
// answers for a diagnostic.
#include <algorithm>
#include <iterator>
#include <utility>

#include "clang/AST/Type.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Preprocessor.h"

#include "dialects/cuda/inline_assembly.h"
#include "dialects/cuda/lenient/addresses_as_integers.h"
#include "dialects/cuda/lenient/constant_members.h"
#include "dialects/cuda/lenient/missing_template.h"
#include "dialects/cuda/lenient/missing_typename.h"
#include "dialects/cuda/own_builtins.h"
#include "dialects/cuda/preprocess/implied_headers.h"
#include "dialects/cuda/preprocess/unknown_pragmas.h"
#include "dialects/cuda/shared_variables.h"
#include "dialects/cuda/sides/host_calls.h"
#include "dialects/cuda/sides/host_code.h"
#include "dialects/cuda/sides/sides_of_functions.h"
#include "dialects/cuda/sides/sides_of_specialisations.h"
#include "dialects/cuda/sides/unevaluated_operands.h"
#include "dialects/cuda/standards/later_defaults.h"
#include "dialects/cuda/standards/older_aggregates.h"

namespace lathe::dialects {
namespace {

/// Whether an error is about a member class that is declared again with another access. CUDA's compiler warns of that;
/// Clang goes on with the later access, and the error is all that is wrong.
bool isOtherAccess(const clang::Diagnostic& info) {
  return info.getID() == clang::diag::err_class_redeclared_with_different_access;
}

/// Whether a warning is about `#pragma unroll (8)`, which CUDA's compiler takes as it takes 8.
bool isFactorInParentheses(const clang::Diagnostic& info) {
  return info.getID() == clang::diag::warn_pragma_unroll_cuda_value_in_parens;
}

/// Whether a warning is about an attribute that comes after a definition: programs declare functions of the language
/// anew, with the attributes that the compiler's own headers have.
bool isLateAttribute(const clang::Diagnostic& info) {
  return info.getID() == clang::diag::warn_attribute_precede_definition;
}

/// Whether a warning is about a format for `long` or `long long` and a number of the other of the two, or of the other
/// sign: all have 64 bits. CUDA's compiler takes them for each other, and `%jd` is for `long` on the host and for
/// `long long` by the triple.
bool isFormatOfOtherLong(const clang::Diagnostic& info) {
  if (info.getID() != clang::diag::warn_format_conversion_argument_type_mismatch) return false;
  const auto isLong = [](llvm::StringRef type) {
    constexpr llvm::StringRef names[] = {"long",     "long long", "unsigned long", "unsigned long long",
                                         "intmax_t", "size_t",    "uintmax_t",     "ptrdiff_t",
                                         "ssize_t"};
    return llvm::is_contained(names, type);
  };
  const llvm::StringRef format = info.getArgStdStr(0);
  const auto type = clang::QualType::getFromOpaquePtr(reinterpret_cast<void*>(info.getRawArg(1)));
  const auto* const builtin = type->getAs<clang::BuiltinType>();
  return isLong(format.drop_front().split('\'').first) && builtin &&
         isLong(builtin->getName(clang::PrintingPolicy(clang::LangOptions())));
}

/// A parse's hooks, in front of the consumer that Clang owns.
class HostCodeHooks final : public sdk::DialectHooks {
 public:
  explicit HostCodeHooks(const LanguageOnCuda* language) : language_(language) {}
  HostCodeHooks(const LanguageOnCuda* language, bool hasImplied, Places forBothSides, Places specialisations,
                Places types, bool hasCasts)
      : language_(language),
        hasImplied_(hasImplied),
        forBothSides_(std::move(forBothSides)),
        specialisations_(std::move(specialisations)),
        types_(std::move(types)),
        hasCasts_(hasCasts) {}

  std::unique_ptr<clang::ASTConsumer> begin(clang::CompilerInstance& compiler) override {
    implied_.begin(compiler);
    auto host = std::make_unique<HostCode>(compiler);
    if (!language_) forgetUnknownPragmas(compiler.getPreprocessor());
    host_ = host.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    auto builtins = std::make_unique<OwnBuiltins>(compiler);
    builtins_ = builtins.get();
    consumers.push_back(std::move(builtins));
    consumers.push_back(readOlderAggregates(compiler));
    consumers.push_back(std::move(host));
    auto defaults = std::make_unique<LaterDefaults>();
    defaults_ = defaults.get();
    consumers.push_back(std::move(defaults));
    consumers.push_back(readMissingTemplates());
    auto typenames = std::make_unique<MissingTypenames>(std::move(types_));
    typenames_ = typenames.get();
    consumers.push_back(std::move(typenames));
    consumers.push_back(readConstantMembers());
    consumers.push_back(std::make_unique<SharedVariables>());
    auto assembly = std::make_unique<InlineAssembly>(language_ ? &language_->assembly : nullptr);
    assembly_ = assembly.get();
    consumers.push_back(std::move(assembly));
    auto sides = std::make_unique<SidesOfFunctions>(compiler, forBothSides_);
    sides_ = sides.get();
    consumers.push_back(std::move(sides));
    auto specialised = std::make_unique<SidesOfSpecialisations>(compiler, std::move(specialisations_));
    specialised_ = specialised.get();
    consumers.push_back(std::move(specialised));
    auto addresses = std::make_unique<AddressesAsIntegers>(compiler, hasCasts_);
    addresses_ = addresses.get();
    consumers.push_back(std::move(addresses));
    auto calls = std::make_unique<HostCalls>(compiler);
    calls_ = calls.get();
    consumers.push_back(std::move(calls));
    auto operands = std::make_unique<UnevaluatedOperands>(compiler);
    operands_ = operands.get();
    consumers.push_back(std::move(operands));
    compiler.getPreprocessor().setTokenWatcher([this](const clang::Token& token) {
      operands_->watch();
      calls_->watch();
      if (sides_->isAgain()) sides_->watch(token);
      specialised_->watch(token);
      addresses_->watch();
    });
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
  bool takes(const clang::Diagnostic& info) override {
    if (assembly_->reports()) return false;
    implied_.see(info);
    sides_->see(info);
    specialised_->see(info);
    if (specialised_->isUnmatched(info)) return false;
    isCall_ = calls_->takes(info);
    if (isCall_) return true;
    place_ = host_->place(info);
    const bool isOfDevice = place_ == ErrorPlace::device || place_ == ErrorPlace::pattern;
    mended_ = builtins_->takes(info) || defaults_->takes(info) || isMissingTemplate(info) || isOtherAccess(info) ||
              isFactorInParentheses(info) || isLateAttribute(info) || isFormatOfOtherLong(info) ||
              (isOfDevice && (isTypeToMeasure(info) || isConstantOfMembers(info) || assembly_->takes(info)));
    if (isOfDevice) addresses_->see(info);
    // Outside of functions it may be a constant that device code uses.
    if (place_ != ErrorPlace::hostBody && !mended_) typenames_->see(info);
    return mended_ || place_ != ErrorPlace::device;
  }
  void keep(Diagnostic error) override {
    if (isCall_)
      calls_->keep(std::move(error));
    else if (!mended_)
      host_->putAside(std::move(error), place_);
  }
  void seeNote(const clang::Diagnostic& info) override { sides_->seeNote(info); }
  void keepNote(Note note) override {
    if (isCall_)
      calls_->keepNote(std::move(note));
    else if (!mended_)
      host_->lastPutAside().notes.push_back(std::move(note));
  }
  sdk::DialectFindings finish() override {
    sdk::DialectFindings out{.before = host_->takeMissing(), .after = host_->takeErrors()};
    std::ranges::move(host_->takeRemarks(), std::back_inserter(out.before));
    std::ranges::move(calls_->takeWarning(), std::back_inserter(out.before));
    const Places moreForBothSides = sides_->take();
    leftOut_ = specialised_->someFound();
    readsAgain_ = implied_.someMissing() || !moreForBothSides.empty() || leftOut_ || typenames_->someFound() ||
                  addresses_->someFound();
    if (!moreForBothSides.empty()) forBothSides_ = moreForBothSides;
    specialisations_ = specialised_->take();
    types_ = typenames_->take();
    hasCasts_ = addresses_->isWanted();
    return out;
  }
  std::unique_ptr<sdk::DialectHooks> readAgain() override {
    if (!readsAgain_) return nullptr;
    return std::make_unique<HostCodeHooks>(language_, implied_.areWanted(), std::move(forBothSides_),
                                           std::move(specialisations_), std::move(types_), hasCasts_);
  }
  [[nodiscard]] bool dependsOnNext() const override { return leftOut_; }

 private:
  const LanguageOnCuda* language_;  ///< null: CUDA itself
  bool hasImplied_ = false;
  ImpliedHeaders implied_{language_ ? language_->impliedHeaders : nullptr, hasImplied_};
  HostCode* host_ = nullptr;
  InlineAssembly* assembly_ = nullptr;
  OwnBuiltins* builtins_ = nullptr;
  LaterDefaults* defaults_ = nullptr;
  SidesOfFunctions* sides_ = nullptr;
  HostCalls* calls_ = nullptr;
  SidesOfSpecialisations* specialised_ = nullptr;
  MissingTypenames* typenames_ = nullptr;
  AddressesAsIntegers* addresses_ = nullptr;
  UnevaluatedOperands* operands_ = nullptr;
  Places forBothSides_;                    ///< in this reading, and from finish() on in the next
  Places specialisations_, types_;         ///< likewise
  bool hasCasts_ = false;                  ///< likewise: casts of addresses
  bool readsAgain_ = false;                ///< known from finish() on
  bool leftOut_ = false;                   ///< likewise: a specialisation, whose calls get the template
  bool isCall_ = false;                    ///< the diagnostic that was taken last is a call of the host's
  bool mended_ = false;                    ///< the diagnostic that was taken last is none to programs in CUDA
  ErrorPlace place_ = ErrorPlace::device;  ///< of the diagnostic that was taken last
};

}  // namespace

sdk::DialectHooks* createHostCodeHooks() {
  return new HostCodeHooks(nullptr);
}
sdk::DialectHooks* createHostCodeHooks(const LanguageOnCuda& language) {
  return new HostCodeHooks(&language);
}

}  // namespace lathe::dialects
