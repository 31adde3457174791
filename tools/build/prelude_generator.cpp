// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build tool: `lathe_prelude_generator NAME OUT` writes one precompiled prelude.
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/Support/TargetSelect.h"

#include "core/frontend/clang/clang_arguments.h"
#include "core/frontend/clang/diagnostics.h"
#include "core/frontend/clang/invocation_cache.h"
#include "core/frontend/embedded.h"
#include "core/frontend/files/file_system.h"
#include "core/frontend/prelude/prelude.h"
#include "core/target/builtin.h"

std::span<const lathe::detail::EmbeddedPrelude> lathe::detail::embeddedPreludes() {
  return {};
}

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

class PreludeAction final : public clang::GeneratePCHAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    auto writer = GeneratePCHAction::CreateASTConsumer(compiler, file);
    if (!writer) return nullptr;
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<SettledPrelude>());
    consumers.push_back(std::move(writer));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
};

/// Writes the prelude. Errors: Internal with Clang's text.
Result<void> buildPrelude(const Dialect& dialect, PreludeScope scope, const std::string& outputPath) {
  constexpr const char* input = "/lathe/prelude.h";
  DiagnosticCollector collector;
  auto files = makeFileSystem({}, {});
  std::vector<std::string> arguments = fixedArguments(dialect, preludeStandard(dialect));
  for (std::string& argument : includeArguments(Job(), dialect, false)) arguments.push_back(std::move(argument));
  // Instantiating here what the headers use saves every compile from doing it. Options of diagnostics and folders of
  // headers are only for a validation that nobody does.
  for (const char* argument : {"-emit-pch", "-fno-pch-timestamp", "-fpch-instantiate-templates",
                               "-fmodules-skip-diagnostic-options", "-fmodules-skip-header-search-paths", "-o"})
    arguments.emplace_back(argument);
  arguments.push_back(outputPath);

  clang::DiagnosticOptions options;
  const auto engine =
      clang::CompilerInstance::createDiagnostics(*files, options, &collector, /*ShouldOwnClient=*/false);
  auto invocation = InvocationCache().make(arguments, input, *engine);
  bool built = false;
  if (invocation) {
    std::string text = fmt::format("#include <{}>\n", dialect.prelude);
    if (scope == PreludeScope::library) {
      // A build may have no C++ library.
      for (const std::string_view name : dialect.libraryHeaders)
        text += fmt::format("#if __has_include(<{0}>)\n#include <{0}>\n#endif\n", name);
    }
    invocation->getPreprocessorOpts().addRemappedFile(input,
                                                      llvm::MemoryBuffer::getMemBufferCopy(text, input).release());
    clang::CompilerInstance compiler(std::move(invocation));
    compiler.setVirtualFileSystem(files);
    compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
    PreludeAction action;
    built = compiler.ExecuteAction(action);
  }
  if (built) return {};
  Error error{.code = ErrorCode::Internal,
              .message = "the prelude '" + preludeName(dialect, scope) + "' does not compile"};
  error.diagnostics = collector.take();
  return error;
}

}  // namespace
}  // namespace lathe::detail

int main(int argc, char** argv) {
  using namespace lathe::detail;
  if (argc != 3) return 2;
  llvm::InitializeAllTargetInfos();
  for (const lathe::detail::Dialect* dialect : lathe::detail::builtinDialects()) {
    for (const PreludeScope scope : {PreludeScope::own, PreludeScope::library}) {
      if (preludeName(*dialect, scope) != argv[1]) continue;
      const auto built = buildPrelude(*dialect, scope, argv[2]);
      if (built) return 0;
      std::fputs(built.error().render().c_str(), stderr);
      return 1;
    }
  }
  std::fprintf(stderr, "no prelude is called '%s'\n", argv[1]);
  return 1;
}
