// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choosing precompiled preludes.
#include "core/frontend/prelude/prelude.h"

#include <algorithm>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include "core/frontend/dialect.h"
#include "core/frontend/embedded.h"

namespace lathe::detail {
namespace {

/// Paths at which headers of the program are looked for.
constexpr std::size_t mostHeaders = 256;

/// The next name that `text` includes in angle brackets; `text` becomes what follows. Empty: there is none. Names in
/// quotes before it go to `quoted`, if that is not null.
llvm::StringRef takeInclude(llvm::StringRef& text, std::vector<llvm::StringRef>* quoted = nullptr) {
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.ltrim();
    if (!line.consume_front("#")) continue;
    line = line.ltrim();
    if (!line.consume_front("include")) continue;
    line = line.ltrim();
    if (line.consume_front("<")) return line.take_until([](char c) { return c == '>'; });
    if (quoted && line.consume_front("\"")) quoted->push_back(line.take_until([](char c) { return c == '"'; }));
  }
  return {};
}

/// The headers that a prelude is made of, of those built in.
std::vector<const EmbeddedFile*> filesOf(const Dialect& dialect) {
  std::vector<const EmbeddedFile*> out;
  const auto add = [&](llvm::StringRef path) {
    const auto all = embeddedHeaders();
    const auto found = std::ranges::find(all, std::string_view(path), &EmbeddedFile::path);
    if (found != all.end() && std::ranges::find(out, &*found) == out.end()) out.push_back(&*found);
  };
  add(dialect.prelude);
  for (std::size_t i = 0; i < out.size(); ++i) {
    llvm::StringRef text = out[i]->text;
    for (llvm::StringRef name = takeInclude(text); !name.empty(); name = takeInclude(text)) add(name);
  }
  return out;
}

bool hasWord(llvm::StringRef text, llvm::StringRef word) {
  const auto isLetter = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (std::size_t at = text.find(word); at != llvm::StringRef::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !isLetter(text[at - 1])) && (end == text.size() || !isLetter(text[end]))) return true;
  }
  return false;
}

/// True if the first thing in `text`, behind comments, is the inclusion of `prelude`.
bool leads(llvm::StringRef text, llvm::StringRef prelude) {
  text.consume_front("\xef\xbb\xbf");
  for (text = text.ltrim(); text.starts_with("//") || text.starts_with("/*"); text = text.ltrim()) {
    const bool line = text.starts_with("//");
    // A comment may go on in the next line, behind a backslash: then it is not looked at.
    const std::size_t end = line ? text.find('\n') : text.find("*/", 2);
    if (end == llvm::StringRef::npos || (line && text.take_front(end).rtrim().ends_with("\\"))) return false;
    text = text.drop_front(end + (line ? 1 : 2));
  }
  llvm::StringRef line = text.split('\n').first;
  return takeInclude(line) == prelude;
}

/// A header of the dialect's library that the source includes, by its own text, a header of the job's, or one of the
/// program's in the folder of what includes it or in a folder for headers. Conditions are not looked at: a prelude too
/// many is no error.
std::string_view includedLibraryHeader(const Job& job, const Dialect& dialect, llvm::vfs::FileSystem& files) {
  struct Text {
    std::string folder, text;
  };
  std::vector<Text> texts = {{llvm::sys::path::parent_path(job.source.name).str(), job.source.text}};
  for (const Header& header : job.headers) texts.push_back({"", header.text});
  std::vector<std::string> looked;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Text now = std::move(texts[i]);
    std::vector<llvm::StringRef> own;
    llvm::StringRef text = now.text;
    for (llvm::StringRef name = takeInclude(text, &own); !name.empty(); name = takeInclude(text, &own)) {
      const auto found = std::ranges::find(dialect.libraryHeaders, std::string_view(name));
      if (found != dialect.libraryHeaders.end()) return *found;
    }
    std::vector<std::string> folders = {now.folder};
    folders.insert(folders.end(), job.options.includeDirs.begin(), job.options.includeDirs.end());
    for (const llvm::StringRef name : own) {
      for (const std::string& folder : folders) {
        llvm::SmallString<128> path(folder);
        llvm::sys::path::append(path, name);
        if (llvm::is_contained(looked, path.str()) || looked.size() == mostHeaders) break;
        looked.push_back(path.str().str());
        const auto header = files.getBufferForFile(path);
        if (!header) continue;
        texts.push_back({llvm::sys::path::parent_path(path).str(), (*header)->getBuffer().str()});
        break;
      }
    }
  }
  return {};
}

