// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run of Clang that ends with a precompiled header in memory.
#include "core/frontend/clang/make_prelude.h"

#include <algorithm>

#include <fmt/format.h>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"

#include "core/frontend/clang/clang_arguments.h"
#include "core/frontend/clang/diagnostics.h"
#include "core/frontend/clang/invocation_cache.h"
#include "core/frontend/dialect.h"
#include "core/frontend/files/file_system.h"

namespace lathe::detail {
namespace {

/// Forgets which functions of the prelude wait for a check of what they call from where: the prelude is right, and
/// every compile would load each of them for that check.
class SettledPrelude final : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  void HandleTranslationUnit(clang::ASTContext&) override { sema_->DeclsToCheckForDeferredDiags.clear(); }

 private:
  clang::Sema* sema_ = nullptr;
};

/// Clang's own action writes a file.
class PreludeAction final : public clang::GeneratePCHAction {
 public:
  std::shared_ptr<clang::PCHBuffer> buffer = std::make_shared<clang::PCHBuffer>();

 private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<SettledPrelude>());
    consumers.push_back(std::make_unique<clang::PCHGenerator>(
        compiler.getPreprocessor(), compiler.getModuleCache(), /*OutputFile=*/"", /*isysroot=*/"", buffer,
        compiler.getCodeGenOpts(), llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>()));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
};

/// Runs `action` over the prelude's headers. Errors: Internal.
Result<void> readPrelude(const Dialect& dialect, PreludeScope scope, clang::FrontendAction& action,
                         std::initializer_list<const char*> further) {
  constexpr const char* input = "/lathe/prelude.h";
  DiagnosticCollector collector;
  auto files = makeFileSystem({}, {});
  std::vector<std::string> arguments = fixedArguments(dialect, preludeStandard(dialect));
  // A prelude is the same whatever the machine that makes it has in its include folders.
  for (auto at = std::ranges::find(arguments, "-idirafter"); at != arguments.end();
       at = std::ranges::find(arguments, "-idirafter"))
    arguments.erase(at, at + 2);
  for (std::string& argument : includeArguments(Job(), dialect, false)) arguments.push_back(std::move(argument));
  for (const char* const argument : further) arguments.emplace_back(argument);

  clang::DiagnosticOptions options;
  const auto engine =
      clang::CompilerInstance::createDiagnostics(*files, options, &collector, /*ShouldOwnClient=*/false);
  auto invocation = InvocationCache().make(arguments, input, *engine);
  if (invocation) {
    std::string text = fmt::format("#include <{}>\n", dialect.prelude);
    if (scope == PreludeScope::library) {
      // A build may have no C++ library.
      for (const std::string_view name : dialect.libraryHeaders)
        text += fmt::format("#if __has_include(<{0}>)\n#include <{0}>\n#endif\n", name);
    }
    invocation->getPreprocessorOpts().addRemappedFile(input,
                                                      llvm::MemoryBuffer::getMemBufferCopy(text, input).release());
    invocation->getFrontendOpts().DisableFree = false;
    clang::CompilerInstance compiler(std::move(invocation));
    compiler.setVirtualFileSystem(files);
    compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
    if (compiler.ExecuteAction(action)) return {};
  }
  Error error{.code = ErrorCode::Internal,
              .message = "the prelude '" + preludeName(dialect, scope) + "' does not compile",
              .stage = "frontend"};
  error.diagnostics = collector.take();
  return error;
}

}  // namespace

Result<std::string> makePrelude(const Dialect& dialect, PreludeScope scope) {
  PreludeAction action;
  // Instantiating here what the headers use saves every compile from doing it. Options of diagnostics and folders of
  // headers are only for a validation that nobody does.
  auto done = readPrelude(dialect, scope, action,
                          {"-emit-pch", "-fno-pch-timestamp", "-fpch-instantiate-templates",
                           "-fmodules-skip-diagnostic-options", "-fmodules-skip-header-search-paths"});
  if (!done) return std::move(done).error();
  return std::string(action.buffer->Data.begin(), action.buffer->Data.end());
}

namespace {

/// Every name that the lexer meets, in conditions too, is in the table; what is skipped is not.
class WordsAction final : public clang::PreprocessOnlyAction {
 public:
  std::string words = "\n";

 private:
  void EndSourceFileAction() override {
    std::vector<std::string> found;
    for (const auto& entry : getCompilerInstance().getPreprocessor().getIdentifierTable())
      if (mayTouchPrelude(entry.getKey())) found.push_back(entry.getKey().str());
    llvm::sort(found);
    for (const std::string& word : found) words += word + '\n';
  }
};

}  // namespace

Result<std::string> preludeWords(const Dialect& dialect) {
  WordsAction action;
  auto done = readPrelude(dialect, PreludeScope::library, action, {"-Eonly"});
  if (!done) return std::move(done).error();
  return std::move(action.words);
}

}  // namespace lathe::detail
