// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang in process: no driver, no child process, no temporary file. One fixed set of front-end options serves every
// job, because optimisation level and fast-math are applied to IR; that keeps portable IR the same at every level.
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

#include "core/descriptor/descriptor.h"
#include "core/descriptor/llvm_facts.h"
#include "core/frontend/clang/abi/returned_unions.h"
#include "core/frontend/clang/clang_arguments.h"
#include "core/frontend/clang/diagnostics.h"
#include "core/frontend/clang/erroneous_functions.h"
#include "core/frontend/clang/explanations.h"
#include "core/frontend/clang/includes.h"
#include "core/frontend/clang/invocation_cache.h"
#include "core/frontend/clang/library_layout.h"
#include "core/frontend/clang/name_expressions.h"
#include "core/frontend/clang/stopping.h"
#include "core/frontend/dialect.h"
#include "core/frontend/embedded.h"
#include "core/frontend/files/file_system.h"
#include "core/frontend/frontend.h"
#include "core/frontend/prelude/prelude.h"
#include "core/frontend/reuse/front_reuse.h"
#include "core/frontend/reuse/preamble.h"
#include "core/support/cancelled.h"
#include "core/support/diagnostics.h"
#include "core/support/digest.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// Clang holds several times a source's size in memory; generated files beyond this are a mistake more often than not.
constexpr std::size_t mostSourceBytes = std::size_t{8} << 20;

bool isNative(const Descriptor& descriptor) {
  return descriptor.frontend == FrontEnd::native;
}

/// Parses and generates IR, watching for kernels.
class KernelAction final : public clang::ASTFrontendAction {
 public:
  KernelAction(llvm::LLVMContext& context, const Dialect& dialect, const FrontendRequest& request,
               DiagnosticCollector& collector, std::vector<PreambleMacro>* macros, sdk::DialectHooks* hooks)
      : context_(context),
        dialect_(dialect),
        toolkit_{dialect.toolkitLibraries, includes.ofToolkitBySource},
        entries_(request.job.entries),
        native_(isNative(request.descriptor)),
        errorRecovery_(request.errorRecovery),
        stop_(request.stop),
        diagnostics_(collector),
        macros_(macros),
        hooks_(hooks) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    // Where a machine has no bfloat16, Clang says so and then folds constants of it by a format that nobody set.
    if (clang::TargetInfo& machine = compiler.getTarget(); !machine.hasBFloat16Type())
      machine.BFloat16Format = &llvm::APFloat::BFloat();
    auto generator = clang::CreateLLVMCodeGen(compiler, file, context_);
    generator_ = generator.get();
    auto collector = std::make_unique<KernelCollector>(*generator, dialect_, toolkit_, entries_, native_);
    collector_ = collector.get();
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(watchIncludes(preprocessor, dialect_, includes));
    if (macros_) preprocessor.addPPCallbacks(watchMacros(preprocessor, *macros_));
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    if (stop_.stop_possible()) consumers.push_back(stoppingConsumer(compiler, stop_));
    if (hooks_) {
      diagnostics_.setHooks(hooks_);
      if (auto consumer = hooks_->begin(compiler)) consumers.push_back(std::move(consumer));
    }
    if (errorRecovery_) {
      auto bodies = std::make_unique<ErroneousBodies>(compiler, *generator, dialect_.harmlessErrors);
      erroneous_ = bodies.get();
      diagnostics_.setErroneousFunctions(erroneous_);
      consumers.push_back(std::move(bodies));
    }
    consumers.push_back(std::move(generator));
    consumers.push_back(std::move(collector));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  /// The consumers die with the compiler instance, right after this.
  void EndSourceFileAction() override {
    if (erroneous_) {
      diagnostics_.setErroneousFunctions(nullptr);
      erroneousFunctions = erroneous_->functions();
    }
    module = generator_->ReleaseModule();
    if (module && !native_) returnWholeUnions(*module);
    namedEntries = collector_->takeEntries();
    kernelNames = collector_->kernelNames();
    diagnostics = collector_->takeDiagnostics();
    if (erroneous_) llvm::append_range(erroneousFunctions, collector_->takeMarked());
    if (!hooks_) return;
    diagnostics_.setHooks(nullptr);
    findings = hooks_->finish();
  }

