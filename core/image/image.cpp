// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image format: a header, a table of sections, then the sections, each aligned so that its bytes are used where
// they lie in a mapped file. Reading checks the frame first, then the checksum, and looks inside the metadata last.
#include <lathe/image.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <variant>

#include <fmt/format.h>

#include "core/image/kernel_names.h"
#include "core/image/metadata.h"
#include "core/support/bytes.h"
#include "core/support/checksum.h"
#include "core/support/file.h"
#include "core/support/nearest.h"

namespace lathe {
namespace {

using detail::loadAt;

constexpr std::string_view magic = "LATHEIMG";
constexpr std::uint32_t formatVersion = detail::metadataVersion;
constexpr std::uint32_t oldestVersion = 1;
constexpr std::size_t sectionAlign = 64;

/// Where the header's fields are; docs/image-format.md has the table.
constexpr std::size_t versionAt = 8, checksumAt = 12, fileBytesAt = 16, sectionCountAt = 24, headerBytes = 32;
constexpr std::size_t sectionEntryBytes = 24;

enum class SectionKind : std::uint32_t { metadata = 1, code = 2 };

struct Section {
  SectionKind kind;
  std::uint64_t offset;
  std::uint64_t size;
};

Error corrupt(std::string_view what) {
  return {.code = ErrorCode::ImageCorrupt,
          .message = fmt::format("image: {}; compile it again or fetch a fresh copy", what)};
}

std::span<const std::byte> asBytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// The checksum of the file with its own field taken as zero.
std::uint32_t sumOf(std::span<const std::byte> file) {
  constexpr std::array<std::byte, 4> zero{};
  std::uint32_t sum = detail::checksum(file.first(checksumAt));
  sum = detail::checksum(zero, sum);
  return detail::checksum(file.subspan(checksumAt + zero.size()), sum);
}

/// Magic, version, length and checksum; after this the bytes are those that were written.
Result<void> checkFrame(std::span<const std::byte> file) {
  constexpr std::string_view fatMagic = "LATHEFAT";
  if (file.size() >= fatMagic.size() && std::memcmp(file.data(), fatMagic.data(), fatMagic.size()) == 0) {
    return Error{.code = ErrorCode::ImageVersion,
                 .message = "image: this is a fat image, which holds images for several targets",
                 .hint = "open it with FatImage (<lathe/fat_image.h>), or take one out by `lathe unpack`"};
  }
  const std::size_t compared = std::min(file.size(), magic.size());
  if (file.empty() || std::memcmp(file.data(), magic.data(), compared) != 0)
    return corrupt("this is not a Lathe image");
  const auto version = loadAt<std::uint32_t>(file, versionAt);
  if (!version) return corrupt(fmt::format("truncated after {} bytes", file.size()));
  // Beyond this it is not a version but damage.
  constexpr std::uint32_t mostPlausibleVersion = 65535;
  if (*version > mostPlausibleVersion) return corrupt("the header is damaged");
  if (*version > formatVersion) {
    return Error{.code = ErrorCode::ImageVersion,
                 .message = fmt::format("image: format version {} is newer than this library's {}; use a newer Lathe",
                                        *version, formatVersion)};
  }
  if (*version < oldestVersion) return corrupt(fmt::format("there is no format version {}", *version));
  const auto fileBytes = loadAt<std::uint64_t>(file, fileBytesAt);
  if (!fileBytes || file.size() < headerBytes || file.size() < *fileBytes)
    return corrupt(fmt::format("truncated after {} bytes", file.size()));
  if (file.size() > *fileBytes) return corrupt(fmt::format("{} bytes follow its end", file.size() - *fileBytes));
  if (loadAt<std::uint32_t>(file, checksumAt) != sumOf(file))
    return corrupt("the checksum does not match: bytes were changed");
  return {};
}

/// The section table: sections ascend without overlap, each aligned and followed by a zero byte.
Result<std::vector<Section>> readSections(std::span<const std::byte> file) {
  const std::uint32_t count = *loadAt<std::uint32_t>(file, sectionCountAt);
  if (count > (file.size() - headerBytes) / sectionEntryBytes)
    return corrupt("the section table is longer than the file");
  std::uint64_t end = headerBytes + std::uint64_t{count} * sectionEntryBytes;
  std::vector<Section> out;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t at = headerBytes + i * sectionEntryBytes;
    const Section section{static_cast<SectionKind>(*loadAt<std::uint32_t>(file, at)),
                          *loadAt<std::uint64_t>(file, at + 8), *loadAt<std::uint64_t>(file, at + 16)};
    const bool inside = section.offset >= end && section.offset % sectionAlign == 0 && section.offset < file.size() &&
                        section.size < file.size() - section.offset;
    if (!inside || file[section.offset + section.size] != std::byte{0})
      return corrupt(fmt::format("section {} is misplaced", i));
    end = section.offset + section.size;
    out.push_back(section);
  }
  return out;
}

/// Bytes at an alignment that code sections can rely on.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::span<const std::byte> from)
      : data_(static_cast<std::byte*>(::operator new(from.size(), std::align_val_t{sectionAlign}))),
        size_(from.size()) {
    std::ranges::copy(from, data_.get());
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* data) const noexcept { ::operator delete(data, std::align_val_t{sectionAlign}); }
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_;
};

