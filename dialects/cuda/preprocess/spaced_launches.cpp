// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch brackets with spaces in them, found in the text: `<< <` is nothing else in C++ but behind `operator`, and
// `>> >` ends a launch only where one began and its arguments follow.
#include "dialects/cuda/preprocess/spaced_launches.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include "dialects/cuda/preprocess/late_marks.h"
#include "dialects/cuda/preprocess/operand_commas.h"

namespace lathe::dialects {
namespace {

constexpr llvm::StringRef blanks = " \t";
constexpr llvm::StringRef spaces = " \t\r\n";
constexpr std::size_t none = llvm::StringRef::npos;

/// The place behind `<<<` or `<< <` at `at`; `none`: neither is there.
std::size_t behindOpening(llvm::StringRef text, std::size_t at) {
  if (!text.substr(at).starts_with("<<")) return none;
  const std::size_t third = text.find_first_not_of(blanks, at + 2);
  return third != none && text[third] == '<' ? third + 1 : none;
}

/// The place behind a literal or a comment that begins at `at`; `at`: none does.
std::size_t behindLiteral(llvm::StringRef text, std::size_t at) {
  const char first = text[at];
  if (first == '/' && text.substr(at).starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (first == '/' && text.substr(at).starts_with("/*")) {
    const std::size_t end = text.find("*/", at + 2);
    return end == none ? text.size() : end + 2;
  }
  if (first != '"' && first != '\'') return at;
  if (first == '\'' && at > 0 && llvm::isAlnum(text[at - 1])) return at;  // 10'000
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != first && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// Where the launch whose arguments begin at `at` has its closing brackets: the first of them, and the place behind the
/// third. `none`: it is no launch.
std::pair<std::size_t, std::size_t> closing(llvm::StringRef text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    if (const std::size_t next = behindLiteral(text, at); next != at) {
      at = next;
      continue;
    }
    const char c = text[at];
    if (c == ';' || depth < 0) break;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && text.substr(at).starts_with(">>")) {
      const std::size_t third = text.find_first_not_of(spaces, at + 2);
      const std::size_t call = third == none || text[third] != '>' ? none : text.find_first_not_of(spaces, third + 1);
      if (call != none && text[call] == '(') return {at, third + 1};
    }
    ++at;
  }
  return {none, none};
}

/// Moves the blanks between the brackets in front of them.
void join(std::string& text, std::size_t begin, std::size_t end) {
  std::rotate(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(begin) + 2,
              text.begin() + static_cast<std::ptrdiff_t>(end) - 1);
}

/// Replaces what Clang has read of a file before it looks into it.
class SpacedLaunches final : public clang::PPCallbacks {
 public:
  explicit SpacedLaunches(clang::SourceManager& sources) : sources_(sources) {}

  void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef, const clang::Module*,
                          bool, clang::SrcMgr::CharacteristicKind) override {
    if (file && seen_.insert(&file->getFileEntry()).second) read(*file);
  }

  void read(clang::FileEntryRef file) {
    const std::optional<llvm::MemoryBufferRef> buffer = sources_.getMemoryBufferForFileOrNone(file);
    if (!buffer) return;
    std::string mended = joinLaunchBrackets(buffer->getBuffer());
    if (std::string separated = separateOperands(mended.empty() ? buffer->getBuffer() : mended); !separated.empty())
      mended = std::move(separated);
    if (std::string moved = marksBeforeNames(mended.empty() ? buffer->getBuffer() : mended); !moved.empty())
      mended = std::move(moved);
    if (!mended.empty())
      sources_.overrideFileContents(file, llvm::MemoryBuffer::getMemBufferCopy(mended, buffer->getBufferIdentifier()));
  }

 private:
  clang::SourceManager& sources_;
  llvm::SmallPtrSet<const clang::FileEntry*, 32> seen_;
};

}  // namespace

std::string joinLaunchBrackets(llvm::StringRef text) {
  std::string out;
  // What few files have is looked for first: this is done with every file of every compile.
  const auto has = [&](llvm::StringRef a, llvm::StringRef b) { return text.contains(a) || text.contains(b); };
  if (!has("<< <", "<<\t<") && !(has(">> >", ">>\t>") && text.contains("<<<"))) return out;
  for (std::size_t at = text.find("<<"); at != none; at = text.find("<<", at)) {
    const std::size_t arguments = behindOpening(text, at);
    if (arguments == none || text.take_front(at).rtrim(spaces).ends_with("operator")) {
      at += 2;
      continue;
    }
    const auto [close, end] = closing(text, arguments);
    if (close != none && (arguments != at + 3 || end != close + 3)) {
      if (out.empty()) out = text.str();
      join(out, at, arguments);
      join(out, close, end);
    }
    at = arguments;
  }
  return out;
}

void readSpacedLaunches(clang::Preprocessor& preprocessor) {
  clang::SourceManager& sources = preprocessor.getSourceManager();
  auto launches = std::make_unique<SpacedLaunches>(sources);
  if (const auto file = sources.getFileEntryRefForID(sources.getMainFileID())) launches->read(*file);
  preprocessor.addPPCallbacks(std::move(launches));
}

}  // namespace lathe::dialects
