// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a type layout and a JSON value side by side. Nothing is guessed: an unknown, missing or surplus member is an
// error.
#include "tools/lathe/arguments/value.h"

#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include <lathe/runtime/type_layout.h>

#include "tools/lathe/arguments/element.h"

namespace lathe::tool {
namespace {

/// A member of a record as JSON sees it, with the members of base classes lifted into the record.
struct Member {
  std::string name;
  std::uint64_t offset;
  const TypeLayout* type;
};

void collectMembers(const TypeLayout& record, std::uint64_t base, std::vector<Member>& out) {
  for (const TypeLayout::Field& field : record.fields)
    if (field.name.empty() && field.type.kind == TypeKind::record)
      collectMembers(field.type, base + field.offset, out);
    else
      out.push_back({field.name, base + field.offset, &field.type});
}

std::vector<Member> membersOf(const TypeLayout& record) {
  std::vector<Member> members;
  collectMembers(record, 0, members);
  return members;
}

bool isUnion(const TypeLayout& record) {
  constexpr std::uint64_t bitsPerByte = 8;
  const auto begin = [](const TypeLayout::Field& field) {
    return field.offset * bitsPerByte + (isBitField(field.type) ? field.type.align : 0);
  };
  const auto end = [&](const TypeLayout::Field& field) {
    return begin(field) + (isBitField(field.type) ? field.type.count : field.type.size * bitsPerByte);
  };
  for (std::size_t i = 1; i < record.fields.size(); ++i)
    if (begin(record.fields[i]) < end(record.fields[i - 1])) return true;
  return false;
}

/// A record without a name within another: a base class, an anonymous structure or union.
bool isPart(const TypeLayout::Field& field) {
  return field.name.empty() && field.type.kind == TypeKind::record;
}

/// True where the record or a part of it is a union, so that not all of its members are given.
bool hasChoice(const TypeLayout& record) {
  return isUnion(record) || std::ranges::any_of(record.fields, [](const TypeLayout::Field& field) {
           return isPart(field) && hasChoice(field.type);
         });
}

Error mismatch(const std::string& subject, std::string_view what) {
  return {ErrorCode::ArgumentMismatch, fmt::format("{}: {}", subject, what)};
}

std::string namesOf(const std::vector<Member>& members) {
  std::string out;
  for (const Member& member : members) out += fmt::format("{}'{}'", out.empty() ? "" : ", ", member.name);
  return out;
}

/// Of a structure each member is given; of a union one, or the members of one of its parts.
Result<void> checkGiven(const TypeLayout& record, const std::string& name, const std::set<std::string>& given,
                        const std::string& subject) {
  const auto isGiven = [&](const TypeLayout::Field& field) {
    if (!isPart(field)) return given.contains(field.name);
    return std::ranges::any_of(membersOf(field.type), [&](const Member& one) { return given.contains(one.name); });
  };
  const bool takesOne = isUnion(record);
  if (takesOne && std::ranges::count_if(record.fields, isGiven) != 1) {
    const std::string what =
        record.name.empty() || record.name == name ? fmt::format("'{}'", name) : fmt::format("a part of '{}'", name);
    return mismatch(subject, fmt::format("{} is a union; give one of {}", what, namesOf(membersOf(record))));
  }
  for (const TypeLayout::Field& field : record.fields) {
    if (takesOne && !isGiven(field)) continue;
    if (isPart(field)) {
      if (auto done = checkGiven(field.type, name, given, subject); !done) return done;
    } else if (!isGiven(field)) {
      return mismatch(subject, fmt::format("member '{}' of '{}' is missing", field.name, name));
    }
  }
  return {};
}

Json hexOf(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte byte : bytes) out += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return out;
}

bool isSigned(const TypeLayout& type) {
  return type.kind == TypeKind::signedInteger;
}

/// The low `bits` of a number, continued with its sign where it has one.
std::uint64_t extended(std::uint64_t number, std::uint64_t bits, bool isSigned) {
  if (bits == 0 || bits >= 64) return number;
  const std::uint64_t unused = 64 - bits;
  return isSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number << unused) >> unused)
                  : number << unused >> unused;
}

/// The number in the bytes of an integer.
std::uint64_t numberIn(const TypeLayout& type, std::span<const std::byte> from) {
  std::uint64_t out = 0;
  std::memcpy(&out, from.data(), std::min<std::size_t>(type.size, sizeof(out)));  // little endian
  return extended(out, type.size * 8, isSigned(type));
}

/// True if a bit-field lies in its `bytes`, and a number of 64 bits has its declared type: images may say anything.
bool isSound(const TypeLayout& type, std::size_t bytes) {
  return type.count <= 64 && (type.align + type.count + 7) / 8 <= bytes && type.element.front().size <= 8 &&
         !isBitField(type.element.front());
}

