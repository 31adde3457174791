// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors in host code, put aside.
#include "dialects/cuda/sides/host_code.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"

#include "dialects/cuda/preprocess/library_macros.h"
#include "dialects/cuda/preprocess/pragma_macros.h"
#include "dialects/cuda/preprocess/spaced_launches.h"
#include "dialects/cuda/sides/broken_code.h"
#include "dialects/cuda/sides/named_instances.h"

namespace lathe::dialects {
namespace {

constexpr std::size_t mostPutAside = 1000;
constexpr std::size_t mostNotes = 5;

/// Written by the user, not inferred by Clang for lambdas and constexpr functions, nor set for a whole header.
template <class Attribute>
bool hasWritten(const clang::FunctionDecl& function) {
  const auto* attribute = function.getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

bool isDeviceCode(const clang::FunctionDecl& function) {
  return hasWritten<clang::CUDADeviceAttr>(function) || hasWritten<clang::CUDAGlobalAttr>(function);
}

/// The outermost function around `context` that says which side it is for; null outside of functions.
const clang::FunctionDecl* functionAround(const clang::DeclContext* context, bool& device) {
  const clang::FunctionDecl* found = nullptr;
  for (; context; context = context->getParent()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(context);
    if (!function) continue;
    if (isDeviceCode(*function)) device = true;
    found = function;
  }
  return found;
}

/// Operands of inline assembly for another processor: Clang leaves out the statement, and the rest is whole.
bool isOfAssembly(unsigned diagnostic) {
  return diagnostic == clang::diag::err_asm_invalid_output_constraint ||
         diagnostic == clang::diag::err_asm_invalid_input_constraint;
}

/// A call in a function that is emitted only if it is used, as which CUDA's compiler takes calls of the host's.
bool isUnmetCall(unsigned diagnostic, const clang::FunctionDecl& function) {
  const bool isCall = diagnostic == clang::diag::err_ovl_no_viable_function_in_call ||
                      diagnostic == clang::diag::err_ovl_no_viable_member_function_in_call;
  return isCall && (function.isInlined() || !function.isExternallyVisible());
}

/// Headers nobody has are read as empty.
class MissingHeaders final : public clang::PPCallbacks {
 public:
  MissingHeaders(HostCode& host, clang::Preprocessor& preprocessor) : host_(host), preprocessor_(preprocessor) {}

  bool FileNotFound(llvm::StringRef name) override {
    SourceLocation from;
    if (const auto* const lexer = static_cast<const clang::Lexer*>(preprocessor_.getCurrentFileLexer())) {
      // The lexer stands behind the name.
      const auto offset = lexer->getBufferLocation() - lexer->getBuffer().data() - 1;
      from = sdk::locationOf(preprocessor_.getSourceManager(),
                             lexer->getFileLoc().getLocWithOffset(static_cast<int>(offset)));
      from.column = 0;
    }
    host_.noteMissing(name.str(), from);
    return true;
  }

 private:
  HostCode& host_;
  clang::Preprocessor& preprocessor_;
};

/// One diagnostic for all of `errors`.
Diagnostic summaryOf(const std::vector<Diagnostic>& errors, Severity severity, std::string what,
                     const std::string& why) {
  Diagnostic out{.severity = severity,
                 .code = ErrorCode::SourceError,
                 .message = std::move(what) + " in " + std::to_string(errors.size()) +
                            (errors.size() == 1 ? " place; " : " places; ") + why,
                 .location = errors.front().location,
                 .snippet = {},
                 .notes = {},
                 .hint = {}};
  for (std::size_t i = 0; i < std::min(errors.size(), mostNotes); ++i)
    out.notes.push_back({errors[i].message, errors[i].location, {}});
  return out;
}

}  // namespace

bool inDeviceDeclaration(const clang::SourceManager& sources, clang::SourceLocation at) {
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(at));
  bool invalid = false;
  const llvm::StringRef text = sources.getBufferData(file, &invalid);
  if (invalid || offset > text.size()) return true;
  std::size_t begin = text.take_front(offset).find_last_of(";}#");
  begin = begin == llvm::StringRef::npos ? 0 : begin;
  const std::size_t end = std::min(text.find_first_of(";{", offset), text.size());
  const llvm::StringRef declaration = text.slice(begin, end);
  // Names in double underscores are qualifiers; these say nothing of the side. A misspelt one is none of them.
  constexpr llvm::StringRef neutral[] = {"__host__",     "__restrict__",  "__inline__", "__forceinline__",
                                         "__noinline__", "__attribute__", "__align__",  "__asm__",
                                         "__volatile__", "__extension__"};
  llvm::SmallVector<llvm::StringRef, 32> words;
  llvm::SplitString(declaration, words, " \t\r\n()[]{}<>,;:&*=+-/\"");
  return llvm::any_of(words,
                      [&](llvm::StringRef word) { return word.ends_with("__") && !llvm::is_contained(neutral, word); });
}

HostCode::HostCode(clang::CompilerInstance& compiler) : compiler_(compiler) {
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  preprocessor.addPPCallbacks(std::make_unique<MissingHeaders>(*this, preprocessor));
  readLibraryMacros(preprocessor);
  readPragmaMacros(preprocessor);
  readSpacedLaunches(preprocessor);
  compiler.getDiagnostics().setErrorLimit(0);  // errors put aside are no reason to stop
}

void HostCode::noteMissing(std::string name, SourceLocation from) {
  const std::string message = "'" + name + "' file not found";
  if (std::ranges::find(missing_, message, &Diagnostic::message) != missing_.end()) return;
  missing_.push_back({.severity = Severity::error,
                      .code = ErrorCode::HeaderNotFound,
                      .message = message,
                      .location = std::move(from),
                      .snippet = {},
                      .notes = {},
                      .hint = {}});
}

ErrorPlace HostCode::place(const clang::Diagnostic& info) {
  if (!sema_ || !sema_->CurContext || counted_) return ErrorPlace::device;
  if (info.hasSourceManager() && info.getLocation().isValid()) {
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(info.getLocation()));
    if (at.isValid() && llvm::StringRef(at.getFilename()) == sdk::nameExpressionFile) return ErrorPlace::device;
  }
  // At the end of the source: a function that is declared only, called with types that nothing else can name.
  if (info.getID() == clang::diag::err_undefined_internal_type &&
      info.getArgKind(1) == clang::DiagnosticsEngine::ak_nameddecl) {
    const auto* declared = reinterpret_cast<const clang::NamedDecl*>(info.getRawArg(1));
    const auto* called = llvm::dyn_cast<clang::FunctionDecl>(declared);
    if (called && !isDeviceCode(*called)) return ErrorPlace::hostBody;
  }
  bool device = false;
  const clang::FunctionDecl* function = functionAround(sema_->CurContext, device);
  const bool isError =
      info.getDiags()->getDiagnosticLevel(info.getID(), info.getLocation()) >= clang::DiagnosticsEngine::Error;
  if (device) {
    const bool waits = isError && (function->isDependentContext() || isOfAssembly(info.getID()) ||
                                   isUnmetCall(info.getID(), *function));
    return waits ? ErrorPlace::pattern : ErrorPlace::device;
  }
  if (function) {
    if (isError) {
      broken_.insert(function->getCanonicalDecl());
      if (unresolved_.empty() || unresolved_.back() != function)
        unresolved_.push_back(const_cast<clang::FunctionDecl*>(function));
    }
    return ErrorPlace::hostBody;
  }
  // Null behind the end of the source, where Clang tells what it had put off; not null while tokens are looked ahead.
  const bool parsing = compiler_.getPreprocessor().getCurrentFileLexer() != nullptr;
  const bool lexical = info.getID() >= clang::diag::DIAG_START_LEX && info.getID() < clang::diag::DIAG_START_PARSE;
  if (!parsing || lexical || !info.getLocation().isValid() || !info.hasSourceManager()) return ErrorPlace::device;
  if (inDeviceDeclaration(info.getSourceManager(), info.getLocation())) return ErrorPlace::device;
  return ErrorPlace::fileScope;
}

