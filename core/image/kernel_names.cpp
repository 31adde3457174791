// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Demangling is the C++ run-time library's, which is there without LLVM.
#include "core/image/kernel_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace lathe::detail {
namespace {

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

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

/// A mangled name as C++; empty if it is none.
std::string asCpp(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !text) return {};
  std::string out = text.get();
  replaceAll(out, "std::__1::", "std::");
  replaceAll(out, "std::__cxx11::", "std::");
  replaceAll(out, "(anonymous namespace)", "{anonymous}");
  replaceAll(out, "> >", ">>");
  return out;
}

}  // namespace

FunctionName functionNameOf(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return {};
  const std::string whole = asCpp(std::string(mangled));
  if (!whole.empty()) return {whole, nameIn(whole)};
  // A parameter's type is spelt in a way that the library does not know: what ends like a name, without parameters.
  for (std::size_t end = mangled.find('E'); end != std::string_view::npos; end = mangled.find('E', end + 1)) {
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
