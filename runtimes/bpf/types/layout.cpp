// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/types/layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace lathe::bpf::detail {
namespace {

constexpr int deepest = 32;  // damaged BTF may contain itself
constexpr std::uint32_t bitsPerByte = 8;

TypeLayout layoutWithin(const Btf& types, std::uint32_t number, int depth);

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

/// Bit-fields from `first` on whose bytes overlap or touch within one byte, as one member; `first` moves behind them.
TypeLayout::Field bitFields(const std::vector<BtfMember>& members, std::size_t& first) {
  TypeLayout::Field out;
  out.offset = members[first].bitOffset / bitsPerByte;
  std::uint64_t end = out.offset;
  for (; first < members.size() && members[first].bits != 0; ++first) {
    const BtfMember& member = members[first];
    if (end != out.offset && member.bitOffset / bitsPerByte >= end) break;
    end = std::max<std::uint64_t>(end, (member.bitOffset + member.bits + bitsPerByte - 1) / bitsPerByte);
    out.name += fmt::format("{}{}:{}", out.name.empty() ? "" : " ", member.name, member.bits);
  }
  out.type.size = end - out.offset;
  return out;
}

void addMembers(const Btf& types, std::uint32_t number, int depth, TypeLayout& record) {
  const auto members = types.members(number);
  for (std::size_t i = 0; i < members.size();) {
    TypeLayout::Field field;
    if (members[i].bits != 0) {
      field = bitFields(members, i);
    } else {
      field.name = members[i].name;
      field.offset = members[i].bitOffset / bitsPerByte;
      field.type = layoutWithin(types, members[i].type, depth + 1);
      ++i;
    }
    if (field.offset > record.size || field.type.size > record.size - field.offset) continue;
    record.align = std::max(record.align, field.type.align);
    record.fields.push_back(std::move(field));
  }
}

TypeLayout layoutWithin(const Btf& types, std::uint32_t number, int depth) {
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
      break;
    case BtfKind::pointer:
      out.kind = TypeKind::pointer;
      out.size = out.align = sizeof(std::uint64_t);
      break;
    case BtfKind::array: {
      TypeLayout element = layoutWithin(types, type.to, depth + 1);
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
      addMembers(types, plain, depth, out);
      break;
    default:
      break;
  }
  return out;
}

}  // namespace

TypeLayout layoutOf(const Btf& types, std::uint32_t number) {
  return layoutWithin(types, number, 0);
}

}  // namespace lathe::bpf::detail
