// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's types for what a kernel takes, made of the layouts in an image: for the headers of objects (c_header.cpp) and of
// kernels that are launched (kernel_header.cpp).
#pragma once

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lathe/runtime/type_layout.h>

#include "core/image/interface.h"

namespace lathe::detail {

/// Whether a name is a word of C++ itself.
[[nodiscard]] bool isCxxKeyword(std::string_view name) noexcept;

/// A name that C has no other meaning for.
inline std::string safe(std::string name) {
  if (isCKeyword(name)) name += '_';
  return name;
}

inline std::uint64_t alignUp(std::uint64_t value, std::uint64_t align) {
  return align == 0 ? value : (value + align - 1) / align * align;
}

inline bool isScalar(const TypeLayout& type) {
  return type.kind == TypeKind::boolean || type.kind == TypeKind::signedInteger ||
         type.kind == TypeKind::unsignedInteger || type.kind == TypeKind::floating || type.kind == TypeKind::bfloat;
}

inline std::uint64_t alignOf(const TypeLayout& type) {
  return std::max<std::uint64_t>(type.align, 1);
}

/// Whether two descriptions are of one type: how far pointers were looked through does not matter.
inline bool sameLayout(const TypeLayout& a, const TypeLayout& b) {
  const bool outside = a.kind == b.kind && a.size == b.size && a.align == b.align && a.count == b.count;
  if (!outside || a.fields.size() != b.fields.size()) return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    const auto &left = a.fields[i], &right = b.fields[i];
    if (left.name != right.name || left.offset != right.offset || !sameLayout(left.type, right.type)) return false;
  }
  if (a.kind == TypeKind::pointer || a.element.size() != b.element.size()) return a.kind == TypeKind::pointer;
  return a.element.empty() || sameLayout(a.element.front(), b.element.front());
}

/// The words by which a header asserts and aligns, and where its structures come from.
struct TypeWords {
  std::string_view assertion = "LATHE_STATIC_ASSERT";
  std::string_view alignOf = "LATHE_ALIGNOF";
  std::string_view alignAs = "LATHE_ALIGNAS";
  /// Structures that have a C++ name are the program's own, of headers that it includes: they are asserted only.
  bool ownTypes = false;
  /// Several headers may define a structure, of which the first does: the beginning of the macros that say so. Empty:
  /// one header has them all.
  std::string_view once = {};
};

/// `text` for the first of several headers that have it.
inline std::string once(const std::string& macro, const std::string& text) {
  return fmt::format("#ifndef {0}\n#define {0}\n{1}#endif\n", macro, text);
}

/// Whether CTypes::declare() has nothing but bytes for a type.
inline bool isBytes(const TypeLayout& type) {
  if (type.kind == TypeKind::array && !type.element.empty()) return isBytes(type.element.front());
  const bool bits = (type.kind == TypeKind::floating && type.size == 2) || type.kind == TypeKind::bfloat;
  if (isScalar(type)) return bits ? type.size != 2 : !std::has_single_bit(type.size) || type.size > 8;
  return type.kind != TypeKind::pointer && type.kind != TypeKind::record && type.kind != TypeKind::vector;
}

/// C's types for what a kernel takes, and the structures they need, each once and in an order that compiles.
class CTypes {
 public:
  /// Structures are called `prefix`_NAME, or NAME if there is no prefix.
  explicit CTypes(std::string prefix, TypeWords words = {})
      : prefix_(prefix.empty() ? prefix : prefix + "_"), words_(words) {}

  /// `name` declared as a `type`: "float x", "struct k_Point p[4]".
  std::string declare(const TypeLayout& type, const std::string& name) {
    if (type.kind == TypeKind::array && !type.element.empty())
      return declare(type.element.front(), fmt::format("{}[{}]", name, type.count));
    if (type.kind == TypeKind::pointer) return pointerTo(type, type.name.starts_with("const ")) + name;
    if (isScalar(type) && !scalar(type).empty()) return scalar(type) + " " + name;
    if (type.kind == TypeKind::record || type.kind == TypeKind::vector) return structure(type) + " " + name;
    return fmt::format("unsigned char {}[{}]", name, type.size);
  }

  std::string parameter(const Parameter& parameter, std::size_t index) {
    const std::string name = parameter.name.empty() ? fmt::format("argument{}", index) : safe(parameter.name);
    const TypeLayout& type = parameter.type;
    if (type.kind == TypeKind::pointer) return pointerTo(type, parameter.readOnly) + name;
    if (passedByValue(type)) return declare(type, name);
    TypeLayout pointer;
    pointer.kind = TypeKind::pointer;
    pointer.element.push_back(type);
    return pointerTo(pointer, true) + name;
  }

