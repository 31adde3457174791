// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visiting all paths of jobs and outcomes.
#include "core/cache/shared_paths.h"

#include "llvm/ADT/STLExtras.h"

#include "core/support/own_headers.h"

namespace lathe::detail {
namespace {

bool namesFolder(const Job& job, llvm::StringRef folder) {
  const auto names = [&](llvm::StringRef text) { return text.contains(folder); };
  return names(job.source.text) || llvm::any_of(job.options.defines, names) ||
         llvm::any_of(job.furtherSources, [&](const Source& source) { return names(source.text); }) ||
         llvm::any_of(job.headers, [&](const Header& header) { return names(header.text); });
}

/// Whether what is below `folder` of the job's paths has whole names there: a name that is cut may have said more, such
/// as a source's dialect.
bool isFolderOfAll(Job job, llvm::StringRef folder) {
  bool out = true;
  forEachPath(job, [&](std::string& path) {
    llvm::StringRef rest = path;
    out = out && (!rest.consume_front(folder) || rest.starts_with("/") || folder.ends_with("/"));
  });
  return out;
}

bool holdsOwnHeaders(llvm::StringRef folder) {
  return llvm::StringRef(ownFolder).starts_with(folder) || folder.starts_with(ownFolder);
}

/// Calls `visit` with all that an outcome tells: its error, diagnostics and notes, which have a message and a location.
template <class Outcome, class Visit>
void forEachFinding(Outcome& outcome, Visit visit) {
  const auto visitWithNotes = [&](auto& finding) {
    visit(finding);
    for (auto& note : finding.notes) visit(note);
  };
  if (outcome) {
    for (auto& warning : outcome->warnings) visitWithNotes(warning);
    return;
  }
  visitWithNotes(outcome.error());
  for (auto& diagnostic : outcome.error().diagnostics) visitWithNotes(diagnostic);
}

/// `outcome` with `change` of each path.
template <class Change>
Result<CompileResult> withPaths(Result<CompileResult> outcome, Change change) {
  forEachFinding(outcome, [&](auto& finding) { finding.location.file = change(finding.location.file); });
  return outcome;
}

}  // namespace

void bindToPlace(FileLooks& learned, const Result<CompileResult>& outcome, const PathMap& map) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    bool isNamed = false;
    forEachFinding(outcome, [&](const auto& finding) {
      isNamed = isNamed || llvm::StringRef(finding.message).contains(map.folder(i));
      if constexpr (requires { finding.hint; })
        isNamed = isNamed || llvm::StringRef(finding.hint).contains(map.folder(i));
    });
    if (isNamed) bindTo(learned, map, i);
  }
}

Job sharedJob(Job job) {
  const PathMap map(job.options.prefixMap);
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (!namesFolder(job, map.folder(i)) && !holdsOwnHeaders(map.folder(i)) && isFolderOfAll(job, map.folder(i)))
      job.options.prefixMap[i] = "=" + map.name(i);
  }
  forEachPath(job, [&](std::string& path) { path = map.shared(path); });
  return job;
}

Result<CompileResult> sharedOutcome(Result<CompileResult> outcome, const PathMap& map) {
  if (map.empty()) return outcome;
  return withPaths(std::move(outcome), [&](const std::string& path) { return map.shared(path); });
}

Result<CompileResult> localOutcome(Result<CompileResult> outcome, const PathMap& map) {
  if (map.empty()) return outcome;
  return withPaths(std::move(outcome),
                   [&](const std::string& path) { return map.local(path).value_or(map.shown(path)); });
}

}  // namespace lathe::detail
