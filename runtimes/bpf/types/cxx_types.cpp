// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/types/cxx_types.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "runtimes/bpf/types/device_names.h"

namespace lathe::bpf::detail {
namespace {

constexpr std::string_view cxxWords[] = {
    "alignas",  "alignof",  "and",      "asm",      "bool",   "catch",   "class",     "concept",   "constexpr",
    "delete",   "explicit", "export",   "false",    "friend", "module",  "mutable",   "namespace", "new",
    "noexcept", "not",      "nullptr",  "operator", "or",     "private", "protected", "public",    "requires",
    "template", "this",     "throw",    "true",     "try",    "typeid",  "typename",  "using",     "virtual",
    "wchar_t",  "xor",      "decltype", "compl",    "bitand", "bitor",   "char8_t",   "final",     "import"};

std::string_view keywordOf(BtfKind kind) {
  switch (kind) {
    case BtfKind::union_:
      return "union";
    case BtfKind::enumeration:
    case BtfKind::enumeration64:
      return "enum";
    default:
      return "struct";
  }
}

bool isRecord(BtfKind kind) {
  return kind == BtfKind::structure || kind == BtfKind::union_;
}
bool isEnumeration(BtfKind kind) {
  return kind == BtfKind::enumeration || kind == BtfKind::enumeration64;
}

}  // namespace

std::string cxxName(std::string_view name) {
  std::string out(name);
  if (std::ranges::find(cxxWords, name) != std::end(cxxWords)) out += '_';
  return out;
}

void CxxTypes::add(std::string_view name, const std::string& definition) {
  const bool isOfDevice = std::ranges::find(deviceNames, name) != std::end(deviceNames);
  text_ += isOfDevice ? fmt::format("#ifndef LATHE_BPF_H\n{}#endif\n", definition) : definition;
}

void CxxTypes::declareFunction(std::uint32_t number) {
  const BtfType function = types_.type(number);
  declare(function.to);
  if (!named_.insert(fmt::format("function {}", function.name)).second) return;
  std::string parameters;
  for (const BtfMember& one : types_.members(function.to)) {
    const bool isVariadic = one.type == 0 && one.name.empty();
    parameters +=
        (parameters.empty() ? "" : ", ") + (isVariadic ? std::string("...") : declaration(one.type, cxxName(one.name)));
  }
  const std::string head = fmt::format("{}({})", function.name, parameters.empty() ? "void" : parameters);
  functions_ += fmt::format("{} __ksym;\n", declaration(types_.type(function.to).to, head));
}

std::string CxxTypes::text() const {
  std::string out = forwards_ + (forwards_.empty() ? "" : "\n") + text_;
  if (functions_.empty()) return out;
  out += "\n#ifndef __ksym\n#define __ksym __attribute__((section(\".ksyms\")))\n#endif\n";
  return out + "#ifdef __cplusplus\nextern \"C\" {\n#endif\n" + functions_ + "#ifdef __cplusplus\n}\n#endif\n";
}

std::uint64_t CxxTypes::alignOf(std::uint32_t number) const {
  constexpr int mostSteps = 16;
  for (int i = 0; i < mostSteps; ++i) {
    number = types_.stripped(number);
    const BtfType type = types_.type(number);
    if (type.kind == BtfKind::array) {
      number = type.to;
      continue;
    }
    if (type.kind == BtfKind::pointer) return sizeof(void*);
    if (!isRecord(type.kind)) return std::clamp<std::uint64_t>(type.bytes, 1, 16);
    if (isPacked(number, type)) return 1;
    std::uint64_t most = 1;
    for (const BtfMember& member : types_.members(number)) most = std::max(most, alignOf(member.type));
    return most;
  }
  return 1;
}

bool CxxTypes::isPacked(std::uint32_t number, const BtfType& type) const {
  std::uint64_t most = 1;
  for (const BtfMember& member : types_.members(number)) {
    if (member.bits != 0) continue;
    const std::uint64_t align = alignOf(member.type);
    if (member.bitOffset / 8 % align != 0) return true;
    most = std::max(most, align);
  }
  return type.bytes % most != 0;
}

void CxxTypes::forward(std::uint32_t number) {
  const BtfType type = types_.type(number);
  const std::string text = fmt::format(
      "{} {};\n", keywordOf(type.kind == BtfKind::forward && type.flag ? BtfKind::union_ : type.kind), type.name);
  if (named_.insert(text).second) forwards_ += text;
}

void CxxTypes::declare(std::uint32_t number) {
  const BtfType type = types_.type(number);
  switch (type.kind) {
    case BtfKind::structure:
    case BtfKind::union_:
    case BtfKind::forward:
      return type.name.empty() ? define(number) : forward(number);
    case BtfKind::enumeration:
    case BtfKind::enumeration64:
      return define(number);
    case BtfKind::typedef_:
      if (type.name == "bool" || seen_.contains(number)) return;
      seen_[number] = false;
      declare(type.to);
      text_ += fmt::format("typedef {};\n", declaration(type.to, std::string(type.name)));
      return;
    case BtfKind::prototype:
      declare(type.to);
      for (const BtfMember& parameter : types_.members(number)) declare(parameter.type);
      return;
    case BtfKind::none:
    case BtfKind::integer:
    case BtfKind::floating:
      return;
    default:
      return declare(type.to);
  }
}

void CxxTypes::defineEnumeration(std::uint32_t number, const BtfType& type) {
  // The kernel has some of one byte.
  const std::string_view width = type.bytes == 1   ? "char"
                                 : type.bytes == 2 ? "short"
                                 : type.bytes == 8 ? "long long"
                                                   : "int";
  const std::string base = type.bytes == 4 ? "" : fmt::format(": {} {} ", type.flag ? "signed" : "unsigned", width);
  std::string text = fmt::format("enum {} {}{{\n", type.name, base);
  for (const BtfEnumerator& one : types_.enumerators(number)) text += fmt::format("  {} = {},\n", one.name, one.value);
  add(type.name, text + "};\n");
}

void CxxTypes::define(std::uint32_t number) {
  if (const auto known = seen_.find(number); known != seen_.end() && known->second) return;
  const BtfType type = types_.type(number);
  const bool hadTypedef = seen_.contains(number);
  seen_[number] = true;
  switch (type.kind) {
    case BtfKind::none:
    case BtfKind::integer:
    case BtfKind::floating:
    case BtfKind::forward:
      return;
    case BtfKind::pointer:
      return declare(type.to);
    case BtfKind::prototype:
      return declare(number);
    case BtfKind::enumeration:
    case BtfKind::enumeration64:
      // Those without a name are written where they are used.
      if (!type.name.empty() && named_.insert(fmt::format("enum {}", type.name)).second)
        defineEnumeration(number, type);
      return;
    case BtfKind::typedef_:
      define(type.to);
      if (type.name != "bool" && !hadTypedef && named_.insert(fmt::format("typedef {}", type.name)).second)
        text_ += fmt::format("typedef {};\n", declaration(type.to, std::string(type.name)));
      return;
    case BtfKind::structure:
    case BtfKind::union_: {
      for (const BtfMember& member : types_.members(number)) define(member.type);
      const std::string head = fmt::format("{} {}", keywordOf(type.kind), type.name);
      if (type.name.empty() || !named_.insert(head).second) return;
      add(type.name, fmt::format("{} {};\nstatic_assert(sizeof({}) == {}, \"\");\n", head, body(number, type, ""), head,
                                 type.bytes));
      return;
    }
    default:
      return define(type.to);
  }
}

std::string CxxTypes::body(std::uint32_t number, const BtfType& type, std::string_view indent) const {
  const std::string inner = std::string(indent) + "  ";
  // In C it has no bytes, in C++ one.
  if (type.count == 0 && type.bytes == 0) return fmt::format("{{ unsigned char none_[0]; }}");
  const bool packed = isPacked(number, type);
  std::string out = "{\n";
  std::uint64_t end = 0;  // in bits
  int gaps = 0;
  const auto fill = [&](std::uint64_t until, std::uint64_t align) {
    const std::uint64_t natural = packed ? end : (end + align * 8 - 1) / (align * 8) * (align * 8);
    if (until <= natural || type.kind == BtfKind::union_) return;
    if (end % 8 != 0) {
      const std::uint64_t bits = std::min(until - end, 8 - end % 8);
      out += fmt::format("{}unsigned char : {};\n", inner, bits);
      end += bits;
    }
    if (until >= end + 8) out += fmt::format("{}unsigned char gap{}_[{}];\n", inner, gaps++, (until - end) / 8);
    end = until;
  };
  for (const BtfMember& member : types_.members(number)) {
    const std::uint64_t align = packed ? 1 : alignOf(member.type);
    fill(member.bitOffset, member.bits != 0 ? 1 : align);
    const BtfType shown = types_.type(member.type);
    std::string line;
    if (shown.name.empty() && isRecord(shown.kind))
      line = fmt::format("{} {}{}{}", keywordOf(shown.kind), body(member.type, shown, inner),
                         member.name.empty() ? "" : " ", cxxName(member.name));
    else
      line = declaration(member.type, cxxName(member.name));
    if (member.bits != 0) line += fmt::format(" : {}", member.bits);
    out += fmt::format("{}{};\n", inner, line);
    const std::uint64_t bits = member.bits != 0 ? member.bits : types_.sizeOf(member.type) * 8;
    if (type.kind != BtfKind::union_) end = member.bitOffset + bits;
  }
  std::uint64_t most = 1;
  for (const BtfMember& member : types_.members(number)) most = std::max(most, packed ? 1 : alignOf(member.type));
  if (type.kind == BtfKind::structure) {
    const std::uint64_t natural = (end + most * 8 - 1) / (most * 8) * (most * 8);
    if (std::uint64_t{type.bytes} * 8 > natural) fill(std::uint64_t{type.bytes} * 8, 1);
  }
  out += std::string(indent) + "}";
  if (packed) out += " __attribute__((packed))";
  return out;
}

std::string CxxTypes::baseName(std::uint32_t number, const BtfType& type) const {
  if (type.kind == BtfKind::none) return "void";
  if (type.kind == BtfKind::integer) return type.name == "_Bool" ? "bool" : std::string(type.name);
  if (isEnumeration(type.kind) && type.name.empty()) {
    std::string out = "enum {";
    for (const BtfEnumerator& one : types_.enumerators(number)) out += fmt::format(" {} = {},", one.name, one.value);
    return out + " }";
  }
  if (isRecord(type.kind) && type.name.empty())
    return fmt::format("{} {}", keywordOf(type.kind), body(number, type, ""));
  if (isRecord(type.kind) || isEnumeration(type.kind)) return fmt::format("{} {}", keywordOf(type.kind), type.name);
  if (type.kind == BtfKind::forward) return fmt::format("{} {}", type.flag ? "union" : "struct", type.name);
  return std::string(type.name);
}

std::string CxxTypes::declaration(std::uint32_t number, std::string name) const {
  std::string qualifiers;
  constexpr int mostSteps = 32;
  for (int i = 0; i < mostSteps; ++i) {
    const BtfType type = types_.type(number);
    const bool needsParentheses = name.starts_with('*');
    switch (type.kind) {
      case BtfKind::pointer:
        name = "*" + qualifiers + name;
        qualifiers.clear();
        break;
      case BtfKind::array:
        if (needsParentheses) name = "(" + name + ")";
        name += fmt::format("[{}]", type.elements);
        break;
      case BtfKind::prototype: {
        if (needsParentheses) name = "(" + name + ")";
        std::string parameters;
        for (const BtfMember& one : types_.members(number)) {
          const bool variadic = one.type == 0 && one.name.empty();
          parameters += (parameters.empty() ? "" : ", ") + (variadic ? std::string("...") : declaration(one.type, ""));
        }
        name += "(" + parameters + ")";
        break;
      }
      case BtfKind::const_:
        qualifiers += "const ";
        break;
      case BtfKind::volatile_:
        qualifiers += "volatile ";
        break;
      case BtfKind::restrict_:
      case BtfKind::typeTag:
        break;
      default:
        return qualifiers + baseName(number, type) + (name.empty() ? "" : " ") + name;
    }
    number = type.to;
  }
  return "void " + name;
}

}  // namespace lathe::bpf::detail
