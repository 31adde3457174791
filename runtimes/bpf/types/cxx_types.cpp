// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which types a header has, in which order, and under which names. declarations.cpp writes them.
#include "runtimes/bpf/types/cxx_types.h"

#include <algorithm>

#include <fmt/format.h>

namespace lathe::bpf::detail {
namespace {

std::string_view keywordOf(const BtfType& type) {
  if (type.kind == BtfKind::union_ || (type.kind == BtfKind::forward && type.flag)) return "union";
  return type.kind == BtfKind::enumeration || type.kind == BtfKind::enumeration64 ? "enum" : "struct";
}

constexpr int mostLevels = 64;  // damaged BTF may go in a circle

}  // namespace

CxxTypes::CxxTypes(const Btf& types, Readers readers) : types_(types), readers_(readers), placement_(types) {
  // Clang's own, which nobody may define.
  for (const std::string_view name : {"__va_list_tag", "__builtin_va_list", "__int128_t", "__uint128_t"}) reserve(name);
}

void CxxTypes::reserve(std::string_view name) {
  tags_.emplace(name);
  ordinary_.emplace(name);
}

CxxTypes::Spelling CxxTypes::spelled(std::string_view name, std::string_view suffix) {
  Spelling out{fmt::format("{}{}", name, suffix), {}};
  out.text = out.cxx;
  if (readers_ == Readers::cxx || suffix.empty() || !isWordOfCxx(name) || isMacroOfHost(name)) return out;
  out.text = fmt::format("LATHE_WORD({}, {})", name, suffix);
  hasWords_ = true;
  return out;
}

/// A name of its own in `in`. C++ has one scope for tags and other names where C has two: `other` is the second, in
/// which the name `shared` is the same type's.
CxxTypes::Spelling CxxTypes::claim(std::string_view wanted, std::set<std::string, std::less<>>& in,
                                   const std::set<std::string, std::less<>>& other, std::string_view shared) {
  std::string base = identifierOf(wanted);
  const bool isKernel = readers_ == Readers::kernel;
  std::string suffix;
  if (!isKernel && isMacroOfHost(base))
    base += '_';
  else if (isWordOfCxx(base))
    suffix = isKernel ? "___cxx" : "_";
  const auto isTaken = [&](const std::string& name) {
    return in.contains(name) || (other.contains(name) && name != shared);
  };
  if (!isTaken(base + suffix)) {
    in.insert(base + suffix);
    return spelled(base, suffix);
  }
  std::string name;
  for (int i = 2; name.empty() || isTaken(name); ++i) name = fmt::format("{}{}{}", base, isKernel ? "___" : "_", i);
  in.insert(name);
  return {name, name};
}

/// The name behind `struct`, `union` or `enum`; empty for those that are written where they are used.
const CxxTypes::Spelling& CxxTypes::tagOf(std::uint32_t number, const BtfType& type) {
  if (const auto known = tagNames_.find(number); known != tagNames_.end()) return known->second;
  if (type.name.empty()) {
    static const Spelling none;
    return none;
  }
  // A declaration without members is of the first type of that name.
  const std::string key = fmt::format("{} {}", keywordOf(type), type.name);
  const bool isForward = type.kind == BtfKind::forward;
  if (const auto known = tagsByKey_.find(key); known != tagsByKey_.end() && (isForward || !defined_.contains(key))) {
    if (!isForward) defined_.insert(key);
    return tagNames_[number] = known->second;
  }
  Spelling name = claim(type.name, tags_, ordinary_);
  tagsByKey_.emplace(key, name);
  if (!isForward) defined_.insert(key);
  return tagNames_[number] = std::move(name);
}

const CxxTypes::Spelling& CxxTypes::typedefOf(std::uint32_t number, const BtfType& type) {
  if (const auto known = typedefNames_.find(number); known != typedefNames_.end()) return known->second;
  const BtfType target = types_.type(type.to);
  if (type.name == "bool" && types_.type(types_.stripped(type.to)).isBoolean())
    return typedefNames_[number] = {"bool", "bool"};
  return typedefNames_[number] = claim(type.name, ordinary_, tags_, tagOf(type.to, target).cxx);
}

void CxxTypes::nameUnnamed(std::uint32_t number, std::string_view wanted) {
  for (int i = 0; i < mostLevels; ++i) {
    const BtfType type = types_.type(number);
    switch (type.kind) {
      case BtfKind::pointer:
      case BtfKind::array:
      case BtfKind::const_:
      case BtfKind::volatile_:
      case BtfKind::restrict_:
      case BtfKind::typeTag:
        number = type.to;
        continue;
      case BtfKind::structure:
      case BtfKind::union_:
      case BtfKind::enumeration:
      case BtfKind::enumeration64:
        if (type.name.empty() && !tagNames_.contains(number)) tagNames_[number] = claim(wanted, tags_, ordinary_);
        return;
      default:
        return;
    }
  }
}

void CxxTypes::declareFunction(std::uint32_t number) {
  const BtfType function = types_.type(number);
  if (!ordinary_.emplace(function.name).second) return;
  declare(function.to);
  functions_.push_back(number);
}

void CxxTypes::declare(std::uint32_t number) {
  const Level level(depth_);
  if (level.isTooDeep() || !declared_.insert(number).second) return;
  const BtfType type = types_.type(number);
  switch (type.kind) {
    case BtfKind::structure:
    case BtfKind::union_:
    case BtfKind::forward: {
      const Spelling& tag = tagOf(number, type);
      if (tag.cxx.empty() || (type.name.empty() && !seen_.contains(number))) define(number);
      if (!tag.cxx.empty()) {
        const std::string text = fmt::format("{} {};\n", keywordOf(type), tag.text);
        if (forwards_.insert(text).second) forwardText_ += text;
      }
      return;
    }
    case BtfKind::enumeration:
    case BtfKind::enumeration64:
      return define(number);
    case BtfKind::typedef_:
      if (seen_.contains(number)) return;
      seen_[number] = false;
      declare(type.to);
      ++uses_[typedefOf(number, type).cxx];
      order_.push_back(number);
      return;
    case BtfKind::array:
      return define(type.to);
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

void CxxTypes::define(std::uint32_t number) {
  if (const auto known = seen_.find(number); known != seen_.end() && known->second) return;
  const Level level(depth_);
  if (level.isTooDeep()) return;
  const BtfType type = types_.type(number);
  const bool isDeclared = seen_.contains(number);
  seen_[number] = true;
  switch (type.kind) {
    case BtfKind::none:
    case BtfKind::integer:
    case BtfKind::floating:
      return;
    case BtfKind::pointer:
      return declare(type.to);
    case BtfKind::prototype:
    case BtfKind::forward:
      return declare(number);
    case BtfKind::enumeration:
    case BtfKind::enumeration64:
      for (const BtfEnumerator& one : types_.enumerators(number)) ++uses_[std::string(one.name)];
      if (!tagOf(number, type).cxx.empty()) order_.push_back(number);
      return;
    case BtfKind::typedef_: {
      // Before what it names, which may hold pointers to itself by this name.
      const BtfKind kind = types_.type(type.to).kind;
      const bool isAhead =
          (kind == BtfKind::structure || kind == BtfKind::union_) && !tagOf(type.to, types_.type(type.to)).cxx.empty();
      if (isAhead)
        declare(type.to);
      else
        define(type.to);
      if (!isDeclared) {
        ++uses_[typedefOf(number, type).cxx];
        order_.push_back(number);
      }
      return define(type.to);
    }
    case BtfKind::structure:
    case BtfKind::union_: {
      const bool isNamed = !tagOf(number, type).cxx.empty();  // before those of its members
      for (const BtfMember& member : types_.members(number)) define(member.type);
      if (isNamed) order_.push_back(number);
      return;
    }
    default:
      return define(type.to);
  }
}

std::string CxxTypes::definitions() {
  for (const std::uint32_t number : order_) {
    const BtfType type = types_.type(number);
    switch (type.kind) {
      case BtfKind::typedef_:
        emitTypedef(number, type);
        break;
      case BtfKind::enumeration:
      case BtfKind::enumeration64:
        emitEnumeration(number, type);
        break;
      default:
        emitRecord(number, type);
    }
  }
  order_.clear();
  std::string functions;
  for (const std::uint32_t number : functions_) {
    const BtfType function = types_.type(number);
    const std::string head = fmt::format("{}({})", function.name, parametersOf(function.to, true));
    functions += fmt::format("{} __ksym;\n", declaration(types_.type(function.to).to, head));
  }
  std::string out = text_;
  if (functions.empty()) return out;
  out += "\n#ifndef __ksym\n#define __ksym __attribute__((section(\".ksyms\")))\n#endif\n";
  return out + "#ifdef __cplusplus\nextern \"C\" {\n#endif\n" + functions + "#ifdef __cplusplus\n}\n#endif\n";
}

std::pair<std::string_view, std::string_view> CxxTypes::words() const {
  if (!hasWords_) return {};
  return {
      "#ifdef __cplusplus\n#define LATHE_WORD(name, ending) name##ending\n"
      "#else\n#define LATHE_WORD(name, ending) name\n#endif\n",
      "#undef LATHE_WORD\n"};
}

const std::string_view wordsOfC =
    "#if !defined(__cplusplus) && __STDC_VERSION__ < 202311L\n"
    "#ifndef static_assert\n#define static_assert _Static_assert\n#endif\n"
    "#ifndef bool\n#define bool _Bool\n#endif\n"
    "#endif\n";

}  // namespace lathe::bpf::detail
