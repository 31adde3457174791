// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visiting all paths of jobs and outcomes.
#include "core/cache/shared_paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

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

Result<CompileResult> withPaths(Result<CompileResult> outcome, llvm::function_ref<void(std::string&)> change) {
  const auto changeNotes = [&](std::vector<Note>& notes) {
    for (Note& note : notes) change(note.location.file);
  };
  const auto changeAll = [&](std::vector<Diagnostic>& diagnostics) {
    for (Diagnostic& diagnostic : diagnostics) {
      change(diagnostic.location.file);
      changeNotes(diagnostic.notes);
    }
  };
  if (outcome) {
    changeAll(outcome->warnings);
    return outcome;
  }
  Error error = std::move(outcome).error();
  change(error.location.file);
  changeNotes(error.notes);
  changeAll(error.diagnostics);
  return error;
}

}  // namespace

void bindToPlace(FileLooks& learned, const Result<CompileResult>& outcome, const PathMap& map) {
  std::vector<llvm::StringRef> texts;
  const auto takeNotes = [&](const std::vector<Note>& notes) {
    for (const Note& note : notes) texts.emplace_back(note.message);
  };
  const auto takeAll = [&](const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) {
      texts.insert(texts.end(), {diagnostic.message, diagnostic.hint});
      takeNotes(diagnostic.notes);
    }
  };
  if (outcome) {
    takeAll(outcome->warnings);
  } else {
    const Error& error = outcome.error();
    texts.insert(texts.end(), {error.message, error.hint});
    takeNotes(error.notes);
    takeAll(error.diagnostics);
  }
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (llvm::any_of(texts, [&](llvm::StringRef text) { return text.contains(map.folder(i)); }))
      bindTo(learned, map, i);
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
  return withPaths(std::move(outcome), [&](std::string& path) { path = map.shared(path); });
}

Result<CompileResult> localOutcome(Result<CompileResult> outcome, const PathMap& map) {
  if (map.empty()) return outcome;
  return withPaths(std::move(outcome), [&](std::string& path) { path = map.local(path).value_or(map.shown(path)); });
}

}  // namespace lathe::detail
