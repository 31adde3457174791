// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/types/names.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <memory>

#include <cxxabi.h>
#include <fmt/format.h>

namespace lathe::bpf::detail {
namespace {

constexpr std::string_view cxxWords[] = {"alignas",      "alignof",
                                         "and",          "and_eq",
                                         "asm",          "bitand",
                                         "bitor",        "bool",
                                         "catch",        "char16_t",
                                         "char32_t",     "char8_t",
                                         "class",        "co_await",
                                         "co_return",    "co_yield",
                                         "compl",        "concept",
                                         "const_cast",   "consteval",
                                         "constexpr",    "constinit",
                                         "decltype",     "delete",
                                         "dynamic_cast", "explicit",
                                         "export",       "false",
                                         "final",        "friend",
                                         "import",       "module",
                                         "mutable",      "namespace",
                                         "new",          "noexcept",
                                         "not",          "not_eq",
                                         "nullptr",      "operator",
                                         "or",           "or_eq",
                                         "private",      "protected",
                                         "public",       "reinterpret_cast",
                                         "requires",     "static_assert",
                                         "static_cast",  "template",
                                         "this",         "thread_local",
                                         "throw",        "true",
                                         "try",          "typeid",
                                         "typename",     "using",
                                         "virtual",      "wchar_t",
                                         "xor",          "xor_eq"};

// Those in small letters of glibc's headers, and of the compilers: `linux` is 1 in -std=gnu11.
constexpr std::string_view hostMacros[] = {
    "EOF",     "NULL",     "alloca",   "assert",         "assert_perror", "be16toh", "be32toh",
    "be64toh", "bool",     "errno",    "false",          "htobe16",       "htobe32", "htobe64",
    "htole16", "htole32",  "htole64",  "i386",           "le16toh",       "le32toh", "le64toh",
    "linux",   "offsetof", "restrict", "sched_priority", "static_assert", "stderr",  "stdin",
    "stdout",  "strdupa",  "strndupa", "true",           "typeof",        "unix",    "va_arg",
    "va_copy", "va_end",   "va_start"};

bool isLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

template <std::size_t count>
bool contains(const std::string_view (&words)[count], std::string_view name) {
  return std::ranges::find(words, name) != std::end(words);
}

/// Macros of the C library in capitals come in families: EPERM, INT_MAX, CLONE_VM.
bool looksLikeMacro(std::string_view name) {
  if (name.size() < 2 || std::isupper(static_cast<unsigned char>(name.front())) == 0) return false;
  const bool isCapital = std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; });
  if (name.starts_with("SYS_") || name.starts_with("L_") || name.starts_with("P_")) return true;
  if (!isCapital) return false;
  if (name.front() == 'E' && name.find('_') == std::string_view::npos) return true;
  for (const std::string_view family :
       {"ADJ_", "ATOMIC_", "BC_",      "CLOCK",    "CLONE_",  "CLOSE_", "COLL_",  "CPU_",  "EXIT_",
        "FD_",  "F_",      "INT",      "LC_",      "LITTLE_", "BIG_",   "LONG_",  "MAX_",  "MB_",
        "MOD_", "NL_",     "PTHREAD_", "PTRDIFF_", "RENAME_", "R_",     "SCHED_", "SEEK_", "SIG",
        "STA_", "STD",     "TEMP_",    "TIME",     "UINT",    "W",      "XATTR_", "X_"})
    if (name.starts_with(family)) return true;
  for (const std::string_view family : {"_MAX", "_MIN", "_WIDTH", "_BIT", "_ORDER", "_BUF", "_ENDIAN", "_API"})
    if (name.ends_with(family)) return true;
  return name == "BUFSIZ" || name == "CSIGNAL" || name == "NFDBITS" || name == "NZERO";
}

}  // namespace

bool isIdentifier(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, isLetter);
}

std::string identifierOf(std::string_view name) {
  std::string out;
  if (!name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) != 0) out.push_back('_');
  for (const char letter : name) out.push_back(isLetter(letter) ? letter : '_');
  return out;
}

bool isWordOfCxx(std::string_view name) {
  return contains(cxxWords, name);
}
bool isMacroOfHost(std::string_view name) {
  return contains(hostMacros, name);
}

std::string cxxName(std::string_view name) {
  std::string out = identifierOf(name);
  if (isWordOfCxx(out) || isMacroOfHost(out)) out.push_back('_');
  return out;
}

std::string outerName(std::string_view name) {
  return name == "std" ? "std_" : cxxName(name);
}

std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool isPlain = std::isprint(static_cast<unsigned char>(c)) != 0 && c != '"' && c != '\\';
    if (isPlain)
      out.push_back(c);
    else
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return fmt::format("\"{}\"", out);
}

std::string Names::claim(std::string_view wanted) {
  std::string out = cxxName(wanted);
  while (out.empty() || !taken_.insert(out).second) out.push_back('_');
  return out;
}

std::string sourceName(std::string_view symbol) {
  if (!symbol.starts_with("_Z")) return std::string(symbol);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
  if (!text || status != 0) return std::string(symbol);
  std::string name(text.get());
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed, at))
    name.erase(at, unnamed.size());
  name.resize(std::min(name.size(), name.find('(')));  // the parameters
  std::string out;
  for (const char c : name)
    if (isLetter(c) || !out.ends_with('_')) out.push_back(isLetter(c) ? c : '_');
  while (out.ends_with('_') && !name.ends_with('_')) out.pop_back();
  return out.empty() ? std::string(symbol) : out;
}

MacroGuard macroGuard(std::string_view text) {
  std::set<std::string_view> names;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && isLetter(text[end])) ++end;
    if (const std::string_view word = text.substr(at, end - at); looksLikeMacro(word)) names.insert(word);
    at = std::max(end, at + 1);
  }
  MacroGuard out;
  for (const std::string_view name : names) {
    out.before += fmt::format("#pragma push_macro(\"{0}\")\n#undef {0}\n", name);
    out.after += fmt::format("#pragma pop_macro(\"{}\")\n", name);
  }
  return out;
}

}  // namespace lathe::bpf::detail