void HostCode::putAside(Diagnostic error, ErrorPlace place) {
  if (place == ErrorPlace::fileScope) {
    ++atFileScope_;
    for (const clang::DeclContext* context = sema_->CurContext; context; context = context->getParent()) {
      if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(context))
        broken_.insert(record->getCanonicalDecl());
    }
  }
  if (place == ErrorPlace::pattern) {
    bool device = false;
    const clang::FunctionDecl* const function = functionAround(sema_->CurContext, device);
    (function->isDependentContext() ? broken_ : partial_).insert(function->getCanonicalDecl());
  }
  last_ = place;
  std::vector<Diagnostic>& list = place == ErrorPlace::pattern ? inPatterns_ : aside_;
  if (list.size() < mostPutAside || list.empty())
    list.push_back(std::move(error));
  else
    list.back() = std::move(error);
}

/// Clang stops generating code at the first error, whatever the diagnostics' consumer makes of it.
void HostCode::goOn() {
  clang::DiagnosticsEngine& engine = compiler_.getDiagnostics();
  if (!engine.hasErrorOccurred() || counted_) return;
  if (engine.getClient()->getNumErrors() > 0) {
    counted_ = true;
    return;
  }
  engine.Reset(/*soft=*/true);
}

/// A class may say that its variables are the device's although nothing at the variable does.
void HostCode::moveToDevice(const clang::VarDecl& variable) {
  const clang::CXXRecordDecl* const record = variable.getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !variable.hasGlobalStorage() || variable.hasAttr<clang::CUDADeviceAttr>()) return;
  for (const auto* mark : record->specific_attrs<clang::AnnotateAttr>()) {
    if (mark->getAnnotation() != "lathe.device_variable") continue;
    // What Clang looks at from here on: code generation, and the functions that follow.
    const_cast<clang::VarDecl&>(variable).addAttr(clang::CUDADeviceAttr::CreateImplicit(variable.getASTContext()));
    return;
  }
}

