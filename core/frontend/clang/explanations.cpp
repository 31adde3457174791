// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting diagnostics.
#include "core/frontend/clang/explanations.h"

#include <fmt/ranges.h>

#include "core/frontend/clang/name_expressions.h"
#include "core/frontend/dialect.h"
#include "core/frontend/embedded.h"
#include "core/support/nearest.h"

namespace lathe::detail {

void explainNames(std::vector<Diagnostic>& diagnostics, const Job& job, const Dialect& dialect,
                  const std::vector<std::string>& known) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.location.file != sdk::nameExpressionFile) continue;
    const std::size_t line = diagnostic.location.line;
    if (line == 0 || line > job.entries.size()) continue;
    const std::string& name = job.entries[line - 1];
    const std::string base = name.substr(0, name.find('<'));
    diagnostic.code = ErrorCode::UnknownKernel;
    diagnostic.location = {job.source.name, 0, 0};
    diagnostic.snippet.clear();
    if (base == name && llvm::is_contained(known, name)) {
      // The name is right but names no one function: a template, or overloads.
      diagnostic.message = job.source.name + ": '" + name + "' is more than one kernel (" + diagnostic.message + ")";
      diagnostic.hint =
          "name an instance of a template, as in '" + name + "<float>'; give overloaded kernels different names";
      continue;
    }
    diagnostic.message =
        job.source.name + " has no kernel '" + name + "'" + didYouMean(base, known) + " (" + diagnostic.message + ")";
    diagnostic.hint = known.empty() ? "the source defines no kernel: mark one with " + std::string(dialect.kernelMarker)
                                    : "kernels: " + fmt::format("{}", fmt::join(known, ", "));
  }
}

void explainConstructs(std::vector<Diagnostic>& diagnostics, const Dialect& dialect) {
  for (Diagnostic& diagnostic : diagnostics) {
    for (const sdk::Explanation& explanation : dialect.explanations) {
      if (diagnostic.message.find(explanation.clang) == std::string::npos) continue;
      if (!explanation.message.empty()) diagnostic.message = explanation.message;
      diagnostic.hint = explanation.hint;
    }
  }
}

void explainHeaders(std::vector<Diagnostic>& diagnostics, const FrontendRequest& request, const Dialect& dialect) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.code != ErrorCode::HeaderNotFound) continue;
    std::string searched = "the source's folder";
    if (!request.job.headers.empty()) searched += ", the job's headers";
    if (request.headers) searched += ", the program's header resolver";
    for (const std::string& folder : request.job.options.includeDirs) searched += ", " + folder;
    searched += ", Lathe's own headers";
    for (std::size_t i = 1; i < dialect.clangArguments.size(); ++i)
      if (dialect.clangArguments[i - 1] == "-idirafter") searched += ", " + std::string(dialect.clangArguments[i]);
    diagnostic.notes.push_back({"searched: " + searched, {}, {}});
    diagnostic.hint = "add its folder with -I, or give it to the job as a header";
  }
}

}  // namespace lathe::detail
