// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks behind names, found in the text: words between a name and its list of parameters or its bounds, `(` or `[`. A
// name is told from a type by what stands before it, which is a type.
#include "dialects/cuda/preprocess/late_marks.h"

#include <algorithm>
#include <cstddef>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace lathe::dialects {
namespace {

constexpr llvm::StringRef blanks = " \t";
constexpr llvm::StringRef spaces = " \t\r\n";
constexpr std::size_t none = llvm::StringRef::npos;
constexpr llvm::StringRef operatorWord = "operator";
/// Of which operators' names consist, and blanks, as in `operator () `.
constexpr llvm::StringRef operatorSymbols = "()[]<>=!+-*/%^&|~, \t";
constexpr llvm::StringRef operators[] = {
    "()", "[]", "->", "->*", "++", "--", "+",  "-",  "*",  "/",   "%",   "^",  "&",
    "|",  "~",  "!",  "=",   "<",  ">",  "+=", "-=", "*=", "/=",  "%=",  "^=", "&=",
    "|=", "<<", ">>", "==",  "!=", "<=", ">=", "&&", "||", "<<=", ">>=", ",",  "<=>"};

/// The words by which CUDA says where a function or variable belongs, which are attributes. `__forceinline__` is more.
constexpr llvm::StringRef marks[] = {"__device__",   "__host__",    "__global__",  "__shared__",
                                     "__constant__", "__managed__", "__noinline__"};

/// Words of a declaration's beginning that are no type by themselves, or after which comes no declared name.
constexpr llvm::StringRef noTypes[] = {"auto",      "case",   "class",  "const",    "consteval", "constexpr",
                                       "constinit", "delete", "else",   "explicit", "extern",    "friend",
                                       "goto",      "inline", "new",    "return",   "static",    "template",
                                       "typename",  "using",  "virtual"};

/// Types of one word: what follows them with a mark between is no list of parameters, `int __device__ (x)`.
constexpr llvm::StringRef types[] = {"bool", "char", "char16_t", "char32_t", "char8_t",  "double", "float",
                                     "int",  "long", "short",    "signed",   "unsigned", "void",   "wchar_t"};

bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_';
}

/// The last word of `text`; empty: it does not end with one.
llvm::StringRef lastWord(llvm::StringRef text) {
  std::size_t begin = text.size();
  while (begin > 0 && isWordPart(text[begin - 1])) --begin;
  return begin < text.size() && llvm::isDigit(text[begin]) ? llvm::StringRef() : text.substr(begin);
}

bool isMacro(llvm::StringRef word) {
  return llvm::all_of(word, [](char c) { return llvm::isUpper(c) || llvm::isDigit(c) || c == '_'; });
}

bool isOperator(llvm::StringRef symbols) {
  std::string packed = symbols.str();
  llvm::erase_if(packed, [](char c) { return blanks.contains(c); });
  return llvm::is_contained(operators, llvm::StringRef(packed));
}

/// Where an operator's name begins, with which `text` ends; `none`: it does not.
std::size_t operatorName(llvm::StringRef text) {
  const std::size_t last = text.find_last_not_of(operatorSymbols);
  if (last == none) return none;
  const llvm::StringRef before = text.take_front(last + 1);
  return lastWord(before) == operatorWord && isOperator(text.drop_front(last + 1)) ? before.size() - operatorWord.size()
                                                                                   : none;
}

/// Where the declared name begins with which `text` ends, behind a type; `none`: it ends with no such name.
std::size_t declaredName(llvm::StringRef text) {
  const llvm::StringRef name = lastWord(text);
  if (name.empty() || llvm::is_contained(noTypes, name) || llvm::is_contained(types, name) ||
      llvm::is_contained(marks, name))
    return none;
  const std::size_t begin = text.size() - name.size();
  const llvm::StringRef before = text.take_front(begin).rtrim(spaces);
  const llvm::StringRef type = lastWord(before);
  const bool isType = type.empty() ? !before.empty() && llvm::StringRef(">*&").contains(before.back())
                                   : !llvm::is_contained(noTypes, type) && !llvm::is_contained(marks, type);
  return isType ? begin : none;
}

/// A name and the marks behind it, by their places in the text.
struct LateMarks {
  std::size_t name = none;
  std::size_t nameEnd = none;
  std::size_t marks = none;
  std::size_t marksEnd = none;
};

/// The marks that end at `end` and the name before them; `name` is `none` where that is no declared name.
LateMarks lateMarks(llvm::StringRef text, std::size_t end) {
  LateMarks out = {.marks = end, .marksEnd = end};
  bool areCudas = true;
  while (true) {
    const llvm::StringRef before = text.take_front(out.marks).rtrim(spaces);
    const llvm::StringRef word = lastWord(before);
    const bool isCudas = llvm::is_contained(marks, word);
    out.nameEnd = before.size();
    if (word.empty() || (!isCudas && !isMacro(word))) break;
    areCudas = areCudas && isCudas;
    out.marks = before.size() - word.size();
  }
  if (out.marks == end) return out;
  const llvm::StringRef before = text.take_front(out.nameEnd);
  out.name = operatorName(before);
  if (out.name == none && areCudas) out.name = declaredName(before);
  return out;
}

/// True if a list of parameters or bounds begins behind the word that ends at `at`, in a line that is no directive.
bool beginsList(llvm::StringRef text, std::size_t at) {
  const std::size_t next = text.find_first_not_of(blanks, at);
  if (next == none || (text[next] != '(' && text[next] != '[') || text.substr(next).starts_with("[[")) return false;
  const llvm::StringRef line = text.take_front(at).rsplit('\n').second;
  return !line.ltrim(blanks).starts_with("#");
}

}  // namespace

std::string marksBeforeNames(llvm::StringRef text) {
  std::string out;
  // What few files have is looked for first: this is done with every file of every compile. The last of the marks is
  // one of CUDA's, or a macro behind an operator's name.
  const auto mend = [&](std::size_t end) {
    if (!beginsList(text, end)) return;
    const LateMarks late = lateMarks(text, end);
    if (late.name == none) return;
    if (out.empty()) out = text.str();
    // The blanks behind the name come with it, and part the marks from it.
    const auto at = [&](std::size_t place) { return out.begin() + static_cast<std::ptrdiff_t>(place); };
    std::rotate(at(late.name), at(late.nameEnd), at(late.marksEnd));
    std::rotate(at(late.name), at(late.name + late.marks - late.nameEnd), at(late.name + late.marksEnd - late.nameEnd));
  };
  for (std::size_t at = text.find("__"); at != none; at = text.find("__", at)) {
    at += 2;
    const bool endsWord = at < text.size() && !isWordPart(text[at]);
    if (endsWord && llvm::is_contained(marks, lastWord(text.take_front(at)))) mend(at);
  }
  for (std::size_t at = text.find(operatorWord); at != none; at = text.find(operatorWord, at)) {
    at += operatorWord.size();
    const std::size_t word = text.find_first_not_of(operatorSymbols, at);
    if (word == none || !llvm::isUpper(text[word]) || !isOperator(text.slice(at, word))) continue;
    const std::size_t list = text.find_if_not([](char c) { return isWordPart(c) || llvm::isSpace(c); }, word);
    if (list == none) break;
    const llvm::StringRef words = text.substr(word, list - word).rtrim(spaces);
    if (isMacro(lastWord(words))) mend(word + words.size());
  }
  return out;
}

}  // namespace lathe::dialects