/// `type` is that of a bit-field, whose bytes these are.
Json decodeBits(const TypeLayout& type, std::span<const std::byte> from) {
  const TypeLayout& declared = type.element.front();
  if (!isSound(type, from.size())) return hexOf(from);
  std::uint64_t number = 0;
  for (std::uint64_t i = 0; i < type.count; ++i) {
    const std::uint64_t at = type.align + i;
    number |= std::uint64_t{std::to_integer<unsigned>(from[at / 8]) >> at % 8 & 1U} << i;
  }
  number = extended(number, type.count, isSigned(declared));
  return decodeJson(declared, std::as_bytes(std::span(&number, 1)).first(declared.size));
}

Result<void> encodeBits(const Json& value, const TypeLayout& type, std::span<std::byte> to,
                        const std::string& subject) {
  const TypeLayout& declared = type.element.front();
  if (!isSound(type, to.size())) return mismatch(subject, "it is no bit-field as compilers make them");
  std::uint64_t whole = 0;
  const auto bytes = std::as_writable_bytes(std::span(&whole, 1)).first(declared.size);
  if (auto done = encodeJson(value, declared, bytes, subject); !done) return done;
  const std::uint64_t number = numberIn(declared, bytes);
  if (extended(number, type.count, isSigned(declared)) != number)
    return mismatch(subject, fmt::format("{} does not fit into {} bits", value.dump(), type.count));
  for (std::uint64_t i = 0; i < type.count; ++i) {
    const std::uint64_t at = type.align + i;
    const auto bit = static_cast<std::byte>(1U << at % 8);
    to[at / 8] = (number >> i & 1) != 0 ? to[at / 8] | bit : to[at / 8] & ~bit;
  }
  return {};
}

Result<void> encodeMember(const Json& value, const Member& member, std::span<std::byte> to,
                          const std::string& subject) {
  return encodeJson(value, *member.type, to.subspan(member.offset, member.type->size),
                    fmt::format("{}.{}", subject, member.name));
}

Result<void> encodeRecord(const Json& value, const TypeLayout& type, std::span<std::byte> to,
                          const std::string& subject) {
  const std::vector<Member> members = membersOf(type);
  const bool takesOne = hasChoice(type);
  // std::array and its like: one array in a structure, written as the array.
  if (value.is_array() && members.size() == 1 && members[0].type->kind == TypeKind::array &&
      (value.size() != 1 || !value[0].is_array()))
    return encodeMember(value, members[0], to, subject);
  if (value.is_array() && !takesOne) {
    if (value.size() != members.size())
      return mismatch(subject, fmt::format("'{}' has {} members but {} values were given", type.name, members.size(),
                                           value.size()));
    for (std::size_t i = 0; i < members.size(); ++i)
      if (auto done = encodeMember(value[i], members[i], to, subject); !done) return done;
    return {};
  }
  if (!value.is_object())
    return mismatch(subject, fmt::format("'{}' is a record; give an object with {}", type.name, namesOf(members)));
  std::set<std::string> given;
  for (const auto& [name, item] : value.items()) {
    const auto member = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.name == name; });
    if (member == members.end())
      return mismatch(subject, fmt::format("'{}' has no member '{}'; it has {}", type.name, name, namesOf(members)));
    if (auto done = encodeMember(item, *member, to, subject); !done) return done;
    given.insert(name);
  }
  return checkGiven(type, type.name, given, subject);
}

bool isText(const TypeLayout& type) {
  return type.kind == TypeKind::array && type.element.size() == 1 && type.element[0].name == "char" &&
         type.element[0].size == 1;
}

/// The text in an array of char: printable ASCII with nothing but zeros behind it.
std::optional<std::string> textIn(std::span<const std::byte> from) {
  const std::string_view all(reinterpret_cast<const char*>(from.data()), from.size());
  const std::string_view text = all.substr(0, all.find('\0'));
  const auto isPrintable = [](char c) { return c >= ' ' && c <= '~'; };
  if (!std::ranges::all_of(text, isPrintable)) return std::nullopt;
  if (all.find_first_not_of('\0', text.size()) != std::string_view::npos) return std::nullopt;
  return std::string(text);
}

Result<void> encodeElements(const Json& value, const TypeLayout& type, std::span<std::byte> to,
                            const std::string& subject) {
  if (type.element.empty()) return mismatch(subject, fmt::format("'{}' has no known elements; use hex:", type.name));
  if (value.is_string() && isText(type)) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() > type.count)
      return mismatch(subject, fmt::format("'{}' takes up to {} characters", type.name, type.count));
    std::memcpy(to.data(), text.data(), text.size());
    return {};
  }
  if (!value.is_array() || value.size() != type.count)
    return mismatch(subject, fmt::format("'{}' takes an array of {} values", type.name, type.count));
  const TypeLayout& element = type.element[0];
  for (std::size_t i = 0; i < value.size(); ++i)
    if (auto done = encodeJson(value[i], element, to.subspan(i * element.size, element.size),
                               fmt::format("{}[{}]", subject, i));
        !done)
      return done;
  return {};
}