void HostCode::note(const clang::Decl& declaration) {
  const clang::Decl* inner = &declaration;
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(inner)) moveToDevice(*variable);
  if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(inner)) {
    hostSeen_ = hostSeen_ || !isDeviceCode(*pattern->getTemplatedDecl());
    return;
  }
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(inner)) {
    if (isDeviceCode(*function))
      deviceFunctions_.push_back(function);
    else if (function->hasBody())
      hostSeen_ = true;
    return;
  }
  const auto* scope = llvm::dyn_cast<clang::DeclContext>(inner);
  if (!scope || !(llvm::isa<clang::NamespaceDecl>(inner) || llvm::isa<clang::LinkageSpecDecl>(inner) ||
                  llvm::isa<clang::CXXRecordDecl>(inner)))
    return;
  for (const clang::Decl* nested : scope->decls()) note(*nested);
}

bool HostCode::HandleTopLevelDecl(clang::DeclGroupRef group) {
  goOn();
  if (!unresolved_.empty() && !counted_) {
    for (clang::FunctionDecl* function : std::exchange(unresolved_, {})) instantiateWhatIsNamed(*sema_, *function);
    goOn();
  }
  const std::size_t seen = deviceFunctions_.size();
  for (const clang::Decl* declaration : group) note(*declaration);
  // At once, because kernels are generated as they come.
  if (!(aside_.empty() && inPatterns_.empty()) && !failed_) {
    const std::vector<const clang::FunctionDecl*> fresh(deviceFunctions_.begin() + static_cast<std::ptrdiff_t>(seen),
                                                        deviceFunctions_.end());
    for (const clang::FunctionDecl* function : fresh) {
      if (!failed_) examine(*function);
    }
    if (failed_) stop();
  }
  return true;
}