  std::unique_ptr<llvm::Module> module;
  std::vector<NamedEntry> namedEntries;
  std::vector<std::string> kernelNames;
  std::vector<Diagnostic> diagnostics;
  std::vector<ErroneousFunction> erroneousFunctions;
  sdk::DialectFindings findings;
  Includes includes;

 private:
  llvm::LLVMContext& context_;
  const Dialect& dialect_;
  ToolkitNames toolkit_;
  const std::vector<std::string>& entries_;
  bool native_;
  bool errorRecovery_;
  std::stop_token stop_;
  DiagnosticCollector& diagnostics_;
  std::vector<PreambleMacro>* macros_;  ///< null: nobody wants to know
  sdk::DialectHooks* hooks_;            ///< null: the dialect has none
  ErroneousBodies* erroneous_ = nullptr;
  clang::CodeGenerator* generator_ = nullptr;
  KernelCollector* collector_ = nullptr;
};

/// What the dialect puts first.
std::string preambleText(const FrontendRequest& request, const Dialect& dialect) {
  const Descriptor& descriptor = request.descriptor;
  const unsigned ordinal = descriptor.ordinal.value_or(0);
  if (!dialect.preamble) return {};
  return dialect.preamble(request.job, {.name = descriptor.name,
                                        .arch = descriptor.arch,
                                        .triple = descriptor.triple,
                                        .archOrdinal = ordinal,
                                        .archMacro = ordinalValue(descriptor.archMacro, ordinal),
                                        .subgroupSize = std::ranges::min(descriptor.subgroupSizes)});
}

/// The buffer Clang reads as the main file: what the dialect puts first, the source under its own name and lines, the
/// names of the entries.
std::string mainText(const FrontendRequest& request, std::string preamble) {
  const Job& job = request.job;
  std::string out = std::move(preamble);
  if (!out.empty()) {
    std::string name;
    for (const char letter : job.source.name) {
      if (letter == '"' || letter == '\\') name += '\\';
      name += letter;
    }
    out += "#line 1 \"" + name + "\"\n";
  }
  llvm::StringRef text = job.source.text;
  text.consume_front("\xef\xbb\xbf");  // a byte order mark, which Clang skips at the beginning of a file only
  return out + text.str() + nameExpressionText(job.entries);
}

Error errorOf(std::vector<Diagnostic> diagnostics) {
  if (std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; }))
    return combined(std::move(diagnostics), "frontend");
  Error out{.code = ErrorCode::SourceError, .message = "the source does not compile", .stage = "frontend"};
  out.diagnostics = std::move(diagnostics);
  return out;
}

/// A prelude for one run of Clang.
struct Prelude {
  std::string path;                         ///< in the run's file system; empty: the headers are read as text
  std::shared_ptr<const std::string> made;  ///< its bytes, unless it is built in
};

/// Makes portable IR of what Clang made. The dialect may give kernels other symbols, which `entries` then have.
llvm::Error adaptModule(const Dialect& dialect, llvm::Module& module, std::vector<NamedEntry>& entries) {
  if (!dialect.adapt) return llvm::Error::success();
  std::vector<llvm::WeakTrackingVH> kernels;
  for (const NamedEntry& entry : entries) kernels.emplace_back(module.getFunction(entry.symbol));
  if (auto error = dialect.adapt(module)) return error;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const llvm::Value* const kernel = kernels[i]) entries[i].symbol = kernel->getName().str();
  return llvm::Error::success();
}

/// Whether a header that code for the device needs was not found: no other reading would find it.
bool missesHeader(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& one) {
    return one.severity == Severity::error && one.code == ErrorCode::HeaderNotFound;
  });
}

