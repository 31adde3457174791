// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choosing precompiled preludes.
#include "core/frontend/prelude/prelude.h"

#include <algorithm>

#include "llvm/ADT/StringRef.h"

#include "core/frontend/dialect.h"
#include "core/frontend/embedded.h"

namespace lathe::detail {
namespace {

/// Clang takes a prelude and a definition that would have changed it without complaint.
bool touchesPrelude(const std::string& definition) {
  const std::string_view name = std::string_view(definition).substr(0, definition.find('='));
  // Lathe's own names, the reserved ones, and the constants that math.h defines unless they are there.
  return name.starts_with("LATHE_") || name.starts_with("_") || name.starts_with("M_") || name == "INFINITY" ||
         name == "NAN" || name.starts_with("HUGE_VAL") || name == "NDEBUG" || name == "assert";
}

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

}  // namespace lathe::detail