Json decodeRecord(const TypeLayout& type, std::span<const std::byte> from) {
  Json out = Json::object();
  for (const Member& member : membersOf(type))
    out[member.name] = decodeJson(*member.type, from.subspan(member.offset, member.type->size));
  return out;
}

/// The enumerator with that name or value; null if there is none.
const TypeLayout::Field* enumeratorOf(const TypeLayout& type, std::string_view name) {
  const auto found = std::ranges::find(type.fields, name, &TypeLayout::Field::name);
  return isInteger(type) && found != type.fields.end() ? &*found : nullptr;
}
const TypeLayout::Field* enumeratorOf(const TypeLayout& type, std::uint64_t value) {
  const auto found = std::ranges::find(type.fields, value, &TypeLayout::Field::offset);
  return isInteger(type) && found != type.fields.end() ? &*found : nullptr;
}

/// "; 'Mode' has 'a', 'b', …", for errors.
std::string enumeratorsOf(const TypeLayout& type) {
  constexpr std::size_t most = 8;
  std::string out;
  if (!isInteger(type)) return out;
  for (std::size_t i = 0; i < std::min(most, type.fields.size()); ++i)
    out += fmt::format("{}'{}'", i == 0 ? "" : ", ", type.fields[i].name);
  if (type.fields.size() > most) out += ", …";
  return out.empty() ? out : fmt::format("; '{}' has {}", type.name, out);
}

}  // namespace

Result<void> encodeText(std::string_view text, const TypeLayout& type, std::span<std::byte> to,
                        const std::string& subject) {
  const std::optional<ElementType> scalar = scalarWithin(type);
  if (!scalar || scalar->bytes() != type.size || type.kind == TypeKind::record)
    return mismatch(subject, fmt::format("'{}' is no scalar; give json:… or hex:…", type.name));
  if (const TypeLayout::Field* const one = enumeratorOf(type, text)) {
    std::memcpy(to.data(), &one->offset, std::min<std::size_t>(type.size, sizeof(one->offset)));  // little endian
    return {};
  }
  if (const std::optional<std::string> reason = storeText(*scalar, text, to.data()))
    return mismatch(subject, *reason + enumeratorsOf(type));
  return {};
}

Result<void> encodeJson(const Json& value, const TypeLayout& type, std::span<std::byte> to,
                        const std::string& subject) {
  switch (type.kind) {
    case TypeKind::record:
      return encodeRecord(value, type, to, subject);
    case TypeKind::array:
    case TypeKind::vector:
      return encodeElements(value, type, to, subject);
    case TypeKind::pointer:
      return value.is_null()
                 ? Result<void>()
                 : mismatch(subject, "a pointer inside a value can only be null: it has no memory to point to");
    case TypeKind::opaque:
      return mismatch(subject, fmt::format("the layout of '{}' is not known; use hex:", type.name));
    default:
      break;
  }
  if (isBitField(type)) return encodeBits(value, type, to, subject);
  if (value.is_string()) return encodeText(value.get_ref<const std::string&>(), type, to, subject);
  if (value.is_number() || value.is_boolean()) return encodeText(value.dump(), type, to, subject);
  return mismatch(subject, fmt::format("'{}' takes a number", type.name));
}

Json decodeJson(const TypeLayout& type, std::span<const std::byte> from) {
  switch (type.kind) {
    case TypeKind::record:
      return decodeRecord(type, from);
    case TypeKind::array:
    case TypeKind::vector: {
      if (type.element.empty()) return hexOf(from);
      if (isText(type))
        if (auto text = textIn(from.first(type.size))) return *std::move(text);
      Json out = Json::array();
      const TypeLayout& element = type.element[0];
      for (std::uint64_t i = 0; i < type.count; ++i)
        out.push_back(decodeJson(element, from.subspan(i * element.size, element.size)));
      return out;
    }
    case TypeKind::pointer:
      if (type.size == sizeof(std::uint64_t)) return fmt::format("{:#x}", numberIn(type, from));
      return hexOf(from);
    case TypeKind::opaque:
      return hexOf(from);
    default:
      break;
  }
  if (isBitField(type)) return decodeBits(type, from);
  if (const TypeLayout::Field* const one = isInteger(type) ? enumeratorOf(type, numberIn(type, from)) : nullptr)
    return one->name;
  const std::optional<ElementType> scalar = scalarWithin(type);
  return scalar ? scalarJson(*scalar, from.data()) : hexOf(from);
}

bool parseHex(std::string_view text, std::vector<std::byte>& out) {
  std::optional<unsigned> high;
  for (const char c : text) {
    if (c == ' ' || c == '_') continue;
    const std::size_t digit = std::string_view("0123456789abcdefABCDEF").find(c);
    if (digit == std::string_view::npos) return false;
    const auto value = static_cast<unsigned>(digit < 16 ? digit : digit - 6);
    if (high) out.push_back(static_cast<std::byte>(*high << 4 | value));
    high = high ? std::nullopt : std::optional(value);
  }
  return !high;
}

}  // namespace lathe::tool