std::string serialise(const ImageInfo& info, std::span<const Image::CodeBlob> code) {
  const std::string metadata = detail::encode(info, code);
  detail::ByteWriter out;
  out.raw(magic);
  out.number(formatVersion);
  out.number(std::uint32_t{0});  // checksum, below
  out.number(std::uint64_t{0});  // length, below
  out.number(static_cast<std::uint32_t>(code.size() + 1));
  out.number(std::uint32_t{0});
  std::uint64_t offset = headerBytes + (code.size() + 1) * sectionEntryBytes;
  const auto describe = [&](SectionKind kind, std::uint64_t size) {
    offset = (offset + sectionAlign - 1) / sectionAlign * sectionAlign;
    out.number(static_cast<std::uint32_t>(kind));
    out.number(std::uint32_t{0});
    out.number(offset);
    out.number(size);
    offset += size + 1;
  };
  describe(SectionKind::metadata, metadata.size());
  for (const Image::CodeBlob& blob : code) describe(SectionKind::code, blob.bytes.size());
  const auto append = [&](std::string_view bytes) {
    out.alignTo(sectionAlign);
    out.raw(bytes);
    out.number(std::uint8_t{0});
  };
  append(metadata);
  for (const Image::CodeBlob& blob : code) append(blob.bytes);
  out.alignTo(sectionAlign);
  out.numberAt(fileBytesAt, std::uint64_t{out.size()});
  out.numberAt(checksumAt, sumOf(asBytes(out.view())));
  return out.take();
}

}  // namespace

struct Image::Data {
  std::variant<AlignedBytes, detail::MappedFile> storage;
  ImageInfo info = {};
  std::vector<Code> code = {};
  std::vector<detail::CodeName> names = {};  ///< what `code` views

  [[nodiscard]] std::span<const std::byte> bytes() const {
    return std::visit([](const auto& stored) { return stored.bytes(); }, storage);
  }
  static Result<std::shared_ptr<const Data>> read(std::variant<AlignedBytes, detail::MappedFile> storage);
};

Result<std::shared_ptr<const Image::Data>> Image::Data::read(std::variant<AlignedBytes, detail::MappedFile> storage) {
  auto data = std::make_shared<Data>(Data{.storage = std::move(storage)});
  const std::span<const std::byte> file = data->bytes();
  if (auto sound = checkFrame(file); !sound) return std::move(sound).error();
  const auto sections = readSections(file);
  if (!sections) return sections.error();
  if (sections->empty() || sections->front().kind != SectionKind::metadata) return corrupt("the metadata is missing");
  auto metadata = detail::decode(file.subspan(sections->front().offset, sections->front().size),
                                 *loadAt<std::uint32_t>(file, versionAt));
  if (!metadata) return corrupt("the metadata is malformed");
  const std::span codes = std::span(*sections).subspan(1);
  const bool onlyCode =
      std::ranges::all_of(codes, [](const Section& section) { return section.kind == SectionKind::code; });
  if (!onlyCode || codes.size() != metadata->code.size()) return corrupt("the code sections do not match the metadata");
  data->info = std::move(metadata->info);
  data->names = std::move(metadata->code);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    data->code.push_back({data->names[i].format, data->names[i].arch, file.subspan(codes[i].offset, codes[i].size)});
  }
  return std::shared_ptr<const Data>(std::move(data));
}

Image Image::build(ImageInfo info, std::vector<CodeBlob> code) {
  const std::string bytes = serialise(info, code);
  // Read back like any other: what was written is what others will see, and it always reads.
  return Image(*Data::read(AlignedBytes(asBytes(bytes))));
}

Result<Image> Image::fromBytes(std::span<const std::byte> bytes) {
  auto data = Data::read(AlignedBytes(bytes));
  if (!data) return std::move(data).error();
  return Image(*std::move(data));
}

Result<Image> Image::open(const std::filesystem::path& path) {
  auto file = detail::MappedFile::open(path);
  if (!file) return std::move(file).error();
  auto data = Data::read(*std::move(file));
  if (!data) {
    data.error().message = path.string() + ": " + data.error().message;
    return std::move(data).error();
  }
  return Image(*std::move(data));
}

Result<void> Image::save(const std::filesystem::path& path) const {
  return detail::writeFile(path, {reinterpret_cast<const char*>(bytes().data()), bytes().size()});
}

const ImageInfo& Image::info() const noexcept {
  return data_->info;
}
const std::vector<Code>& Image::code() const noexcept {
  return data_->code;
}
std::span<const std::byte> Image::bytes() const noexcept {
  return data_->bytes();
}

const Code* Image::find(std::string_view format, std::string_view arch) const noexcept {
  for (const Code& code : data_->code) {
    if (code.format == format && (arch.empty() || code.arch == arch)) return &code;
  }
  return nullptr;
}

Result<const EntryPoint*> Image::entry(std::string_view name) const {
  const auto& entries = data_->info.entries;
  for (const auto member : {&EntryPoint::name, &EntryPoint::symbol}) {
    const auto found = std::ranges::find(entries, name, member);
    if (found != entries.end()) return &*found;
  }
  if (const EntryPoint* const found = detail::entryMangledAs(name, entries)) return found;
  std::vector<std::string> known;
  for (const EntryPoint& entry : entries) known.push_back(entry.name);
  Error error{.code = ErrorCode::UnknownKernel,
              .message = fmt::format("image: there is no kernel '{}'{}", name, detail::didYouMean(name, known))};
  error.hint =
      known.empty() ? std::string("the image has no kernels") : fmt::format("kernels: {}", fmt::join(known, ", "));
  return error;
}

}  // namespace lathe
