// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's diagnostics as Lathe's values.
#include "core/frontend/clang/diagnostics.h"

#include <algorithm>

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include "core/frontend/clang/erroneous_functions.h"

namespace lathe::detail {
namespace {

constexpr std::size_t longestSnippetLine = 400;

/// The source line with carets and tildes below it.
std::string snippetOf(const clang::Diagnostic& info, const clang::LangOptions& language) {
  const clang::SourceManager& sources = info.getSourceManager();
  const clang::SourceLocation at = sources.getExpansionLoc(info.getLocation());
  const auto [file, offset] = sources.getDecomposedLoc(at);
  bool invalid = false;
  const llvm::StringRef buffer = sources.getBufferData(file, &invalid);
  if (invalid || offset > buffer.size()) return {};
  const std::size_t begin = buffer.rfind('\n', offset) + 1;  // npos + 1 == 0: the first line
  const std::size_t end = std::min(buffer.find('\n', offset), buffer.size());
  const std::string line = buffer.slice(begin, end).rtrim('\r').str();
  if (line.size() > longestSnippetLine) return {};
  std::string marks(std::max<std::size_t>(line.size(), offset - begin + 1), ' ');
  for (const clang::CharSourceRange& range : info.getRanges()) {
    if (!range.isValid()) continue;
    const auto [firstFile, first] = sources.getDecomposedLoc(sources.getExpansionLoc(range.getBegin()));
    auto [lastFile, last] = sources.getDecomposedLoc(sources.getExpansionLoc(range.getEnd()));
    if (firstFile != file || lastFile != file || first < begin || first > end) continue;
    if (range.isTokenRange())
      last += clang::Lexer::MeasureTokenLength(sources.getExpansionLoc(range.getEnd()), sources, language);
    for (std::size_t i = first; i < std::min<std::size_t>(last, end); ++i) marks[i - begin] = '~';
  }
  marks[offset - begin] = '^';
  for (std::size_t i = 0; i < line.size() && i < marks.size(); ++i) {
    if (line[i] == '\t') marks[i] = '\t';
  }
  marks.resize(marks.find_last_not_of(" \t") + 1);
  return line + "\n" + marks + "\n";
}

Severity severityOf(clang::DiagnosticsEngine::Level level) {
  switch (level) {
    case clang::DiagnosticsEngine::Error:
    case clang::DiagnosticsEngine::Fatal:
      return Severity::error;
    case clang::DiagnosticsEngine::Warning:
      return Severity::warning;
    default:
      return Severity::remark;
  }
}

}  // namespace

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  const bool isNote = level == clang::DiagnosticsEngine::Note;
  if (isNote && last_ == Last::dropped) return;
  if (isNote && hooks_) hooks_->seeNote(info);
  if (!isNote) last_ = hooks_ && hooks_->takes(info) ? Last::taken : Last::kept;
  if (!isNote && last_ == Last::taken && severityOf(level) != Severity::error) {
    last_ = Last::dropped;
    return;
  }
  if (erroneous_ && !isNote && last_ == Last::kept && severityOf(level) == Severity::error &&
      erroneous_->take(info, sdk::locationOf(info.getSourceManager(), info.getLocation()))) {
    last_ = Last::dropped;
    return;
  }
  if (last_ == Last::kept) DiagnosticConsumer::HandleDiagnostic(level, info);  // counts
  llvm::SmallString<160> message;
  info.FormatDiagnostic(message);
  SourceLocation location;
  std::string snippet;
  if (info.hasSourceManager() && info.getLocation().isValid()) {
    location = sdk::locationOf(info.getSourceManager(), info.getLocation());
    snippet = snippetOf(info, clang::LangOptions());
  }
  if (isNote) {
    if (last_ == Last::taken)
      hooks_->keepNote({message.str().str(), location, snippet});
    else if (!diagnostics_.empty())
      diagnostics_.back().notes.push_back({message.str().str(), location, snippet});
    return;
  }
  const bool missingHeader = info.getID() == clang::diag::err_pp_file_not_found;
  Diagnostic diagnostic{.severity = severityOf(level),
                        .code = missingHeader ? ErrorCode::HeaderNotFound : ErrorCode::SourceError,
                        .message = message.str().str(),
                        .location = std::move(location),
                        .snippet = std::move(snippet),
                        .notes = {},
                        .hint = {}};
  if (last_ == Last::taken)
    hooks_->keep(std::move(diagnostic));
  else
    diagnostics_.push_back(std::move(diagnostic));
}

}  // namespace lathe::detail

lathe::SourceLocation lathe::sdk::locationOf(const clang::SourceManager& sources, clang::SourceLocation at) {
  const clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getExpansionLoc(at));
  if (presumed.isInvalid()) return {};
  return {presumed.getFilename(), presumed.getLine(), presumed.getColumn()};
}
