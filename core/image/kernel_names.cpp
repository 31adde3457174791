// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Demangling is the C++ run-time library's, which is there without LLVM.
#include "core/image/kernel_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "core/support/text.h"

namespace lathe::detail {
namespace {

/// Without return type and parameters: what stands before the first parenthesis outside of angle brackets, from the
/// last space outside of both on.
std::string nameIn(std::string_view whole) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const char c = whole[i];
    const bool arrow = c == '>' && i > 0 && whole[i - 1] == '-';
    if (c == '<') ++depth;
    if (c == '>' && !arrow) --depth;
    if (depth != 0) continue;
    if (c == ' ') begin = i + 1;
    if (c == '(') return std::string(whole.substr(begin, i - begin));
  }
  return std::string(whole.substr(begin));
}

/// The library reads no longer ones.
constexpr std::size_t mostMangled = 1024;

/// Substitutions and template parameters (S_, S1A_, T_ …) stand for earlier parts of a name, and those for earlier
/// ones: every three can make the text three times as long. Names come from files, so their text has to stay within
/// megabytes.
constexpr int mostReferences = 24;

int referencesIn(std::string_view mangled) {
  int out = 0;
  for (std::size_t i = 0; i + 1 < mangled.size(); ++i) {
    if (mangled[i] != 'S' && mangled[i] != 'T') continue;
    const std::size_t end = mangled.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", i + 1);
    if (end != std::string_view::npos && mangled[end] == '_') ++out;
  }
  return out;
}

/// A mangled name as C++; empty if it is none.
std::string asCpp(const std::string& mangled) {
  if (mangled.size() > mostMangled || referencesIn(mangled) > mostReferences) return {};
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !text) return {};
  std::string out = text.get();
  out = replaced(std::move(out), "std::__1::", "std::");
  out = replaced(std::move(out), "std::__cxx11::", "std::");
  out = replaced(std::move(out), "(anonymous namespace)", "{anonymous}");
  return replaced(std::move(out), "> >", ">>");
}

}  // namespace

FunctionName functionNameOf(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return {};
  const std::string whole = asCpp(std::string(mangled));
  if (!whole.empty()) return {whole, nameIn(whole)};
  // A parameter's type is spelt in a way that the library does not know: what ends like a name, without parameters.
  for (std::size_t end = mangled.find('E'); end < mostMangled; end = mangled.find('E', end + 1)) {
    const std::string begin = asCpp(std::string(mangled.substr(0, end + 1)) + "vv");
    if (!begin.empty()) return {{}, nameIn(begin)};
  }
  return {};
}

const EntryPoint* entryMangledAs(std::string_view mangled, const std::vector<EntryPoint>& entries) {
  const FunctionName asked = functionNameOf(mangled);
  if (asked.name.empty()) return nullptr;
  const EntryPoint* alike = nullptr;
  bool several = false;
  for (const EntryPoint& entry : entries) {
    const FunctionName known = functionNameOf(entry.symbol);
    if (!known.whole.empty() && known.whole == asked.whole) return &entry;
    if (known.name != asked.name) continue;
    several |= alike != nullptr;
    alike = &entry;
  }
  return several ? nullptr : alike;
}

}  // namespace lathe::detail
