// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a name is defined is compared for all names, so that only expansions have to be watched, and not `#ifdef`.
#include "core/frontend/clang/preamble.h"

#include <algorithm>
#include <tuple>

#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace lathe::detail {
namespace {

class MacroWatch final : public clang::PPCallbacks {
 public:
  explicit MacroWatch(std::vector<PreambleMacro>& macros) : macros_(macros) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange,
                    const clang::MacroArgs*) override {
    const llvm::StringRef text = name.getIdentifierInfo()->getName();
    for (PreambleMacro& macro : macros_) {
      if (text == macro.name) macro.isSeen = true;
    }
  }

 private:
  std::vector<PreambleMacro>& macros_;
};

}  // namespace

std::vector<PreambleMacro> macrosOf(llvm::StringRef preamble) {
  std::vector<PreambleMacro> out;
  llvm::SmallVector<llvm::StringRef> lines;
  preamble.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    PreambleMacro macro;
    macro.isDefined = line.consume_front("#define ");
    if (!macro.isDefined && !line.consume_front("#undef ")) {
      out.push_back({{}, line.str(), true, true});
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

std::unique_ptr<clang::PPCallbacks> watchMacros(std::vector<PreambleMacro>& macros) {
  return std::make_unique<MacroWatch>(macros);
}

bool seesNoDifference(const std::vector<PreambleMacro>& before, const std::vector<PreambleMacro>& after) {
  return std::ranges::equal(before, after, [](const PreambleMacro& one, const PreambleMacro& other) {
    return one.name == other.name && one.isDefined == other.isDefined && (!one.isSeen || one.value == other.value);
  });
}

}  // namespace lathe::detail
