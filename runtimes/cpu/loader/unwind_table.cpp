// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is that of the Linux Standard Base, "Exception Frames": entries of a length, an identifier and a body.
// Identifier 0 is a CIE, any other an FDE's distance to its CIE.
#include "runtimes/cpu/loader/unwind_table.h"

#include <cstdint>
#include <optional>

#include "core/support/bytes.h"

namespace lathe::detail {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t wordBytes = sizeof(std::uint32_t);

struct Entry {
  std::uint32_t identifier;
  Bytes body;
};

/// Nothing if it is cut off.
std::optional<Entry> entryAt(Bytes table, std::size_t at) {
  const auto length = loadAt<std::uint32_t>(table, at);
  const auto bytes = length && *length % wordBytes == 0 ? sliceOf(table, at + wordBytes, *length) : std::nullopt;
  const auto identifier = bytes ? loadAt<std::uint32_t>(*bytes, 0) : std::nullopt;
  if (!identifier) return std::nullopt;
  return Entry{*identifier, bytes->subspan(wordBytes)};
}

/// How an FDE writes addresses.
enum : std::uint8_t { absolute = 0x00, relative4 = 0x1b, relative8 = 0x1c };

/// Numbers of a variable length; only that they end matters.
bool skipLeb(ByteReader& in) {
  for (int i = 0; i < 10; ++i)
    if ((in.number<std::uint8_t>() & 0x80U) == 0) return !in.failed();
  return false;
}

/// The encoding of the addresses in the CIE's FDEs.
std::optional<std::uint8_t> encodingOf(Bytes cie) {
  ByteReader in(cie);
  const auto version = in.number<std::uint8_t>();
  if (version != 1 && version != 3) return std::nullopt;
  for (const char letter : {'z', 'R', '\0'})
    if (in.number<char>() != letter) return std::nullopt;
  if (!skipLeb(in) || !skipLeb(in)) return std::nullopt;  // alignments of code and data
  if (version == 1)
    (void)in.number<std::uint8_t>();  // the register of the return address
  else if (!skipLeb(in))
    return std::nullopt;
  if (in.number<std::uint8_t>() != 1) return std::nullopt;  // bytes of augmentation: the encoding
  const auto encoding = in.number<std::uint8_t>();
  if (in.failed() || (encoding != absolute && encoding != relative4 && encoding != relative8)) return std::nullopt;
  return encoding;
}

/// True if the frame's code is part of `code`.
bool isSoundFrame(Bytes fde, std::uint8_t encoding, Bytes code) {
  ByteReader in(fde);
  std::uint64_t first = 0, bytes = 0;
  if (encoding == relative4) {
    first = static_cast<std::uint64_t>(std::int64_t{in.number<std::int32_t>()});
    bytes = in.number<std::uint32_t>();
  } else {
    first = in.number<std::uint64_t>();
    bytes = in.number<std::uint64_t>();
  }
  if (encoding != absolute) first += reinterpret_cast<std::uint64_t>(fde.data());
  const auto augmentation = in.number<std::uint8_t>();
  const std::uint64_t offset = first - reinterpret_cast<std::uint64_t>(code.data());
  return !in.failed() && augmentation == 0 && offset <= code.size() && bytes <= code.size() - offset;
}

}  // namespace

bool isSoundUnwindTable(Bytes table, Bytes code) noexcept {
  for (std::size_t at = 0; at < table.size();) {
    const auto length = loadAt<std::uint32_t>(table, at);
    if (!length) return false;
    if (*length == 0) return true;  // the unwinder reads no further
    const auto entry = entryAt(table, at);
    if (!entry) return false;
    if (entry->identifier == 0) {
      if (!encodingOf(entry->body)) return false;
    } else {
      const std::size_t identifierAt = at + wordBytes;
      const auto cie =
          entry->identifier <= identifierAt ? entryAt(table, identifierAt - entry->identifier) : std::nullopt;
      const auto encoding = cie && cie->identifier == 0 ? encodingOf(cie->body) : std::nullopt;
      if (!encoding || !isSoundFrame(entry->body, *encoding, code)) return false;
    }
    at += wordBytes + *length;
  }
  return true;
}

}  // namespace lathe::detail
