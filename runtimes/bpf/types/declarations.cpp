// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of single declarations: structures with the gaps that keep their members in place, enumerations of any
// width, declarators.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "runtimes/bpf/types/cxx_types.h"
#include "runtimes/bpf/types/device_names.h"

namespace lathe::bpf::detail {
namespace {

constexpr std::uint64_t byteBits = 8;
// The kernel has 100,000 types. Damaged ones may contain each other so often that no text of them ends.
constexpr std::size_t mostPieces = 1'000'000;
constexpr int mostLevels = 24;

// Of <linux/types.h>, <stdint.h> and <stddef.h>.
constexpr std::string_view headerTypedefs[] = {
    "__be16",  "__be32",  "__be64",   "__le16", "__le32",   "__le64",   "__s16",    "__s32",   "__s64",
    "__s8",    "__sum16", "__u16",    "__u32",  "__u64",    "__u8",     "__wsum",   "int16_t", "int32_t",
    "int64_t", "int8_t",  "intptr_t", "size_t", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "uintptr_t"};

std::string_view keywordOf(BtfKind kind) {
  if (kind == BtfKind::union_) return "union";
  return kind == BtfKind::enumeration || kind == BtfKind::enumeration64 ? "enum" : "struct";
}
bool isRecord(BtfKind kind) {
  return kind == BtfKind::structure || kind == BtfKind::union_;
}
bool isEnumeration(BtfKind kind) {
  return kind == BtfKind::enumeration || kind == BtfKind::enumeration64;
}

std::string integerOf(std::uint64_t bytes, bool isSigned) {
  switch (bytes) {
    case 1:
      return isSigned ? "signed char" : "unsigned char";
    case 2:
      return isSigned ? "short" : "unsigned short";
    case 4:
      return isSigned ? "int" : "unsigned int";
    case 16:
      return isSigned ? "__int128" : "unsigned __int128";
    default:
      return isSigned ? "long long" : "unsigned long long";
  }
}

/// The name that the compiler gave it, where C or C++ has it; other languages have names of their own ("u32").
std::string integerName(const BtfType& type, bool isCxx) {
  if (type.isBoolean() && type.bytes == 1) return "bool";
  if (isCxx) {
    for (const std::string_view name : {"wchar_t", "char8_t", "char16_t", "char32_t"})
      if (type.name == name) return std::string(name);
  }
  constexpr std::string_view words[] = {"char", "signed", "unsigned", "short", "int", "long", "__int128"};
  std::string_view rest = type.name;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (std::ranges::find(words, word) == std::end(words)) return integerOf(type.bytes, type.isSigned());
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return std::string(type.name);
}

std::string floatName(const BtfType& type) {
  return type.bytes == 4 ? "float" : type.bytes == 8 ? "double" : type.bytes == 2 ? "_Float16" : "long double";
}

/// Literals of the most negative number would be negated positive ones, which no type holds.
std::string valueText(const BtfEnumerator& one, bool isSigned) {
  if (!isSigned && one.value < 0) return fmt::format("{}ULL", static_cast<std::uint64_t>(one.value));
  if (one.value == INT64_MIN) return "-9223372036854775807LL - 1";
  return fmt::format("{}{}", one.value, one.value > UINT32_MAX ? isSigned ? "LL" : "ULL" : "");
}

}  // namespace

void CxxTypes::add(const Spelling& name, const std::string& definition) {
  const bool isOfDevice =
      readers_ == Readers::kernel && std::ranges::find(deviceNames, name.cxx) != std::end(deviceNames);
  if (!isOfDevice) {
    text_ += definition;
    return;
  }
  // Registers are there for processors that it knows.
  const bool hasRegisters = name.cxx == "pt_regs" || name.cxx == "bpf_perf_event_data";
  text_ += fmt::format("#ifndef LATHE_BPF_{}\n{}#endif\n", hasRegisters ? "HAS_REGISTERS" : "H", definition);
}

bool CxxTypes::hasClash(std::uint32_t number) const {
  return std::ranges::any_of(types_.enumerators(number), [this](const BtfEnumerator& one) {
    const auto uses = uses_.find(one.name);
    return (uses != uses_.end() && uses->second > 1) || ordinary_.contains(one.name);
  });
}

/// "name = value" of each, separated. `tag`: "" for enumerations without a name.
std::string CxxTypes::enumerators(std::uint32_t number, const BtfType& type, std::string_view tag, bool isScoped,
                                  std::string_view between) {
  // In C++ a structure is a scope of its own.
  const bool isMember = readers_ == Readers::cxx && !scopes_.empty();
  const bool isPrefixed = readers_ == Readers::both && !tag.empty() && hasClash(number);
  Names own;
  const std::set<std::string, std::less<>> none;
  std::string out;
  for (const BtfEnumerator& one : types_.enumerators(number)) {
    const std::string wanted = isPrefixed ? fmt::format("{}_{}", tag, one.name) : std::string(one.name);
    std::string name;
    if (isScoped)
      name = own.claim(wanted);
    else if (isMember)
      name = member(wanted, *scopes_.back());
    else
      name = claim(wanted, ordinary_, none).text;
    out += fmt::format("{}{} = {},", between, name, valueText(one, type.flag));
  }
  return out;
}

void CxxTypes::emitEnumeration(std::uint32_t number, const BtfType& type) {
  if (isOfHeaders(number, type)) return;
  const Spelling tag = tagOf(number, type);
  const bool isScoped = readers_ == Readers::cxx && hasClash(number);
  std::string list = enumerators(number, type, tag.cxx, isScoped, "\n  ");
  if (list.empty() && readers_ != Readers::cxx) list = fmt::format("\n  {}_none_,", tag.cxx);  // C wants one
  const std::string base = integerOf(type.bytes, type.flag);
  if (readers_ == Readers::cxx)
    return add(tag, fmt::format("enum {}{}{} {{{}\n}};\n", isScoped ? "class " : "", tag.text,
                                isScoped || type.bytes != 4 ? " : " + base : "", list));
  const std::string plain = fmt::format("enum {} {{", tag.text);
  if (type.bytes == 4) return add(tag, plain + list + "\n};\n");
  // GCC's C has the width from an attribute only.
  const std::string_view mode = type.bytes == 1 ? "byte" : type.bytes == 2 ? "HI" : "DI";
  add(tag, fmt::format("#if defined(__cplusplus) || defined(__clang__)\nenum {} : {} {{\n#else\n"
                       "enum __attribute__((mode({}))) {} {{\n#endif{}\n}};\n",
                       tag.text, base, mode, tag.text, list));
}

void CxxTypes::emitTypedef(std::uint32_t number, const BtfType& type) {
  const Spelling name = typedefOf(number, type);
  if (name.cxx == "bool" || isOfHeaders(number, type)) return;
  const std::string text = fmt::format("typedef {};\n", declaration(type.to, name.text));
  add(name, text);
}

void CxxTypes::emitRecord(std::uint32_t number, const BtfType& type) {
  const Spelling tag = tagOf(number, type);
  const std::string head = fmt::format("{} {}", keywordOf(type.kind), tag.text);
  const std::string inner = ownBody(number, type, "");
  add(tag, fmt::format("{} {};\nstatic_assert(sizeof({}) == {}, \"\");\n", head, inner, head, type.bytes));
}

void CxxTypes::collectMembers(std::uint32_t number, Scope& scope, int depth) {
  if (depth > mostLevels || ++pieces_ > mostPieces) return;
  for (const BtfMember& member : types_.members(number)) {
    if (!member.name.empty())
      scope.names.add(identifierOf(member.name));
    else if (const std::uint32_t inner = types_.unqualified(member.type); types_.type(inner).name.empty())
      collectMembers(inner, scope, depth + 1);
  }
}

std::string CxxTypes::memberName(std::string_view name, Names& scope) {
  const std::string base = identifierOf(name);
  std::string suffix = isWordOfCxx(base) || isMacroOfHost(base) ? "_" : "";
  while (scope.has(base + suffix)) suffix += '_';
  scope.add(base + suffix);
  return spelled(base, suffix).text;
}

std::string CxxTypes::member(std::string_view name, Scope& scope) {
  std::string base = identifierOf(name), suffix;
  const bool isMacro = readers_ != Readers::kernel && isMacroOfHost(base);
  if (!isMacro && !isWordOfCxx(base)) return base;
  do suffix += '_';
  while (scope.names.has(base + suffix));
  scope.names.add(base + suffix);
  return spelled(base, suffix).text;
}

std::string CxxTypes::ownBody(std::uint32_t number, const BtfType& type, std::string_view indent) {
  Scope scope;
  collectMembers(number, scope, 0);
  scopes_.push_back(&scope);
  std::string out = body(number, type, indent, scope);
  scopes_.pop_back();
  return out;
}

std::string CxxTypes::body(std::uint32_t number, const BtfType& type, std::string_view indent, Scope& scope) {
  const Level level(depth_);
  if (level.isTooDeep(mostLevels) || ++pieces_ > mostPieces) return "{}";
  const std::string inner = std::string(indent) + "  ";
  const auto gap = [&](std::uint64_t bytes) {
    std::string name;
    do name = fmt::format("gap{}_", scope.gaps++);
    while (scope.names.has(name));
    return fmt::format("{}unsigned char {}[{}];\n", inner, name, bytes);
  };
  // In C it has no bytes, in C++ one.
  if (type.count == 0 && type.bytes == 0) return "{ unsigned char none_[0]; }";
  const bool isUnion = type.kind == BtfKind::union_;
  const bool isPacked = placement_.isPacked(number);
  std::string out = "{\n";
  std::uint64_t end = 0;  // in bits
  const auto fill = [&](std::uint64_t until) {
    if (end % byteBits != 0 && until > end) {
      const std::uint64_t bits = std::min(until - end, byteBits - end % byteBits);
      out += fmt::format("{}unsigned char : {};\n", inner, bits);
      end += bits;
    }
    if (until >= end + byteBits) out += gap((until - end) / byteBits);
    if (until > end && (until - end) % byteBits != 0)
      out += fmt::format("{}unsigned char : {};\n", inner, (until - end) % byteBits);
    end = std::max(end, until);
  };
  std::uint64_t most = 1, largest = 0;
  for (const BtfMember& one : types_.members(number)) {
    most = std::max(most, isPacked ? 1 : placement_.alignOf(one.type));
    if (!isUnion && placement_.placeOf(one, end, isPacked) < one.bitOffset) fill(one.bitOffset);
    const std::uint32_t unqualified = types_.unqualified(one.type);
    const BtfType shown = types_.type(unqualified);
    const bool isInline = isRecord(shown.kind) && tagOf(unqualified, shown).cxx.empty();
    std::string line;
    if (isInline && one.name.empty())
      line = fmt::format("{} {}", keywordOf(shown.kind), body(unqualified, shown, inner, scope));
    else if (isInline && unqualified == one.type)
      line = fmt::format("{} {} {}", keywordOf(shown.kind), ownBody(one.type, shown, inner), member(one.name, scope));
    else
      line = declaration(one.type, member(one.name, scope));
    if (one.bits != 0) line += fmt::format(" : {}", one.bits);
    out += fmt::format("{}{};\n", inner, line);
    const std::uint64_t bits = one.bits != 0 ? one.bits : types_.sizeOf(one.type) * byteBits;
    largest = std::max(largest, bits);
    end = one.bitOffset + bits;
  }
  const std::uint64_t unit = most * byteBits, whole = std::uint64_t{type.bytes} * byteBits;
  if (const std::uint64_t natural = ((isUnion ? largest : end) + unit - 1) / unit * unit; whole > natural) {
    if (isUnion)
      out += gap(type.bytes);
    else
      fill(whole);
  }
  out += std::string(indent) + "}";
  if (isPacked) out += " __attribute__((packed))";
  return out;
}

/// True for types beside libbpf's header that it brings along, or that may be called otherwise: scalars by a name of
/// the program's own ("u64") are written as what they are.
bool CxxTypes::isOfHeaders(std::uint32_t number, const BtfType& type) const {
  if (readers_ != Readers::both) return false;
  if (isEnumeration(type.kind)) return type.name == "libbpf_tristate";
  const BtfKind kind = types_.type(types_.stripped(number)).kind;
  return type.kind == BtfKind::typedef_ && (kind == BtfKind::integer || kind == BtfKind::floating);
}

std::string CxxTypes::baseName(std::uint32_t number, const BtfType& type) {
  switch (type.kind) {
    case BtfKind::none:
      return "void";
    case BtfKind::integer:
      return integerName(type, readers_ == Readers::cxx);
    case BtfKind::floating:
      return floatName(type);
    case BtfKind::typedef_: {
      if (isOfHeaders(number, type) && std::ranges::find(headerTypedefs, type.name) == std::end(headerTypedefs))
        return baseName(types_.stripped(number), types_.type(types_.stripped(number)));
      const Spelling& name = typedefOf(number, type);
      // A member of the same name hides it in C++, also from members before.
      if (std::ranges::none_of(scopes_, [&](const Scope* scope) { return scope->names.has(name.cxx); }))
        return name.text;
      const auto [alias, isNew] = aliases_.try_emplace(number);
      if (isNew) {
        alias->second = claim(name.cxx + "_type", ordinary_, tags_);
        text_ += fmt::format("typedef {} {};\n", name.text, alias->second.text);
      }
      return alias->second.text;
    }
    case BtfKind::structure:
    case BtfKind::union_:
    case BtfKind::enumeration:
    case BtfKind::enumeration64:
    case BtfKind::forward:
      break;
    default:
      return identifierOf(type.name);
  }
  const Spelling& tag = tagOf(number, type);
  const std::string_view keyword =
      type.kind == BtfKind::forward ? (type.flag ? "union" : "struct") : keywordOf(type.kind);
  if (!tag.cxx.empty()) return fmt::format("{} {}", keyword, tag.text);
  if (!isEnumeration(type.kind)) return fmt::format("{} {}", keyword, ownBody(number, type, ""));
  // Its enumerators can stand in one place only.
  if (!shown_.insert(number).second || type.count == 0) return integerOf(type.bytes, type.flag);
  return fmt::format("enum {{{} }}", enumerators(number, type, "", false, " "));
}

std::string CxxTypes::parametersOf(std::uint32_t prototype, bool isNamed) {
  std::string out;
  for (const BtfMember& one : types_.members(prototype)) {
    const bool isVariadic = one.type == 0 && one.name.empty();
    out += (out.empty() ? "" : ", ") +
           (isVariadic ? std::string("...") : declaration(one.type, isNamed ? cxxName(one.name) : ""));
  }
  return out.empty() ? "void" : out;
}

std::string CxxTypes::declaration(std::uint32_t number, std::string name) {
  const Level level(depth_);
  if (level.isTooDeep(mostLevels) || ++pieces_ > mostPieces) return "void " + name;
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
      case BtfKind::prototype:
        if (needsParentheses) name = "(" + name + ")";
        name += "(" + parametersOf(number, false) + ")";
        break;
      case BtfKind::const_:
        if (qualifiers.find("const ") == std::string::npos) qualifiers += "const ";
        break;
      case BtfKind::volatile_:
        if (qualifiers.find("volatile ") == std::string::npos) qualifiers += "volatile ";
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