constexpr std::string_view noAssertions = "NDEBUG";

}  // namespace

std::string_view definedName(std::string_view definition) {
  return definition.substr(0, definition.find_first_of("=("));
}

bool mayTouchPrelude(std::string_view name) {
  // The constants that math.h defines unless they are there are among them.
  return name.starts_with("LATHE_") || name.starts_with("_") || name.starts_with("M_") || name == "INFINITY" ||
         name == "NAN" || name.starts_with("HUGE_VAL") || name == noAssertions || name == "assert";
}

bool touchesPrelude(std::string_view name, const Dialect& dialect) {
  if (!mayTouchPrelude(name) || name == noAssertions) return false;
  const auto all = embeddedPreludes();
  const auto own = std::ranges::find(all, preludeName(dialect, PreludeScope::own), &EmbeddedPrelude::name);
  return own == all.end() || own->words.empty() ||
         own->words.find("\n" + std::string(name) + "\n") != std::string_view::npos;
}

bool assertsAgain(const Options& options) {
  return std::ranges::find(options.defines, noAssertions, &definedName) != options.defines.end() ||
         std::ranges::find(options.undefines, noAssertions) != options.undefines.end();
}

std::string preludeName(const Dialect& dialect, PreludeScope scope) {
  return std::string(dialect.name) + (scope == PreludeScope::library ? "_library" : "");
}

std::string preludeStandard(const Dialect& dialect) {
  return dialect.standard.empty() ? "c++20" : std::string(dialect.standard);
}

PreludeChoice choosePrelude(const Job& job, const Dialect& dialect, std::string_view triple, std::string_view processor,
                            llvm::vfs::FileSystem& files) {
  const Options& options = job.options;
  if (dialect.prelude.empty()) return {{}, "dialect '" + std::string(dialect.name) + "' has none"};
  if (const std::string standard = preludeStandard(dialect); standardOf(options, dialect) != standard)
    return {{}, "it is made for " + standard + ", the job wants " + options.languageStandard};
  if (dialect.preludeOnRequest && job.source.text.find(dialect.prelude) == std::string::npos)
    return {{}, "the source does not include <" + std::string(dialect.prelude) + ">"};
  for (const auto* list : {&options.defines, &options.undefines}) {
    for (const std::string& definition : *list) {
      const std::string_view name = definedName(definition);
      if (touchesPrelude(name, dialect)) return {{}, "it reads the macro '" + std::string(name) + "'"};
    }
  }
  if (dialect.preludeLeads) {
    if (!leads(job.source.text, dialect.prelude))
      return {{}, "something stands before <" + std::string(dialect.prelude) + "> in the source"};
    const auto files = filesOf(dialect);
    for (const auto* list : {&options.defines, &options.undefines}) {
      for (llvm::StringRef name : *list) {
        name = name.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
        if (llvm::any_of(files, [&](const EmbeddedFile* file) { return hasWord(file->text, name); }))
          return {{}, "it has the name '" + name.str() + "', which the job defines"};
      }
    }
    for (const Header& header : job.headers) {
      if (llvm::any_of(files, [&](const EmbeddedFile* file) { return file->path == header.name; }))
        return {{}, "the job has a header <" + header.name + "> of its own"};
    }
  }
  // The prelude of a dialect for one machine is made for the triple and the processor among its arguments.
  for (const auto& [flag, wanted] : {std::pair("-triple", triple), std::pair("-target-cpu", processor)}) {
    const auto made = std::ranges::find(dialect.clangArguments, std::string_view(flag));
    if (!dialect.portable && (made == dialect.clangArguments.end() || *std::next(made) != wanted))
      return {{}, "it is not made for " + std::string(wanted)};
  }
  const auto all = embeddedPreludes();  // and those that can be made
  const auto isThere = [&](PreludeScope scope) {
    return std::ranges::find(all, preludeName(dialect, scope), &EmbeddedPrelude::name) != all.end();
  };
  if (!isThere(PreludeScope::own)) return {{}, "none is built in for dialect '" + std::string(dialect.name) + "'"};
  PreludeChoice out{{PreludeScope::own}, "of dialect '" + std::string(dialect.name) + "'"};
  if (const std::string_view header = includedLibraryHeader(job, dialect, files);
      !header.empty() && isThere(PreludeScope::library)) {
    out.scopes.insert(out.scopes.begin(), PreludeScope::library);
    out.reason += " with its library, for <" + std::string(header) + ">";
  }
  return out;
}

}  // namespace lathe::detail