  /// As functions that follow the platform's C rules take it: structures by value.
  std::string value(const Parameter& parameter, std::size_t index) {
    if (passedByValue(parameter.type)) return this->parameter(parameter, index);
    return declare(parameter.type, parameter.name.empty() ? fmt::format("argument{}", index) : safe(parameter.name));
  }

  /// Whether C's rendition of `type` is passed in the same registers, beside having the same size.
  bool isExact(const TypeLayout& type) {
    if (passedByValue(type) || type.size == 0) return true;
    if (type.kind == TypeKind::array) return !type.element.empty() && isExact(type.element.front());
    return type.kind == TypeKind::record && !inexact_.contains(record(type)) &&
           std::ranges::all_of(type.fields, [&](const TypeLayout::Field& field) { return isExact(field.type); });
  }

  std::string result(const TypeLayout& type) {
    if (type.size == 0) return "void ";
    if (type.kind == TypeKind::pointer) return pointerTo(type, type.name.starts_with("const "));
    return declare(type, "");
  }

  const std::string& definitions() const { return definitions_; }
  const std::string& assertions() const { return assertions_; }

 private:
  /// Empty: C has none.
  static std::string scalar(const TypeLayout& type) {
    if (type.kind == TypeKind::boolean) return "bool";
    if (type.kind == TypeKind::floating && type.size == 4) return "float";
    if (type.kind == TypeKind::floating && type.size == 8) return "double";
    std::string name = type.name;
    dropQualifiers(name);
    // Types of their own, whatever has the same width.
    if ((name == "char" && type.size == 1) ||
        ((name == "long long" || name == "unsigned long long") && type.size == sizeof(long long)))
      return name;
    const bool bits = type.kind == TypeKind::floating || type.kind == TypeKind::bfloat;  // as they lie in memory
    if (bits && type.size != 2) return {};
    for (const std::uint64_t size : {1U, 2U, 4U, 8U}) {
      if (type.size == size) return fmt::format("{}int{}_t", type.kind == TypeKind::signedInteger ? "" : "u", size * 8);
    }
    return {};
  }

  std::string pointerTo(const TypeLayout& pointer, bool constant) {
    const TypeLayout* const to = pointer.element.empty() ? nullptr : &pointer.element.front();
    std::string out = constant ? "const " : "";
    if (to && isScalar(*to) && !scalar(*to).empty())
      out += scalar(*to);
    else if (to && to->size != 0 && (to->kind == TypeKind::record || to->kind == TypeKind::vector))
      out += structure(*to);
    else
      out += "void";
    return out + " *";
  }

  static void dropQualifiers(std::string& name) {
    for (const std::string_view qualifier : {"const ", "volatile "}) {
      if (name.starts_with(qualifier)) name.erase(0, qualifier.size());
    }
  }

  /// The structure that stands for `type`, as it is spelled where it is used.
  std::string structure(const TypeLayout& type) {
    std::string name = type.name;
    dropQualifiers(name);
    // Types without a name, and vectors, have parentheses in what Clang calls them.
    const bool hasName = type.kind == TypeKind::record && !name.empty() && name.find('(') == std::string::npos;
    if (!words_.ownTypes || !hasName) return "struct " + record(type);
    name.insert(0, "::");
    if (names_.insert(name).second) {
      assertions_ += fmt::format("{0}(sizeof({1}) == {2} && {3}({1}) == {4}, \"{1}: another layout in the kernel\");\n",
                                 words_.assertion, name, type.size, words_.alignOf, type.align);
    }
    return name;
  }

