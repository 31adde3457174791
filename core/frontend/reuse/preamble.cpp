// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a name is defined is compared for all names, so that only expansions have to be watched, and not `#ifdef`.
#include "core/frontend/reuse/preamble.h"

#include <algorithm>
#include <tuple>

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "core/frontend/reuse/condition.h"

namespace lathe::detail {
namespace {

/// The macros' values as a condition sees them: of others nothing is known.
std::optional<std::int64_t> valueOf(llvm::StringRef condition, const std::vector<PreambleMacro>& macros) {
  const auto find = [&](llvm::StringRef name) {
    return llvm::find_if(macros, [&](const PreambleMacro& macro) { return macro.name == name; });
  };
  const auto value = [&](llvm::StringRef name) -> std::optional<std::int64_t> {
    const auto found = find(name);
    std::int64_t out = 0;
    if (found == macros.end() || !found->isDefined || llvm::StringRef(found->value).trim().getAsInteger(0, out))
      return std::nullopt;
    return out;
  };
  const auto isDefined = [&](llvm::StringRef name) -> std::optional<bool> {
    const auto found = find(name);
    return found == macros.end() ? std::nullopt : std::optional<bool>(found->isDefined);
  };
  return evaluateCondition(condition, {value, isDefined});
}

class MacroWatch final : public clang::PPCallbacks {
 public:
  MacroWatch(const clang::Preprocessor& preprocessor, std::vector<PreambleMacro>& macros)
      : preprocessor_(preprocessor), macros_(macros) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange,
                    const clang::MacroArgs*) override {
    const llvm::StringRef text = name.getIdentifierInfo()->getName();
    for (PreambleMacro& macro : macros_) {
      if (text == macro.name && !macro.isSeen) expanded_.emplace_back(name.getLocation(), &macro);
    }
  }
  void If(clang::SourceLocation, clang::SourceRange condition, ConditionValueKind value) override {
    settle(condition, value);
  }
  void Elif(clang::SourceLocation, clang::SourceRange condition, ConditionValueKind value,
            clang::SourceLocation) override {
    settle(condition, value);
  }
  void EndOfMainFile() override { seeAll(); }
  void FileChanged(clang::SourceLocation, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    isPastPreamble_ = isPastPreamble_ || reason == RenameFile;  // its end is a #line
  }
  void MacroDefined(const clang::Token& name, const clang::MacroDirective*) override { noteChange(name); }
  void MacroUndefined(const clang::Token& name, const clang::MacroDefinition&, const clang::MacroDirective*) override {
    noteChange(name);
  }

 private:
  /// From here on, what a condition gives for other values of the preamble's macros is not known.
  void noteChange(const clang::Token& name) {
    if (!isPastPreamble_ || isChanged_) return;
    const llvm::StringRef text = name.getIdentifierInfo()->getName();
    isChanged_ = llvm::any_of(macros_, [&](const PreambleMacro& macro) { return macro.name == text; });
  }

  void seeAll() {
    for (const auto& [place, macro] : expanded_) macro->isSeen = true;
    expanded_.clear();
  }

  /// A condition was evaluated, in which what was expanded last may lie.
  void settle(clang::SourceRange range, ConditionValueKind value) {
    if (expanded_.empty()) return;
    if (isChanged_ || value == CVK_NotEvaluated || range.isInvalid()) return seeAll();  // expanded before, in the text
    const clang::SourceManager& sources = preprocessor_.getSourceManager();
    const clang::CharSourceRange written = sources.getExpansionRange(range);
    const auto text = clang::Lexer::getSourceText(written, sources, preprocessor_.getLangOpts());
    const auto begin = sources.getDecomposedLoc(written.getBegin()), end = sources.getDecomposedLoc(written.getEnd());
    const bool isInside = llvm::all_of(expanded_, [&](const auto& one) {
      if (one.first.isMacroID()) return false;
      const auto at = sources.getDecomposedLoc(one.first);
      return at.first == begin.first && begin.second <= at.second && at.second <= end.second;
    });
    const auto known = valueOf(text, macros_);
    if (!isInside || !known || (*known != 0) != (value == CVK_True)) return seeAll();
    for (const auto& [place, macro] : expanded_) {
      const bool isKnown =
          llvm::any_of(macro->conditions, [&](const PreambleCondition& other) { return other.text == text; });
      if (!isKnown) macro->conditions.push_back({text.str(), value == CVK_True});
    }
    expanded_.clear();
  }

  const clang::Preprocessor& preprocessor_;
  std::vector<PreambleMacro>& macros_;
  bool isPastPreamble_ = false;
  bool isChanged_ = false;  ///< the source defined one of the macros anew, or undefined it
  std::vector<std::pair<clang::SourceLocation, PreambleMacro*>> expanded_;  ///< since the last condition
};

/// Whether a source that saw of `one` what is marked is the same where it has the value that it has in `after`.
bool seesNoDifference(const PreambleMacro& one, const PreambleMacro& other, const std::vector<PreambleMacro>& after) {
  if (one.name != other.name || one.isDefined != other.isDefined) return false;
  if (one.value == other.value) return true;
  return !one.isSeen && llvm::all_of(one.conditions, [&](const PreambleCondition& condition) {
    const auto value = valueOf(condition.text, after);
    return value && (*value != 0) == condition.isTrue;
  });
}

}  // namespace

std::vector<PreambleMacro> macrosOf(llvm::StringRef preamble) {
  std::vector<PreambleMacro> out;
  llvm::SmallVector<llvm::StringRef> lines;
  preamble.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    PreambleMacro macro;
    macro.isDefined = line.consume_front("#define ");
    if (!macro.isDefined && !line.consume_front("#undef ")) {
      out.push_back({.name = {}, .value = line.str(), .isDefined = true, .isSeen = true});
      continue;
    }
    const llvm::StringRef name = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    macro.name = name.str();
    macro.value = line.substr(name.size()).str();
    std::erase_if(out, [&](const PreambleMacro& other) { return other.name == macro.name; });
    out.push_back(std::move(macro));
  }
  llvm::sort(out, [](const PreambleMacro& a, const PreambleMacro& b) {
    return std::tie(a.name, a.value) < std::tie(b.name, b.value);
  });
  return out;
}

std::unique_ptr<clang::PPCallbacks> watchMacros(const clang::Preprocessor& preprocessor,
                                                std::vector<PreambleMacro>& macros) {
  return std::make_unique<MacroWatch>(preprocessor, macros);
}

bool seesNoDifference(const std::vector<PreambleMacro>& before, const std::vector<PreambleMacro>& after) {
  return std::ranges::equal(before, after, [&](const PreambleMacro& one, const PreambleMacro& other) {
    return seesNoDifference(one, other, after);
  });
}

}  // namespace lathe::detail