Result<FrontendResult> compileOnce(const FrontendRequest& request, const Dialect& dialect, llvm::LLVMContext& context,
                                   const Prelude& prelude, std::vector<PreambleMacro>* macros,
                                   std::unique_ptr<sdk::DialectHooks> hooks = nullptr) {
  const Job& job = request.job;
  DiagnosticCollector collector;
  auto files = makeFileSystem(job.headers, request.headers, request.files, dialect.headers);
  if (prelude.made) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    memory->addFile(prelude.path, 0, llvm::MemoryBuffer::getMemBuffer(*prelude.made, prelude.path));
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(files));
    overlay->pushOverlay(std::move(memory));
    files = std::move(overlay);
  }
  if (dialect.openFiles) {
    static const std::vector<std::string> ownDirs = {std::string(libraryFolder) + "/own", embeddedFolder};
    files = dialect.openFiles({std::move(files), job.options.includeDirs, ownDirs, request.toolkit});
  }
  clang::DiagnosticOptions diagnosticOptions;
  const auto engine =
      clang::CompilerInstance::createDiagnostics(*files, diagnosticOptions, &collector, /*ShouldOwnClient=*/false);
  auto invocation = request.invocations.make(clangArguments(request, dialect, prelude.path), job.source.name, *engine);
  if (!invocation) {
    Error error = errorOf(collector.take());
    error.code = ErrorCode::InvalidArgument;  // -std, -D or the like: nothing of the source was read yet
    return error;
  }
  const std::string text =
      mainText(request, definitionsBehind(request, dialect, prelude.path) + preambleText(request, dialect));
  invocation->getPreprocessorOpts().addRemappedFile(
      job.source.name, llvm::MemoryBuffer::getMemBufferCopy(text, job.source.name).release());
  invocation->getFrontendOpts().DisableFree = false;

  const auto execute = [&](clang::FrontendAction& action) {
    clang::CompilerInstance compiler(std::move(invocation));
    compiler.setVirtualFileSystem(files);
    compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());  // or "2 errors generated."
    compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
    return compiler.ExecuteAction(action);
  };
  if (request.scanOnly) {
    clang::PreprocessOnlyAction action;
    (void)execute(action);
    return FrontendResult{};
  }
  if (!hooks && dialect.createHooks) hooks.reset(dialect.createHooks());
  KernelAction action(context, dialect, request, collector, macros, hooks.get());
  const bool compiled = execute(action);
  if (FileLog* const log = request.files.log) {
    if (action.includes.any) log->searched();
    if (action.includes.ofToolkit) log->toolkit(dialect.name, request.toolkit);
  }
  if (request.stop.stop_requested()) return cancelled("frontend");
  auto diagnostics = std::move(action.findings.before);
  const auto add = [&](std::vector<Diagnostic> more) { std::ranges::move(more, std::back_inserter(diagnostics)); };
  add(collector.take());
  if (!request.errorRecovery) add(std::exchange(action.diagnostics, {}));
  add(std::move(action.findings.after));
  const bool failed = !compiled || !action.module ||
                      std::ranges::find(diagnostics, Severity::error, &Diagnostic::severity) != diagnostics.end();
  // What another reading finds wrong in code that this one could do without is no error.
  if (auto next = hooks && !missesHeader(diagnostics) ? hooks->readAgain() : nullptr) {
    auto again = compileOnce(request, dialect, context, prelude, macros, std::move(next));
    if (again) ++again->readings;
    if (again || failed || hooks->dependsOnNext()) return again;
  }
  if (failed) {
    explainNames(diagnostics, job, dialect, action.kernelNames);
    explainHeaders(diagnostics, request, dialect);
    explainConstructs(diagnostics, dialect);
    return errorOf(std::move(diagnostics));
  }
  if (auto error = adaptModule(dialect, *action.module, action.namedEntries)) return fromLlvm(std::move(error));
  return FrontendResult{
      std::move(action.module),      std::move(action.namedEntries),       std::move(diagnostics),
      std::move(action.kernelNames), std::move(action.erroneousFunctions), std::move(action.diagnostics)};
}

/// NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE.
bool isDefinition(llvm::StringRef text) {
  llvm::StringRef name = text.split('=').first;
  if (name.ends_with(")")) name = name.split('(').first;
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; });
}

/// Whether Clang found that a prelude was made by another version or with other options.
bool refusedPrelude(const Error& error, const std::string& prelude) {
  return std::ranges::any_of(error.diagnostics, [&](const Diagnostic& d) {
    return d.severity == Severity::error && d.message.find(prelude) != std::string::npos;
  });
}

bool isBuiltIn(const std::string& prelude) {
  return std::ranges::any_of(embeddedPreludes(),
                             [&](const EmbeddedPrelude& one) { return one.name == prelude && !one.pch.empty(); });
}

