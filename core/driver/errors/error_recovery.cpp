// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joining the two reports.
#include "core/driver/errors/error_recovery.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "core/support/diagnostics.h"

namespace lathe::detail {
namespace {

bool hasChain(const Diagnostic& diagnostic) {
  return !diagnostic.notes.empty() && llvm::StringRef(diagnostic.notes.back().message).starts_with("in kernel ");
}

/// A template's error comes again with each instance, which knows more.
void dropRepeated(std::vector<Diagnostic>& diagnostics) {
  for (std::size_t i = 0; i < diagnostics.size(); ++i) {
    const auto better = std::ranges::any_of(diagnostics, [&](const Diagnostic& other) {
      return &other != &diagnostics[i] && !other.location.file.empty() && other.location == diagnostics[i].location &&
             other.message == diagnostics[i].message && other.notes.size() >= diagnostics[i].notes.size();
    });
    if (better) diagnostics.erase(diagnostics.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

}  // namespace

Error joined(Error first, Error* rest, const std::vector<ErroneousFunction>& erroneousFunctions) {
  std::vector<Diagnostic> more;
  const bool ofStage = rest && (rest->stage == "import" || rest->stage == "validate");
  if (ofStage) more = std::move(rest->diagnostics);
  for (Diagnostic& diagnostic : first.diagnostics) {
    const auto same = llvm::find_if(more, [&](const Diagnostic& d) { return d.location == diagnostic.location; });
    if (diagnostic.severity != Severity::error || same == more.end()) continue;
    llvm::append_range(diagnostic.notes, same->notes);
    more.erase(same);
  }
  std::ranges::move(more, std::back_inserter(first.diagnostics));
  for (Diagnostic& diagnostic : first.diagnostics) {
    for (const ErroneousFunction& function : erroneousFunctions) {
      if (!llvm::is_contained(function.errors, diagnostic.location) || hasChain(diagnostic)) continue;
      llvm::append_range(diagnostic.notes, function.chain);
    }
  }
  dropRepeated(first.diagnostics);
  std::string stage = std::move(first.stage);
  std::string target = std::move(first.target);
  return combined(std::move(first.diagnostics), std::move(stage), std::move(target));
}

void keepCalls(llvm::Module& module, const std::vector<ErroneousFunction>& erroneousFunctions) {
  for (const ErroneousFunction& one : erroneousFunctions) {
    llvm::Function* const function = module.getFunction(one.symbol);
    if (!function) continue;
    function->removeFnAttr(llvm::Attribute::AlwaysInline);
    function->addFnAttr(llvm::Attribute::NoInline);
  }
}

bool isErroneous(const std::vector<ErroneousFunction>& erroneousFunctions, llvm::StringRef symbol) {
  return llvm::any_of(erroneousFunctions, [&](const ErroneousFunction& one) { return one.symbol == symbol; });
}

}  // namespace lathe::detail
