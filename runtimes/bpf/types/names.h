// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types, members and variables of BPF objects as C and C++ can spell them. A name that is free in a BPF
// program in C may be a keyword of C++ (`class`), a macro of the host's headers (`errno`) or taken (`load()`).
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace lathe::bpf::detail {

/// True for letters, digits and underscores that do not begin with a digit.
[[nodiscard]] bool isIdentifier(std::string_view name);
/// `name` with `_` for each character that an identifier cannot have: names in damaged or foreign BTF may be any bytes.
[[nodiscard]] std::string identifierOf(std::string_view name);
/// True for keywords of C++ that C11 lets programs use as names.
[[nodiscard]] bool isWordOfCxx(std::string_view name);
/// True for macros that libbpf's header or <lathe/bpf_host.h> bring along, and keywords of C that C++ lets programs
/// use.
[[nodiscard]] bool isMacroOfHost(std::string_view name);
/// `name` as an identifier of C++, with `_` behind where the plain one cannot be used.
[[nodiscard]] std::string cxxName(std::string_view name);
/// The same for a namespace or structure around all that a header has.
[[nodiscard]] std::string outerName(std::string_view name);
/// The name in the source of a function or variable of C++: "ns_total" for `_ZN2ns5totalE`. Other names as they are.
[[nodiscard]] std::string sourceName(std::string_view symbol);

/// `text` as a literal of C, with its quotes; characters that literals and comments cannot have are written by number.
[[nodiscard]] std::string quoted(std::string_view text);

/// The names of one scope, each claimed once.
class Names {
 public:
  Names() = default;
  Names(std::initializer_list<std::string_view> taken) : taken_(taken.begin(), taken.end()) {}
  [[nodiscard]] bool has(std::string_view name) const { return taken_.contains(name); }
  void add(std::string_view name) { taken_.emplace(name); }
  /// `wanted` as C++ spells it, with as many `_` behind as make it unique.
  std::string claim(std::string_view wanted);

 private:
  std::set<std::string, std::less<>> taken_;
};

/// Lines that hide macros of the host's headers whose names `text` uses, enumerators like EPERM, and lines that bring
/// them back. Both are empty if there are none.
struct MacroGuard {
  std::string before, after;
};
[[nodiscard]] MacroGuard macroGuard(std::string_view text);

}  // namespace lathe::bpf::detail