/// `macros`: those of the preamble, to be marked where the source sees them; null: nobody wants to know.
Result<FrontendResult> compileWithPreludes(const FrontendRequest& request, const Dialect& dialect,
                                           llvm::LLVMContext& context, std::vector<PreambleMacro>* macros = nullptr) {
  unsigned failed = 0;
  // Preludes are compiled for the dialect's own triple.
  if (!isNative(request.descriptor)) {
    const auto files = makeFileSystem(request.job.headers, request.headers, request.files, dialect.headers);
    const PreludeChoice choice =
        choosePrelude(request.job, dialect, request.descriptor.triple, request.descriptor.arch, *files);
    for (const PreludeScope scope : choice.scopes) {
      // What is wrong was found without the library's names: only that is to be told.
      if (request.errorRecovery && scope == PreludeScope::library) continue;
      const std::string name = preludeName(dialect, scope);
      Prelude prelude{preludePath(name), nullptr};
      if (!isBuiltIn(name)) {
        if (request.preludes) prelude.made = request.preludes->find(dialect, scope);
        if (!prelude.made) continue;
      }
      auto out = compileOnce(request, dialect, context, prelude, macros);
      if (out || out.error().code == ErrorCode::Cancelled || missesHeader(out.error().diagnostics) ||
          (scope == PreludeScope::own && !refusedPrelude(out.error(), prelude.path))) {
        if (out) out->readings += failed;
        return out;
      }
      ++failed;
    }
  }
  auto out = compileOnce(request, dialect, context, {}, macros);
  if (out) out->readings += failed;
  return out;
}

/// The digest of all that Clang is given but the machine's files, its toolkit's folder among them, and the preamble.
std::string reuseKey(FrontendRequest request, const Dialect& dialect) {
  request.toolkit.clear();
  Digest digest;
  digest.add(dialect.name).add(request.job.source.name).add(mainText(request, definitionsBehind(request, dialect, {})));
  for (const std::string& argument : clangArguments(request, dialect, {})) digest.add(argument);
  for (const Header& header : request.job.headers) digest.add(header.name).add(header.text);
  for (const std::string& entry : request.job.entries) digest.add(entry);
  return digest.bytes();
}

}  // namespace

Result<FrontendResult> compileWithClang(const FrontendRequest& request, const Dialect& dialect,
                                        llvm::LLVMContext& context) {
  const Job& job = request.job;
  if (job.source.text.size() > mostSourceBytes) {
    return Error{.code = ErrorCode::LimitExceeded,
                 .message = job.source.name + ": " + std::to_string(job.source.text.size()) +
                            " bytes of source are more than the limit of " + std::to_string(mostSourceBytes),
                 .hint = "put large tables into device memory, or pass the module as bitcode",
                 .stage = "frontend"};
  }
  for (const std::string& define : job.options.defines) {
    if (isDefinition(define)) continue;
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "'" + define + "' does not define a macro",
                 .hint = "write NAME or NAME=VALUE",
                 .stage = "frontend"};
  }
  if (isNative(request.descriptor) && !dialect.native) {
    return Error{.code = ErrorCode::Unsupported,
                 .message = "dialect '" + std::string(dialect.name) + "' gives portable IR only, and target '" +
                            request.descriptor.name + "' takes sources that are compiled for its own triple",
                 .hint = "write the kernels in the dialect 'kernel'",
                 .stage = "frontend",
                 .target = request.descriptor.name};
  }
  if (!request.reuse || !request.files.log || request.errorRecovery || request.scanOnly)
    return compileWithPreludes(request, dialect, context);
  std::string key = reuseKey(request, dialect);
  std::vector<PreambleMacro> macros = macrosOf(preambleText(request, dialect));
  const auto isSameToolkit = [&](const FileLooks& files) {
    const FileLook* const named = toolkitIn(files, dialect.name);
    return !named || named->digest == request.toolkit;
  };
  if (auto known = request.reuse->find(key, macros, isSameToolkit, context, *request.files.log))
    return *std::move(known);
  auto out = compileWithPreludes(request, dialect, context, &macros);
  if (out) request.reuse->keep(std::move(key), std::move(macros), *out, request.files.log->looks());
  return out;
}

}  // namespace lathe::detail
