// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/types/layout.h"

#include <algorithm>

#include <lathe/runtime/type_layout.h>

namespace lathe::bpf::detail {
namespace {

constexpr int deepest = 32;  // damaged BTF may contain itself
constexpr std::uint32_t bitsPerByte = 8;

TypeLayout layoutWithin(const Btf& types, std::uint32_t number, int depth, std::size_t& left);

TypeKind numberKind(const BtfType& type) {
  if (type.kind == BtfKind::floating) return TypeKind::floating;
  if (type.kind == BtfKind::integer && type.isBoolean()) return TypeKind::boolean;
  const bool isSigned = type.kind == BtfKind::integer ? type.isSigned() : type.flag;
  return isSigned ? TypeKind::signedInteger : TypeKind::unsignedInteger;
}

/// The name that the source has: a typedef's before what stands behind it.
std::string nameOf(const Btf& types, std::uint32_t number) {
  BtfType type = types.type(number);
  for (int i = 0; i < deepest && type.name.empty() && type.kind >= BtfKind::typedef_ && type.kind <= BtfKind::restrict_;
       ++i)
    type = types.type(type.to);
  return std::string(type.name);
}

void addMembers(const Btf& types, std::uint32_t number, int depth, std::size_t& left, TypeLayout& record) {
  for (const BtfMember& member : types.members(number)) {
    if (left == 0) return;
    --left;
    TypeLayout::Field field;
    field.name = member.name;
    field.offset = member.bitOffset / bitsPerByte;
    field.type = layoutWithin(types, member.type, depth + 1, left);
    record.align = std::max(record.align, field.type.align);
    if (member.bits != 0) {
      const bool isKnown = isInteger(field.type) || field.type.kind == TypeKind::boolean;
      if (field.name.empty() || !isKnown || member.bits > field.type.size * bitsPerByte) continue;
      field.type = bitField(std::move(field.type), member.bits, member.bitOffset % bitsPerByte);
    }
    if (field.offset > record.size || field.type.size > record.size - field.offset) continue;
    record.fields.push_back(std::move(field));
  }
}

/// `left`: members and enumerators that it may still have.
TypeLayout layoutWithin(const Btf& types, std::uint32_t number, int depth, std::size_t& left) {
  TypeLayout out;
  out.name = nameOf(types, number);
  const std::uint32_t plain = types.stripped(number);
  const BtfType type = types.type(plain);
  if (depth > deepest) return out;
  switch (type.kind) {
    case BtfKind::integer:
    case BtfKind::enumeration:
    case BtfKind::enumeration64:
    case BtfKind::floating:
      out.size = type.bytes;
      out.align = std::max(type.bytes, 1U);
      if (type.bytes <= sizeof(std::uint64_t)) out.kind = numberKind(type);
      if (type.count > left) break;
      left -= type.count;
      for (const BtfEnumerator& one : types.enumerators(plain))
        out.fields.push_back({std::string(one.name), static_cast<std::uint64_t>(one.value), {}});
      break;
    case BtfKind::pointer:
      out.kind = TypeKind::pointer;
      out.size = out.align = sizeof(std::uint64_t);
      break;
    case BtfKind::array: {
      TypeLayout element = layoutWithin(types, type.to, depth + 1, left);
      out.count = type.elements;
      out.size = element.size * out.count;
      out.align = element.align;
      if (element.size != 0 && out.size / element.size == out.count) {
        out.kind = TypeKind::array;
        out.element.push_back(std::move(element));
      }
      break;
    }
    case BtfKind::structure:
    case BtfKind::union_:
    case BtfKind::section:
      out.kind = TypeKind::record;
      out.size = type.bytes;
      addMembers(types, plain, depth, left, out);
      break;
    default:
      break;
  }
  return out;
}

}  // namespace

TypeLayout layoutOf(const Btf& types, std::uint32_t number) {
  std::size_t left = std::size_t{1} << 16;  // damaged BTF may hold each of many levels twice
  return layoutWithin(types, number, 0, left);
}

MapDefinition definitionOf(const Btf& types, std::string_view map) {
  MapDefinition out;
  for (const BtfMember& variable : types.members(types.find(BtfKind::section, ".maps"))) {
    if (variable.name != map) continue;
    for (const BtfMember& member : types.members(types.stripped(variable.type))) {
      const BtfType type = types.type(types.stripped(member.type));
      if (type.kind != BtfKind::pointer) continue;
      if (member.name == "key") out.key = type.to;
      if (member.name == "value") out.value = type.to;
      if (member.name != "type") continue;
      const BtfType array = types.type(types.stripped(type.to));
      if (array.kind == BtfKind::array && types.type(array.to).kind != BtfKind::integer) out.record = array.to;
    }
  }
  return out;
}

}  // namespace lathe::bpf::detail
