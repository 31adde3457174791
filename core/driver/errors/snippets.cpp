// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source lines and other targets, looked up once a compile has failed.
#include "core/driver/errors/snippets.h"

#include <map>
#include <optional>

#include "llvm/Support/Path.h"

#include "core/abi/device_abi.h"
#include "core/frontend/dialect.h"
#include "core/frontend/embedded.h"
#include "core/frontend/files/file_system.h"
#include "core/lower/abi/provision.h"
#include "core/support/file.h"
#include "core/target/registry.h"

namespace lathe::detail {
namespace {

/// A line longer than this is generated, and its place in the file tells more than its text.
constexpr std::size_t longestLine = 400;

class SourceLines {
 public:
  SourceLines(const Job& job, const CompileRecord* inputs) : job_(job), inputs_(inputs) {}

  std::string snippet(const SourceLocation& at) {
    const std::string* const text = at.line == 0 ? nullptr : textOf(at.file);
    if (!text) return {};
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < at.line; ++line) {
      begin = text->find('\n', begin);
      if (begin == std::string::npos) return {};
      ++begin;
    }
    std::string line = text->substr(begin, text->find('\n', begin) - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.size() > longestLine) return {};
    if (at.column == 0 || at.column > line.size()) return line + "\n";
    std::string marks;
    for (std::size_t i = 0; i + 1 < at.column; ++i) marks += line[i] == '\t' ? '\t' : ' ';
    return line + "\n" + marks + "^\n";
  }

 private:
  const std::string* textOf(const std::string& file) {
    const auto [at, fresh] = texts_.try_emplace(file);
    if (fresh) at->second = find(file);
    return at->second ? &*at->second : nullptr;
  }

  std::optional<std::string> find(const std::string& file) const {
    if (file == job_.source.name) return job_.source.text;
    for (const Source& further : job_.furtherSources) {
      if (file == further.name) return further.text;
    }
    for (const Header& header : job_.headers) {
      if (file == std::string(jobHeaderFolder) + "/" + header.name) return header.text;
    }
    for (const EmbeddedFile& embedded : embeddedHeaders()) {
      if (file == std::string(embeddedFolder) + "/" + std::string(embedded.path)) return std::string(embedded.text);
    }
    if (!inputs_) {
      auto read = readFile(file);
      return read ? std::optional(*std::move(read)) : std::nullopt;
    }
    llvm::SmallString<256> path(file);
    llvm::sys::path::make_absolute(inputs_->workingDirectory, path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    for (const InputFile& recorded : inputs_->files) {
      if (recorded.path == path) return recorded.sameAs.empty() ? recorded.bytes : find(recorded.sameAs);
    }
    return std::nullopt;
  }

  const Job& job_;
  const CompileRecord* inputs_;
  std::map<std::string, std::optional<std::string>> texts_;
};

bool hasEntry(const TargetEntry& target, const Descriptor& descriptor, const AbiEntry& entry) {
  return providesEntry(descriptor, target.deviceBitcode, entry);
}

}  // namespace

void addSnippets(Error& error, const Job& job, const CompileRecord* inputs) {
  SourceLines lines(job, inputs);
  const auto complete = [&](const SourceLocation& at, std::string& snippet) {
    if (snippet.empty() && !at.file.empty()) snippet = lines.snippet(at);
  };
  for (Diagnostic& diagnostic : error.diagnostics) {
    complete(diagnostic.location, diagnostic.snippet);
    for (Note& note : diagnostic.notes) complete(note.location, note.snippet);
  }
  for (Note& note : error.notes) complete(note.location, note.snippet);
  // An error of one finding is that finding: then the report is the same whoever made it.
  if (!error.diagnostics.empty() || error.location.file.empty() || error.code == ErrorCode::DescriptorInvalid) return;
  std::string snippet = lines.snippet(error.location);
  if (snippet.empty()) return;
  error.diagnostics.push_back({.code = error.code,
                               .message = error.message,
                               .location = error.location,
                               .snippet = std::move(snippet),
                               .notes = error.notes,
                               .hint = error.hint});
}

std::vector<std::string> TargetsWith::operator()(const AbiEntry& entry) {
  const auto [at, isNew] = known_.try_emplace(entry.name);
  std::vector<std::string>& out = at->second;
  if (!isNew) return out;
  for (const std::string& name : targets_.names()) {
    const auto target = targets_.find(name);
    if (!target) continue;
    const std::vector<std::string> architectures = (*target)->file.architectureNames();
    auto descriptor = (*target)->file.resolved("");
    if (descriptor && hasEntry(**target, **descriptor, entry)) {
      out.push_back(name);
    } else if (!architectures.empty()) {
      const auto newest = (*target)->file.resolved(architectures.back());
      if (newest && hasEntry(**target, **newest, entry)) out.push_back(name + ":" + architectures.back());
    }
  }
  return out;
}

}  // namespace lathe::detail
