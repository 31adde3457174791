// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making and choosing precompiled preludes.
#include "core/frontend/prelude.h"

#include <algorithm>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Serialization/PCHContainerOperations.h"

#include <fmt/format.h>

#include "core/frontend/clang_arguments.h"
#include "core/frontend/diagnostics.h"
#include "core/frontend/dialect.h"
#include "core/frontend/file_system.h"

namespace lathe::detail {
namespace {

/// Clang takes a prelude and a definition that would have changed it without complaint.
bool touchesPrelude(const std::string& definition) {
  const std::string_view name = std::string_view(definition).substr(0, definition.find('='));
  // Lathe's own names, the reserved ones, and the constants that math.h defines unless they are there.
  return name.starts_with("LATHE_") || name.starts_with("_") || name.starts_with("M_") || name == "INFINITY" ||
         name == "NAN" || name.starts_with("HUGE_VAL") || name == "NDEBUG" || name == "assert";
}

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

/// A header of the dialect's library that the source includes by its own text or a header of the job's.
std::string_view includedLibraryHeader(const Job& job, const Dialect& dialect) {
  const auto includedBy = [&](llvm::StringRef text) -> std::string_view {
    while (!text.empty()) {
      llvm::StringRef line;
      std::tie(line, text) = text.split('\n');
      line = line.ltrim();
      if (!line.consume_front("#")) continue;
      line = line.ltrim();
      if (!line.consume_front("include")) continue;
      line = line.ltrim();
      if (!line.consume_front("<")) continue;
      const std::string_view name = line.take_until([](char c) { return c == '>'; });
      const auto found = std::ranges::find(dialect.libraryHeaders, name);
      if (found != dialect.libraryHeaders.end()) return *found;
    }
    return {};
  };
  std::string_view out = includedBy(job.source.text);
  for (std::size_t i = 0; i < job.headers.size() && out.empty(); ++i) out = includedBy(job.headers[i].text);
  return out;
}

}  // namespace

std::string preludeName(const Dialect& dialect, PreludeScope scope) {
  return std::string(dialect.name) + (scope == PreludeScope::library ? "_library" : "");
}

PreludeChoice choosePrelude(const Job& job, const Dialect& dialect) {
  const Options& options = job.options;
  if (dialect.prelude.empty()) return {{}, "dialect '" + std::string(dialect.name) + "' has none"};
  if (standardOf(options, dialect) != preludeStandard)
    return {{}, "it is made for " + std::string(preludeStandard) + ", the job wants " + options.languageStandard};
  if (dialect.preludeOnRequest && job.source.text.find(dialect.prelude) == std::string::npos)
    return {{}, "the source does not include <" + std::string(dialect.prelude) + ">"};
  for (const auto* list : {&options.defines, &options.undefines}) {
    const auto touching = std::ranges::find_if(*list, touchesPrelude);
    if (touching != list->end()) return {{}, "it reads the macro '" + touching->substr(0, touching->find('=')) + "'"};
  }
  const auto all = embeddedPreludes();
  const auto isThere = [&](PreludeScope scope) {
    return std::ranges::find(all, preludeName(dialect, scope), &EmbeddedPrelude::name) != all.end();
  };
  if (!isThere(PreludeScope::own)) return {{}, "none is built in for dialect '" + std::string(dialect.name) + "'"};
  PreludeChoice out{{PreludeScope::own}, "of dialect '" + std::string(dialect.name) + "'"};
  if (const std::string_view header = includedLibraryHeader(job, dialect);
      !header.empty() && isThere(PreludeScope::library)) {
    out.scopes.insert(out.scopes.begin(), PreludeScope::library);
    out.reason += " with its library, for <" + std::string(header) + ">";
  }
  return out;
}

Result<void> buildPrelude(const Dialect& dialect, PreludeScope scope, const std::string& outputPath) {
  constexpr const char* input = "/lathe/prelude.h";
  DiagnosticCollector collector;
  auto files = makeFileSystem({}, {});
  std::vector<std::string> arguments = fixedArguments(dialect, preludeStandard);
  for (std::string& argument : includeArguments(Job(), false)) arguments.push_back(std::move(argument));
  // Instantiating here what the headers use saves every compile from doing it.
  for (const char* argument : {"-emit-pch", "-fno-pch-timestamp", "-fpch-instantiate-templates", "-o"})
    arguments.emplace_back(argument);
  arguments.push_back(outputPath);

  clang::DiagnosticOptions options;
  const auto engine =
      clang::CompilerInstance::createDiagnostics(*files, options, &collector, /*ShouldOwnClient=*/false);
  auto invocation = makeInvocation(arguments, input, *engine);
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

}  // namespace lathe::detail
