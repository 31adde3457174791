// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image_bytes.h"

#include "core/image/metadata.h"
#include "core/support/bytes.h"
#include "core/support/checksum.h"
#include "hostile.h"

namespace lathe::hostile {
namespace {

constexpr std::size_t versionAt = 8, checksumAt = 12, lengthAt = 16, countAt = 24, headerBytes = 32, entryBytes = 24;

std::span<const std::byte> asBytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

std::vector<std::string> sectionsOf(std::string_view image) {
  std::vector<std::string> out;
  const auto count = detail::loadAt<std::uint32_t>(asBytes(image), countAt).value_or(0);
  for (std::uint32_t i = 0; i < count && i < 16; ++i) {
    const std::size_t at = headerBytes + i * entryBytes;
    const auto offset = detail::loadAt<std::uint64_t>(asBytes(image), at + 8);
    const auto size = detail::loadAt<std::uint64_t>(asBytes(image), at + 16);
    const auto bytes = offset && size ? detail::sliceOf(asBytes(image), *offset, *size) : std::nullopt;
    if (!bytes) break;
    out.emplace_back(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  }
  return out;
}

std::uint32_t versionOf(std::string_view image) {
  return detail::loadAt<std::uint32_t>(asBytes(image), versionAt).value_or(0);
}

std::string imageOf(std::uint32_t version, const std::vector<std::string>& sections) {
  detail::ByteWriter out;
  out.raw("LATHEIMG");
  out.number(version);
  out.number(std::uint32_t{0});
  out.number(std::uint64_t{0});
  out.number(static_cast<std::uint32_t>(sections.size()));
  out.number(std::uint32_t{0});
  std::uint64_t offset = headerBytes + sections.size() * entryBytes;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    offset = (offset + 63) / 64 * 64;
    out.number(std::uint32_t{i == 0 ? 1U : 2U});
    out.number(std::uint32_t{0});
    out.number(offset);
    out.number(std::uint64_t{sections[i].size()});
    offset += sections[i].size() + 1;
  }
  for (const std::string& section : sections) {
    out.alignTo(64);
    out.raw(section);
    out.number(std::uint8_t{0});
  }
  out.alignTo(64);
  std::string image = out.take();
  repairImage(image);
  return image;
}

void repairImage(std::string& image) {
  if (image.size() < headerBytes) return;
  const std::uint64_t length = image.size();
  std::memcpy(image.data() + lengthAt, &length, sizeof(length));
  std::memset(image.data() + checksumAt, 0, sizeof(std::uint32_t));
  const std::uint32_t sum = detail::checksum(asBytes(image));
  std::memcpy(image.data() + checksumAt, &sum, sizeof(sum));
}

std::string mutatedImage(std::string_view image, unsigned seed) {
  std::vector<std::string> sections = sectionsOf(image);
  if (sections.empty() || seed % 8 == 0) {
    std::string out = mutated(std::string(image));
    if (out.size() >= versionAt) std::memcpy(out.data(), "LATHEIMG", versionAt);
    repairImage(out);
    return out;
  }
  // The metadata is the part with a structure.
  std::string& chosen = sections[seed % 4 == 1 ? seed / 8 % sections.size() : 0];
  chosen = mutated(std::move(chosen));
  // Older versions have other fields.
  const std::uint32_t version = seed % 64 == 3 ? seed / 64 % (detail::metadataVersion + 1) : versionOf(image);
  return imageOf(version, sections);
}

}  // namespace lathe::hostile
