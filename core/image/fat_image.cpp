// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file: a header as an image's (magic, version, CRC-32 of the file, its length), the number of entries, their
// descriptions, then the images by Zstandard, one behind the other. What is in an image its own checksum covers.
#include <lathe/fat_image.h>

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/support/bytes.h"
#include "core/support/checksum.h"
#include "core/support/file.h"

namespace lathe {
namespace {

using detail::loadAt;

constexpr std::string_view magic = "LATHEFAT";
constexpr std::uint32_t formatVersion = 1;
constexpr std::size_t versionAt = 8, checksumAt = 12, fileBytesAt = 16, headerBytes = 24;
/// Images are compressed once and read often, and decompression costs the same at each level.
constexpr int level = 9;
/// Of one image, so that a lie about its size costs no memory.
constexpr std::uint64_t mostImageBytes = std::uint64_t{1} << 32U;

Error corrupt(std::string_view what) {
  return {.code = ErrorCode::ImageCorrupt,
          .message = fmt::format("fat image: {}; compile it again or fetch a fresh copy", what)};
}

/// The checksum of the file with its own field taken as zero.
std::uint32_t sumOf(std::span<const std::byte> file) {
  constexpr std::array<std::byte, 4> zero{};
  std::uint32_t sum = detail::checksum(file.first(checksumAt));
  sum = detail::checksum(zero, sum);
  return detail::checksum(file.subspan(checksumAt + zero.size()), sum);
}

std::string packed(std::span<const std::byte> bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), level);
  if (ZSTD_isError(size) != 0) return {};
  out.resize(size);
  return out;
}

/// A name in pieces that compare as people count: "sm_90" is behind "sm_8", and "sm_90a" behind "sm_90".
std::vector<std::pair<std::uint64_t, std::string>> inPieces(std::string_view name) {
  std::vector<std::pair<std::uint64_t, std::string>> out;
  const auto isDigit = [](char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; };
  while (!name.empty()) {
    const std::size_t letters = static_cast<std::size_t>(std::ranges::find_if(name, isDigit) - name.begin());
    std::string word(name.substr(0, letters));
    name.remove_prefix(letters);
    std::uint64_t number = 0;
    for (; !name.empty() && isDigit(name.front()); name.remove_prefix(1))
      number = number * 10 + static_cast<unsigned>(name.front() - '0');
    out.emplace_back(0, std::move(word));
    out.emplace_back(number, std::string());
  }
  return out;
}

}  // namespace

struct FatImage::Data {
  struct Place {
    std::uint64_t offset = 0, size = 0;
  };
  std::string file;
  std::vector<FatImageEntry> entries = {};
  std::vector<Place> places = {};

  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(file)); }
  Result<void> read();
};

Result<void> FatImage::Data::read() {
  const auto all = bytes();
  const auto version = loadAt<std::uint32_t>(all, versionAt);
  if (!version) return corrupt(fmt::format("truncated after {} bytes", all.size()));
  if (*version != formatVersion) {
    if (*version == 0 || *version > std::numeric_limits<std::uint16_t>::max()) return corrupt("the header is damaged");
    return Error{
        .code = ErrorCode::ImageVersion,
        .message = fmt::format("fat image: format version {} is newer than this library's {}; use a newer Lathe",
                               *version, formatVersion)};
  }
  const auto length = loadAt<std::uint64_t>(all, fileBytesAt);
  if (!length || all.size() < headerBytes || all.size() < *length)
    return corrupt(fmt::format("truncated after {} bytes", all.size()));
  if (all.size() > *length) return corrupt(fmt::format("{} bytes follow its end", all.size() - *length));
  if (loadAt<std::uint32_t>(all, checksumAt) != sumOf(all))
    return corrupt("the checksum does not match: bytes were changed");
  detail::ByteReader in(all.subspan(headerBytes));
  const auto count = in.number<std::uint32_t>();
  std::uint64_t end = 0;
  for (std::uint32_t i = 0; i < count && !in.failed(); ++i) {
    FatImageEntry entry;
    for (std::string* const text : {&entry.target, &entry.arch, &entry.features, &entry.runtime})
      *text = std::string(in.text());
    entry.bytes = in.number<std::uint64_t>();
    const Place place{in.number<std::uint64_t>(), in.number<std::uint64_t>()};
    if (in.failed() || !detail::sliceOf(all, place.offset, place.size) || place.offset < end ||
        entry.bytes > mostImageBytes) {
      return corrupt(fmt::format("entry {} is misplaced", i));
    }
    end = place.offset + place.size;
    entries.push_back(std::move(entry));
    places.push_back(place);
  }
  if (in.failed() || entries.empty()) return corrupt("the list of images is malformed");
  return {};
}

