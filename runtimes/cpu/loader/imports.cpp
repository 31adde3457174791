// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that does not fit is told at once.
#include "runtimes/cpu/loader/imports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lathe::detail {
namespace {

/// "i4" as words.
std::string typeName(std::string_view code) {
  if (code == "v") return "void";
  if (code == "p") return "pointer";
  if (code == "f4") return "float";
  if (code == "f8") return "double";
  if (code.starts_with('i')) return fmt::format("{}-byte integer", code.substr(1));
  if (code.starts_with('f')) return fmt::format("{}-byte floating", code.substr(1));
  return code.starts_with('r') ? fmt::format("{}-byte structure", code.substr(1)) : std::string(code);
}

/// "f4(p,i4)" as words: "float (pointer, 4-byte integer)".
std::string signatureName(std::string_view signature) {
  const std::size_t open = signature.find('(');
  if (open == std::string_view::npos || !signature.ends_with(')')) return std::string(signature);
  std::vector<std::string> parameters;
  std::string_view rest = signature.substr(open + 1, signature.size() - open - 2);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    parameters.push_back(typeName(rest.substr(0, comma)));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return fmt::format("{} ({})", typeName(signature.substr(0, open)), fmt::join(parameters, ", "));
}

std::string wanted(const Import& import) {
  if (import.isFunction)
    return import.signature.empty() ? "a function" : "a function " + signatureName(import.signature);
  return import.bytes == 0 ? "a variable" : fmt::format("a variable of {} bytes", import.bytes);
}

std::string given(const HostSymbol& symbol) {
  return wanted({symbol.name, symbol.isFunction, symbol.signature, symbol.bytes});
}

bool fits(const Import& import, const HostSymbol& symbol) {
  if (import.isFunction != symbol.isFunction) return false;
  if (import.isFunction)
    return import.signature.empty() || symbol.signature.empty() || import.signature == symbol.signature;
  return import.bytes == 0 || symbol.bytes == 0 || import.bytes == symbol.bytes;
}

}  // namespace

Result<void> checkImports(std::span<const Import> imports, const HostSymbols& symbols) {
  std::vector<std::string> missing, wrong;
  std::vector<Note> notes;
  for (const Import& import : imports) {
    const HostSymbol* const symbol = symbols.find(import.symbol);
    if (!symbol || !symbol->address) {
      missing.push_back("'" + import.symbol + "'");
      notes.push_back({fmt::format("'{}' is {}", import.symbol, wanted(import)), {}, {}});
    } else if (!fits(import, *symbol)) {
      wrong.push_back("'" + import.symbol + "'");
      notes.push_back(
          {fmt::format("'{}' is {} in the code; the program gives {}", import.symbol, wanted(import), given(*symbol)),
           {},
           {}});
    }
  }
  if (missing.empty() && wrong.empty()) return {};
  const std::string list = fmt::format("{}", fmt::join(missing.empty() ? wrong : missing, ", "));
  return Error{.code = missing.empty() ? ErrorCode::ArgumentMismatch : ErrorCode::UndefinedFunction,
               .message = missing.empty() ? "image: what the program gives does not fit: " + list
                                          : "image: it imports what the program does not give: " + list,
               .notes = std::move(notes),
               .hint = "give their addresses with HostSymbols when the code is loaded",
               .target = "cpu"};
}

}  // namespace lathe::detail