  /// The name of the structure that stands for `type`, which is defined on first sight.
  std::string record(TypeLayout type) {
    dropQualifiers(type.name);
    for (const auto& [known, name] : records_) {
      if (known.name == type.name && sameLayout(known, type)) return name;
    }
    std::string base = type.kind == TypeKind::vector && !type.element.empty()
                           ? fmt::format("{}{}x{}", prefix_, cIdentifier(type.element.front().name), type.count)
                           : prefix_ + cIdentifier(type.name);
    std::string name = base;
    for (int i = 2; !names_.insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
    records_.emplace_back(type, name);
    define(type, name);
    return name;
  }

  void define(const TypeLayout& type, const std::string& name) {
    std::string members;
    std::string checks;
    const char* keyword = "struct";
    if (!writeMembers(type, name, members, checks, keyword)) {
      // Members that C cannot place (bit-fields, packed structures, reused padding): bytes of the right size.
      members = fmt::format("  {}({}) unsigned char bytes[{}];\n", words_.alignAs, type.align, type.size);
      checks.clear();
      keyword = "struct";
      inexact_.insert(name);
    }
    const std::string text =
        keyword == std::string_view("union")
            ? fmt::format("/* {} */\nstruct {} {{\n  union {{\n{}  }};\n}};\n", type.name, name, members)
            : fmt::format("/* {} */\nstruct {} {{\n{}}};\n", type.name, name, members);
    definitions_ += words_.once.empty() ? text : once(fmt::format("{}_struct_{}", words_.once, name), text);
    assertions_ += fmt::format(
                       "{3}(sizeof(struct {0}) == {1}, \"{0}: size\");\n"
                       "{3}({4}(struct {0}) == {2}, \"{0}: alignment\");\n",
                       name, type.size, type.align, words_.assertion, words_.alignOf) +
                   checks;
  }

  /// False if C's rules cannot give these offsets.
  bool writeMembers(const TypeLayout& type, const std::string& name, std::string& members, std::string& checks,
                    const char*& keyword) {
    if (type.kind == TypeKind::vector) {
      if (type.element.empty() || type.element.front().size == 0 || type.size % type.element.front().size != 0)
        return false;
      members =
          fmt::format("  {}({}) {};\n", words_.alignAs, type.align,
                      declare(type.element.front(), fmt::format("lane[{}]", type.size / type.element.front().size)));
      return true;
    }
    std::vector<TypeLayout::Field> fields = type.fields;
    // C compilers place bit-fields as they like: their bytes are padding.
    std::erase_if(fields,
                  [](const TypeLayout::Field& field) { return field.type.size == 0 || isBitField(field.type); });
    if (fields.empty()) return false;
    std::ranges::stable_sort(fields, {}, &TypeLayout::Field::offset);
    const bool isUnion = fields.size() > 1 && fields.back().offset == 0;
    if (isUnion) keyword = "union";
    std::uint64_t end = 0, align = 1;
    for (const TypeLayout::Field& field : fields) {
      if (field.offset % alignOf(field.type) == 0) align = std::max(align, alignOf(field.type));
    }
    if (align > type.align) return false;
    unsigned pads = 0;
    std::set<std::string> used;
    // The whole may be aligned more strictly than any of its members.
    std::string raise = align < type.align ? fmt::format("{}({}) ", words_.alignAs, type.align) : "";
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const TypeLayout::Field& field = fields[i];
      const bool misplaced = field.offset % alignOf(field.type) != 0;
      if (misplaced) inexact_.insert(name);
      if (!isUnion && field.offset < end) return false;
      if (!isUnion && alignUp(end, misplaced ? 1 : alignOf(field.type)) != field.offset)
        members +=
            fmt::format("  {}unsigned char lathe_pad{}[{}];\n", std::exchange(raise, ""), pads++, field.offset - end);
      std::string member = safe(cIdentifier(field.name.empty() ? "base" : field.name));
      if (!used.insert(member).second) used.insert(member += std::to_string(i));
      if (!misplaced && raise.empty() && isBytes(field.type) && alignOf(field.type) > 1)
        raise = fmt::format("{}({}) ", words_.alignAs, alignOf(field.type));
      members += fmt::format(
          "  {}{};\n", std::exchange(raise, ""),
          misplaced ? fmt::format("unsigned char {}[{}]", member, field.type.size) : declare(field.type, member));
      checks += fmt::format("{3}(offsetof(struct {0}, {1}) == {2}, \"{0}.{1}: offset\");\n", name, member, field.offset,
                            words_.assertion);
      end = std::max(end, field.offset + field.type.size);
    }
    if (alignUp(end, type.align) > type.size) return false;
    if (alignUp(end, type.align) < type.size) {
      if (isUnion) return false;
      members += fmt::format("  unsigned char lathe_pad{}[{}];\n", pads, type.size - end);
    }
    return true;
  }

  std::string prefix_;
  TypeWords words_;
  std::vector<std::pair<TypeLayout, std::string>> records_;
  std::set<std::string> names_;
  std::set<std::string> inexact_;  ///< structures with bytes in place of members
  std::string definitions_;
  std::string assertions_;
};

}  // namespace lathe::detail