Result<FatImage> FatImage::build(std::span<const Image> images) {
  if (images.empty()) return Error{.code = ErrorCode::InvalidArgument, .message = "a fat image of no images"};
  std::set<std::tuple<std::string, std::string, std::string>> known;
  std::vector<std::string> blobs;
  detail::ByteWriter table;
  for (const Image& image : images) {
    const ImageInfo& info = image.info();
    if (!known.emplace(info.target, info.arch, info.features).second) {
      return Error{
          .code = ErrorCode::InvalidArgument,
          .message = fmt::format("two images for {}:{} of the same features in one fat image", info.target, info.arch),
          .hint = "leave one of them out"};
    }
    blobs.push_back(packed(image.bytes()));
  }
  const auto describe = [&](std::uint64_t offset) {
    detail::ByteWriter out;
    out.number(static_cast<std::uint32_t>(images.size()));
    for (std::size_t i = 0; i < images.size(); ++i) {
      const ImageInfo& info = images[i].info();
      for (const std::string* const text : {&info.target, &info.arch, &info.features, &info.runtime}) out.text(*text);
      out.number(std::uint64_t{images[i].bytes().size()});
      out.number(offset);
      out.number(std::uint64_t{blobs[i].size()});
      offset += blobs[i].size();
    }
    return out.take();
  };
  const std::size_t tableBytes = describe(0).size();
  detail::ByteWriter out;
  out.raw(magic);
  out.number(formatVersion);
  out.number(std::uint32_t{0});  // checksum, below
  out.number(std::uint64_t{0});  // length, below
  out.raw(describe(headerBytes + tableBytes));
  for (const std::string& blob : blobs) out.raw(blob);
  out.numberAt(fileBytesAt, std::uint64_t{out.size()});
  out.numberAt(checksumAt, sumOf(std::as_bytes(std::span(out.view()))));
  auto data = std::make_shared<Data>(Data{.file = out.take()});
  if (auto sound = data->read(); !sound) return std::move(sound).error();
  return FatImage(std::move(data));
}

Result<FatImage> FatImage::fromBytes(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(magic)) {
    const auto image = Image::fromBytes(bytes);
    if (!image) return image.error();
    return build(std::span(&*image, 1));
  }
  auto data = std::make_shared<Data>(Data{.file = std::string(text)});
  if (auto sound = data->read(); !sound) return std::move(sound).error();
  return FatImage(std::move(data));
}

Result<FatImage> FatImage::open(const std::filesystem::path& path) {
  auto file = detail::readFile(path);
  if (!file) return std::move(file).error();
  auto out = fromBytes(std::as_bytes(std::span(*file)));
  if (!out) out.error().message = path.string() + ": " + out.error().message;
  return out;
}

Result<void> FatImage::save(const std::filesystem::path& path) const {
  return detail::writeFile(path, data_->file);
}

const std::vector<FatImageEntry>& FatImage::entries() const noexcept {
  return data_->entries;
}

std::span<const std::byte> FatImage::bytes() const noexcept {
  return data_->bytes();
}

Result<Image> FatImage::image(std::size_t index) const {
  if (index >= data_->entries.size()) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("fat image: there is no entry {} of {}", index, data_->entries.size())};
  }
  const auto& place = data_->places[index];
  const auto from = data_->bytes().subspan(place.offset, place.size);
  std::string bytes(data_->entries[index].bytes, '\0');
  const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), from.data(), from.size());
  if (ZSTD_isError(size) != 0 || size != bytes.size())
    return corrupt(fmt::format("entry {} cannot be decompressed", index));
  return Image::fromBytes(std::as_bytes(std::span(bytes)));
}

std::vector<std::size_t> FatImage::candidates(std::string_view runtime, std::string_view arch) const {
  const auto isOfArch = [&](const FatImageEntry& entry) {
    if (arch.empty() || !entry.arch.starts_with(arch)) return false;
    const std::string_view suffix = std::string_view(entry.arch).substr(arch.size());
    return std::ranges::none_of(suffix, [](unsigned char letter) { return std::isdigit(letter) != 0; });
  };
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < data_->entries.size(); ++i) {
    if (data_->entries[i].runtime == runtime) out.push_back(i);
  }
  std::ranges::stable_sort(out, [&](std::size_t a, std::size_t b) {
    const FatImageEntry &left = data_->entries[a], &right = data_->entries[b];
    const bool leftFits = isOfArch(left), rightFits = isOfArch(right);
    if (leftFits != rightFits) return leftFits;
    return inPieces(left.arch) > inPieces(right.arch);
  });
  return out;
}

}  // namespace lathe
