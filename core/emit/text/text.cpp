// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module as one text: what the language needs said first, helpers that the kernels name, types, variables of the
// program, kernels. Every function has been inlined, so there are no others.
#include "core/emit/text/text.h"

#include "llvm/ADT/StringExtras.h"

#include "core/emit/text/function_text.h"
#include "core/portable/vocabulary.h"

namespace lathe::detail {
namespace {

bool names(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto isWord = [&](std::size_t i) { return i < text.size() && (llvm::isAlnum(text[i]) || text[i] == '_'); };
    if (!(at > 0 && isWord(at - 1)) && !isWord(at + word.size())) return true;
  }
  return false;
}

/// The helpers that `text` needs, each behind those that it needs itself.
void addHelpers(const TextRules& rules, std::string_view text, std::set<std::string>& done, std::string& out) {
  for (const auto& [name, definition] : rules.helpers) {
    if (done.contains(name) || !names(text, name)) continue;
    done.insert(name);
    addHelpers(rules, definition, done, out);
    out += definition + (definition.ends_with('\n') ? "" : "\n");
  }
}

}  // namespace

std::string writeText(Lowering& lowering, std::vector<Diagnostic>& found) {
  Spelling spelling(lowering, found);
  const TextRules& rules = spelling.rules();
  std::string kernels, variables;
  for (llvm::Function& function : *lowering.module) {
    // A function that was not inlined is an error where it is called.
    if (function.isDeclaration() || !function.hasFnAttribute(attribute::kernel)) continue;
    const std::string name = function.getName().str();
    spelling.at = &function.getEntryBlock().front();
    if (identifier(name) != name || llvm::is_contained(rules.reserved, name))
      spelling.report("a kernel called '" + name + "'", "give it another name");
    kernels += "\n" + FunctionText(spelling, function).write();
  }
  const unsigned group = lowering.descriptor.addressSpaces.group;
  for (const llvm::GlobalVariable& variable : lowering.module->globals()) {
    if (variable.getAddressSpace() == group || variable.getName().starts_with("llvm.")) continue;
    // Texts of printf stand in its call.
    if (variable.hasLocalLinkage() && !names(kernels, variableName(variable))) continue;
    variables += variableText(spelling, variable) + "\n";
  }
  // One that was found in an instruction without a place and in one with a place is the latter.
  const auto isPlacedToo = [&](const Diagnostic& bare) {
    return bare.location.line == 0 && std::ranges::any_of(found, [&](const Diagnostic& other) {
             return other.location.line != 0 && other.message == bare.message;
           });
  };
  std::vector<Diagnostic> placed;
  for (const Diagnostic& finding : found)
    if (!isPlacedToo(finding)) placed.push_back(finding);
  found = std::move(placed);
  std::string helpers;
  std::set<std::string> done;
  addHelpers(rules, kernels, done, helpers);
  std::string out;
  for (const auto& [type, text] : rules.features) {
    if (spelling.usedTypes().contains(type)) out += text + "\n";
  }
  return out + rules.prelude + helpers + spelling.typeDeclarations() + variables + kernels;
}

void addMissingWords(Lowering& lowering) {
  std::vector<Diagnostic> found;
  (void)writeText(lowering, found);
  std::set<std::pair<std::string, std::uint32_t>> places;
  for (const Diagnostic& known : lowering.diagnostics) places.emplace(known.location.file, known.location.line);
  for (Diagnostic& finding : found) {
    // Beside errors with places, one without is what they leave behind.
    if (finding.location.line == 0 && !lowering.diagnostics.empty()) continue;
    if (!places.contains({finding.location.file, finding.location.line}))
      lowering.diagnostics.push_back(std::move(finding));
  }
}

}  // namespace lathe::detail
