// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/types/btf.h"

#include <array>
#include <cstring>

#include <elf.h>

namespace lathe::bpf::detail {
namespace {

constexpr std::uint16_t magic = 0xeb9f;

template <class T>
std::optional<T> loadAt(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T out;
  std::memcpy(&out, bytes.data() + offset, sizeof(T));
  return out;
}

std::optional<std::span<const std::byte>> part(std::span<const std::byte> bytes, std::uint64_t offset,
                                               std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(offset, size);
}

Error damaged(const char* what) {
  return {.code = ErrorCode::ImageCorrupt, .message = std::string("BTF: ") + what, .target = "bpf"};
}

constexpr std::size_t wordBytes = 4;
constexpr std::size_t headBytes = BtfRecord::headWords * wordBytes;

BtfKind kindIn(std::uint32_t info) {
  return static_cast<BtfKind>(info >> 24 & 0x1f);
}
std::uint32_t countIn(std::uint32_t info) {
  return info & 0xffff;
}

}  // namespace

BtfRecord recordOf(BtfKind kind) noexcept {
  constexpr int none = BtfRecord::none;
  switch (kind) {
    case BtfKind::none:
    case BtfKind::forward:
    case BtfKind::floating:
      return {};
    case BtfKind::integer:
      return {.fixed = 1};
    case BtfKind::array:
      return {.fixed = 3, .fixedTypes = 2};  // element, index, length
    case BtfKind::structure:
    case BtfKind::union_:
      return {.each = 3, .name = 0, .type = 1};
    case BtfKind::enumeration:
      return {.each = 2, .name = 0, .type = none};
    case BtfKind::enumeration64:
      return {.each = 3, .name = 0, .type = none};
    case BtfKind::section:
      return {.each = 3, .name = none, .type = 0};
    case BtfKind::prototype:
      return {.each = 2, .refers = true, .name = 0, .type = 1};
    case BtfKind::variable:
    case BtfKind::declTag:
      return {.fixed = 1, .refers = true};
    case BtfKind::pointer:
    case BtfKind::typedef_:
    case BtfKind::volatile_:
    case BtfKind::const_:
    case BtfKind::restrict_:
    case BtfKind::function:
    case BtfKind::typeTag:
      return {.refers = true};
  }
  return {};
}

Result<Btf> Btf::parse(std::vector<std::byte> bytes) {
  auto out = view(bytes);  // a vector that is moved keeps its bytes where they are
  if (out) out->bytes_ = std::move(bytes);
  return out;
}

Result<Btf> Btf::view(std::span<const std::byte> all) {
  struct Header {
    std::uint16_t magic;
    std::uint8_t version, flags;
    std::uint32_t bytes, typeOffset, typeBytes, stringOffset, stringBytes;
  };
  Btf out;
  const auto header = loadAt<Header>(all, 0);
  if (!header || header->magic != magic) return damaged("it does not begin as BTF does");
  const auto body = part(all, header->bytes, all.size() - std::min<std::size_t>(header->bytes, all.size()));
  if (!body) return damaged("its header is cut off");
  const auto types = part(*body, header->typeOffset, header->typeBytes);
  const auto strings = part(*body, header->stringOffset, header->stringBytes);
  if (!types || !strings) return damaged("its types or names are cut off");
  out.types_ = *types;
  out.strings_ = *strings;
  for (std::size_t at = 0; at < types->size();) {
    const auto info = loadAt<std::uint32_t>(*types, at + wordBytes);
    if (!info || kindIn(*info) > BtfKind::enumeration64) return damaged("it has a kind of type that is not known");
    const BtfRecord record = recordOf(kindIn(*info));
    const std::size_t size = headBytes + wordBytes * (record.fixed + record.each * countIn(*info));
    if (size > types->size() - at) return damaged("its last type is cut off");
    out.offsets_.push_back(static_cast<std::uint32_t>(at));
    at += size;
  }
  return out;
}

std::span<const std::byte> Btf::record(std::uint32_t number) const {
  if (number == 0 || number > count()) return {};
  const std::size_t from = offsets_[number - 1], to = number < count() ? offsets_[number] : types_.size();
  return types_.subspan(from, to - from);
}

const char* Btf::letters(std::uint32_t number) const noexcept {
  if (number == 0 || number > count() || strings_.empty() || strings_.back() != std::byte{0}) return "";
  const std::uint32_t offset = word(offsets_[number - 1]);
  return offset < strings_.size() ? reinterpret_cast<const char*>(strings_.data()) + offset : "";
}

std::uint32_t Btf::word(std::size_t offset) const noexcept {
  return loadAt<std::uint32_t>(types_, offset).value_or(0);
}

std::string_view Btf::text(std::uint32_t offset) const {
  if (offset >= strings_.size()) return {};
  const auto* const from = reinterpret_cast<const char*>(strings_.data()) + offset;
  return {from, ::strnlen(from, strings_.size() - offset)};
}

BtfType Btf::type(std::uint32_t number) const {
  BtfType out;
  if (number == 0 || number > count()) return out;
  const std::size_t at = offsets_[number - 1];
  const std::uint32_t info = word(at + wordBytes), third = word(at + 2 * wordBytes);
  out.kind = kindIn(info);
  out.name = text(word(at));
  out.flag = (info >> 31) != 0;
  out.count = countIn(info);
  switch (out.kind) {
    case BtfKind::integer:
      out.bytes = third;
      out.integer = word(at + headBytes);
      break;
    case BtfKind::array:
      out.to = word(at + headBytes);
      out.elements = word(at + headBytes + 2 * wordBytes);
      break;
    case BtfKind::structure:
    case BtfKind::union_:
    case BtfKind::enumeration:
    case BtfKind::enumeration64:
    case BtfKind::section:
    case BtfKind::floating:
      out.bytes = third;
      break;
    case BtfKind::function:
      out.to = third;
      out.integer = out.count;  // the linkage
      out.count = 0;
      break;
    case BtfKind::variable:
      out.to = third;
      out.integer = word(at + headBytes);
      break;
    case BtfKind::none:
    case BtfKind::forward:
      break;
    default:
      out.to = third;
  }
  return out;
}

std::vector<BtfMember> Btf::members(std::uint32_t number) const {
  const BtfType type = this->type(number);
  std::vector<BtfMember> out;
  if (number == 0 || number > count()) return out;
  std::size_t at = offsets_[number - 1] + headBytes;
  for (std::uint32_t i = 0; i < type.count; ++i) {
    if (type.kind == BtfKind::structure || type.kind == BtfKind::union_) {
      const std::uint32_t place = word(at + 2 * wordBytes);
      out.push_back({text(word(at)), word(at + wordBytes), type.flag ? place & 0xffffff : place,
                     type.flag ? place >> 24 : 0, 0, false});
      at += 3 * wordBytes;
    } else if (type.kind == BtfKind::prototype) {
      out.push_back({text(word(at)), word(at + wordBytes), 0, 0, 0, false});
      at += 2 * wordBytes;
    } else if (type.kind == BtfKind::section) {
      const std::uint32_t variable = word(at);
      const BtfType shown = this->type(variable);
      out.push_back({shown.name, shown.to, word(at + wordBytes) * 8, 0, word(at + 2 * wordBytes), shown.integer == 0});
      at += 3 * wordBytes;
    }
  }
  return out;
}

std::vector<BtfEnumerator> Btf::enumerators(std::uint32_t number) const {
  const BtfType type = this->type(number);
  std::vector<BtfEnumerator> out;
  if (type.kind != BtfKind::enumeration && type.kind != BtfKind::enumeration64) return out;
  const bool wide = type.kind == BtfKind::enumeration64;
  std::size_t at = offsets_[number - 1] + headBytes;
  for (std::uint32_t i = 0; i < type.count; ++i) {
    const std::uint32_t low = word(at + wordBytes);
    std::int64_t value = type.flag ? static_cast<std::int32_t>(low) : static_cast<std::int64_t>(low);
    if (wide) value = static_cast<std::int64_t>(std::uint64_t{word(at + 2 * wordBytes)} << 32 | low);
    out.push_back({text(word(at)), value});
    at += (wide ? 3 : 2) * wordBytes;
  }
  return out;
}

std::uint32_t Btf::find(BtfKind kind, std::string_view name) const {
  for (std::uint32_t i = 1; i <= count(); ++i) {
    const std::size_t at = offsets_[i - 1];
    if (kindIn(word(at + wordBytes)) == kind && text(word(at)) == name) return i;
  }
  return 0;
}

namespace {

/// The first type from `number` on that `isPassed` does not hold of; 0: there is none.
template <class Passed>
std::uint32_t behind(const Btf& types, std::uint32_t number, const Passed& isPassed) {
  constexpr int mostSteps = 64;  // damaged BTF may go in a circle
  for (int i = 0; i < mostSteps; ++i) {
    const BtfType type = types.type(number);
    if (!isPassed(type.kind)) return number;
    number = type.to;
  }
  return 0;
}

}  // namespace

std::uint32_t Btf::unqualified(std::uint32_t number) const {
  return behind(*this, number, [](BtfKind kind) { return kind == BtfKind::const_ || kind == BtfKind::volatile_; });
}

std::uint32_t Btf::stripped(std::uint32_t number) const {
  return behind(*this, number, [](BtfKind kind) {
    return kind == BtfKind::typedef_ || kind == BtfKind::const_ || kind == BtfKind::volatile_ ||
           kind == BtfKind::restrict_ || kind == BtfKind::typeTag;
  });
}

std::uint64_t Btf::sizeOf(std::uint32_t number) const {
  std::uint64_t times = 1;
  constexpr int mostSteps = 16;
  for (int i = 0; i < mostSteps; ++i) {
    const BtfType type = this->type(stripped(number));
    if (type.kind == BtfKind::pointer) return times * sizeof(std::uint64_t);
    if (type.kind != BtfKind::array) return times * type.bytes;
    times *= type.elements;
    number = type.to;
  }
  return 0;
}

std::optional<std::span<const std::byte>> elfSection(std::span<const std::byte> elf, std::string_view name) {
  const auto header = loadAt<Elf64_Ehdr>(elf, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB)
    return std::nullopt;
  const auto headerOf = [&](std::uint64_t index) {
    return loadAt<Elf64_Shdr>(elf, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto nameTable = headerOf(header->e_shstrndx);
  if (!nameTable || header->e_shoff > elf.size()) return std::nullopt;
  const auto names = part(elf, nameTable->sh_offset, nameTable->sh_size);
  if (!names) return std::nullopt;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = headerOf(i);
    if (!section || section->sh_name >= names->size()) continue;
    const auto* const from = reinterpret_cast<const char*>(names->data()) + section->sh_name;
    if (std::string_view(from, ::strnlen(from, names->size() - section->sh_name)) != name) continue;
    return part(elf, section->sh_offset, section->sh_type == SHT_NOBITS ? 0 : section->sh_size);
  }
  return std::nullopt;
}

namespace {

/// The parts of .BTF.ext, by their place in its header: offset and size of each.
enum class ExtensionPart : std::uint8_t { functions, lines, relocations };

/// Calls `visit` with the section's name and the words of each record of a part. False if the part is damaged; a
/// part that an older compiler left out has no records.
template <std::size_t words, class Visit>
bool forEachRecord(std::span<const std::byte> extension, ExtensionPart which, const Visit& visit) {
  struct Header {
    std::uint16_t magic;
    std::uint8_t version, flags;
    std::uint32_t bytes;
  };
  const auto header = loadAt<Header>(extension, 0);
  if (!header || header->magic != magic) return false;
  const std::size_t place = sizeof(Header) + 2 * wordBytes * static_cast<std::size_t>(which);
  if (place + 2 * wordBytes > header->bytes) return true;
  const auto offset = loadAt<std::uint32_t>(extension, place),
             bytes = loadAt<std::uint32_t>(extension, place + wordBytes);
  if (!offset || !bytes) return false;
  const auto records = part(extension, std::uint64_t{header->bytes} + *offset, *bytes);
  if (!records) return false;
  if (records->empty()) return true;
  const std::uint32_t record = loadAt<std::uint32_t>(*records, 0).value_or(0);
  if (record < words * wordBytes) return false;
  for (std::uint64_t at = wordBytes; at < records->size();) {
    const auto head = loadAt<std::array<std::uint32_t, 2>>(*records, at);
    if (!head) return false;
    at += 2 * wordBytes;
    for (std::uint32_t i = 0; i < (*head)[1]; ++i, at += record) {
      const auto found = loadAt<std::array<std::uint32_t, words>>(*records, at);
      if (!found) return false;
      visit((*head)[0], *found);
    }
  }
  return true;
}

}  // namespace

std::vector<BtfLine> btfLines(std::span<const std::byte> extension, const Btf& types) {
  std::vector<BtfLine> out;
  (void)forEachRecord<4>(extension, ExtensionPart::lines, [&](std::uint32_t section, const auto& words) {
    constexpr std::uint32_t instructionBytes = 8;
    out.push_back({types.text(section), words[0] / instructionBytes, types.text(words[1]), types.text(words[2]),
                   words[3] >> 10, words[3] & 0x3ff});
  });
  return out;
}

std::optional<std::vector<BtfRelocation>> btfRelocations(std::span<const std::byte> extension) {
  std::vector<BtfRelocation> out;
  const bool whole = forEachRecord<4>(extension, ExtensionPart::relocations,
                                      [&](std::uint32_t, const auto& words) { out.push_back({words[1], words[3]}); });
  if (!whole) return std::nullopt;
  return out;
}

}  // namespace lathe::bpf::detail