void HostCode::HandleTranslationUnit(clang::ASTContext&) {
  goOn();
  if (counted_ || (aside_.empty() && inPatterns_.empty() && missing_.empty())) return;
  // A misspelt word in a file of kernels is not host code, however little of it Clang understood.
  if (atFileScope_ > 0 && !hostSeen_ && missing_.empty()) failed_ = true;
  // Taken out first: looking at a function may load others from the prelude, and they are announced here.
  for (const clang::FunctionDecl* function : std::exchange(deviceFunctions_, {})) {
    if (failed_) break;
    examine(*function);
  }
  if (failed_) stop();
}

/// Whether device code that was fine by itself needs what was put aside.
void HostCode::examine(const clang::FunctionDecl& function) {
  const bool isKernel = function.hasAttr<clang::CUDAGlobalAttr>();
  if (function.isDependentContext() || (!isKernel && partial_.contains(function.getCanonicalDecl()))) return;
  UseOfBroken uses;
  if (isKernel && !partial_.empty()) uses = findUseOfBroken(function, partial_);
  if (!uses.where.isValid()) uses = findUseOfBroken(function, broken_);
  if (!uses.where.isValid()) return;
  failed_ = true;
  const clang::SourceManager& sources = function.getASTContext().getSourceManager();
  const SourceLocation where = sdk::locationOf(sources, uses.where);
  // What was put aside within what is used is the cause, and stands first.
  if (uses.what) {
    const SourceLocation begin = sdk::locationOf(sources, uses.what->getBeginLoc());
    const SourceLocation end = sdk::locationOf(sources, uses.what->getEndLoc());
    const auto isElsewhere = [&](const Diagnostic& error) {
      return error.location.file != begin.file || error.location.line < begin.line || error.location.line > end.line;
    };
    for (auto* list : {&inPatterns_, &aside_}) {
      const auto rest = std::ranges::stable_partition(*list, isElsewhere);
      const bool isWhole = list == &inPatterns_ && !rest.empty();
      std::ranges::move(rest, std::back_inserter(diagnostics_));
      list->erase(rest.begin(), rest.end());
      if (!isWhole) continue;
      diagnostics_.back().notes.push_back({"device code uses '" + uses.what->getNameAsString() + "'", where, {}});
      return;
    }
  }
  diagnostics_.push_back({.severity = Severity::error,
                          .code = ErrorCode::SourceError,
                          .message = (uses.what ? "device code uses '" + uses.what->getNameAsString() + "', which"
                                                : std::string("device code")) +
                                     " could not be compiled",
                          .location = where,
                          .snippet = {},
                          .notes = {},
                          .hint = {}});
}

/// Nothing may be generated from a broken tree: Clang's own code generation stops at an error, and crashes without.
void HostCode::stop() {
  if (counted_) return;
  counted_ = true;
  clang::DiagnosticsEngine& engine = compiler_.getDiagnostics();
  engine.Report(engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
      << "no code is generated, because device code needs what could not be compiled";
}

std::vector<Diagnostic> HostCode::takeErrors() {
  std::vector<Diagnostic> out;
  if (!failed_ && compiler_.getDiagnostics().getClient()->getNumErrors() == 0) return out;
  for (auto* list : {&diagnostics_, &aside_}) {
    for (Diagnostic& error : *list) out.push_back(std::move(error));
    list->clear();
  }
  return out;
}

std::vector<Diagnostic> HostCode::takeMissing() {
  if (!failed_ && compiler_.getDiagnostics().getClient()->getNumErrors() == 0) return {};
  return std::exchange(missing_, {});
}

std::vector<Diagnostic> HostCode::takeRemarks() {
  std::vector<Diagnostic> out;
  for (Diagnostic& header : missing_) {
    header.severity = Severity::warning;
    header.message += "; it was read as empty, which no device code of this source depends on";
    out.push_back(std::move(header));
  }
  if (!aside_.empty()) {
    out.push_back(
        summaryOf(aside_, Severity::remark, "host code was not understood", "device code does not depend on it"));
  }
  if (!inPatterns_.empty()) {
    out.push_back(
        summaryOf(inPatterns_, Severity::warning, "device functions were not understood", "no kernel uses them"));
  }
  return out;
}

}  // namespace lathe::dialects
